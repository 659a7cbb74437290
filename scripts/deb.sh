#!/bin/sh
# Builds Debian's packages of the tree as it is, in build-deb: carom, libcarom0, libcarom-dev, python3-carom. Lintian must
# have nothing to say.
#
# usage: scripts/deb.sh     JOBS=N: jobs at a time
set -eu
cd "$(dirname "$0")/.."
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
version=$(sed -n 's/^#define CAROM_VERSION "\(.*\)"/\1/p' include/carom/base.h)
work=$(pwd -P)/build-deb
tree=$work/carom-$version

if [ "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" != "$version" ]; then
  echo "deb: debian/changelog is of another version than $version" >&2
  exit 1
fi
rm -rf "$work"
mkdir -p "$tree"
# What git knows or would know, and the sources of others for FMUs where they are.
git ls-files --cached --others --exclude-standard | while IFS= read -r file; do
  if [ -e "$file" ]; then printf '%s\n' "$file"; fi
done | tar -c -T - | tar -x -C "$tree"
if [ -f .sources/complete ]; then cp -r .sources "$tree"; fi

log=$work/build.log
echo "deb: building, $log"
if ! (cd "$tree" && DEB_BUILD_OPTIONS="noautodbgsym parallel=${JOBS:-$(nproc)}" dpkg-buildpackage -b -us -uc) >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  exit 1
fi
cd "$work"
rm -rf "$tree"
lintian --allow-root --fail-on error,warning ./*.changes
for package in ./*.deb; do
  printf '%s  %s kB\n' "$(basename "$package")" "$(($(stat -c %s "$package") / 1000))"
done
