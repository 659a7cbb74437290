#!/bin/sh
# An FMU where there is nothing but the C library: a root of its own with the loader, libc, libm, a small host and the
# FMU, in which billiards runs. Shows what the binary needs (ldd) and what it shows to others (nm -D).
#
# usage: scripts/fmu_alone.sh CAROM HOST     the tool, and the program of test/fmu_alone.c; 77: there is no chroot here
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
carom=$(realpath "$1")
host=$(realpath "$2")

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT INT TERM
enter="chroot $root"
[ "$(id -u)" = 0 ] || enter="unshare -r chroot $root"

# What the host needs is what any program needs: its loader, libc and, for the FMU, libm.
libraries=$(ldd "$host" | grep -o '/[^ ]*')
libm=$(echo "$libraries" | grep 'libc[.]so' | sed 's/libc[.]so/libm.so/')
for file in $libraries $libm; do
  mkdir -p "$root$(dirname "$file")"
  cp "$file" "$root$file"
done
cp "$host" "$root/host"
$enter /host >/dev/null 2>&1 || [ $? = 2 ] || { echo "no chroot here"; exit 77; }

"$carom" fmu "$here/examples/billiards.lua" -o "$root/model.fmu"
mkdir "$root/fmu"
python3 -m zipfile -e "$root/model.fmu" "$root/fmu"
rm "$root/model.fmu"
binary=$(echo "$root"/fmu/binaries/*/*.so)
echo "ldd:"
ldd "$binary"
echo "nm -D, all that it shows, without the functions of FMI:"
nm -D --defined-only "$binary" | grep -v ' T fmi[23][A-Z]' || echo "  (nothing)"
echo "all that is in the root:"
(cd "$root" && find . -type f | sort)
guid=$(grep -o 'guid="[^"]*"' "$root/fmu/modelDescription.xml" | cut -d '"' -f 2)
reference=$(grep -o 'name="cue.position.x" valueReference="[0-9]*"' "$root/fmu/modelDescription.xml" | cut -d '"' -f 4)
echo "billiards inside of it:"
$enter /host "${binary#"$root"}" "$guid" file:///fmu/resources "$reference"
