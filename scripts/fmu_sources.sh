#!/bin/sh
# Gets the sources of what the binary of FMUs holds of others, from the distribution: Lua, Jansson, qhull and expat, whose
# installed libraries are not made to be parts of a shared library. They go to .sources/, and nothing else is changed.
#
# usage: scripts/fmu_sources.sh
#
# When they are there it says nothing. Where they cannot be had, without apt or network, it says so and all is built but
# `carom fmu`. Lists of source packages are fetched into a folder of their own if the machine has none.
set -eu
cd "$(dirname "$0")/.."
folder=.sources
packages='lua5.4 jansson qhull expat'

if [ -f $folder/complete ]; then exit 0; fi

without() {
  echo "fmu_sources: $1; the tool is built without 'carom fmu'" >&2
  rm -rf "$folder.new"
  exit 0
}

for program in apt-get dpkg-source; do
  command -v $program >/dev/null 2>&1 || without "there is no $program here (Debian: apt, dpkg-dev)"
done

# The distribution of this machine, as its own lists name it.
. /etc/os-release
case "${ID:-} ${ID_LIKE:-}" in
  *ubuntu*) archive=http://archive.ubuntu.com/ubuntu ;;
  *debian*) archive=http://deb.debian.org/debian ;;
  *) without "the sources are looked for in Debian's archive, and this is ${ID:-no known distribution}" ;;
esac
release=${VERSION_CODENAME:-stable}

rm -rf "$folder.new"
mkdir -p "$folder.new/lists/partial"
echo "deb-src $archive $release main" >"$folder.new/sources.list"
here=$(pwd -P)/$folder.new
apt="apt-get -q -o Dir::Etc::sourcelist=$here/sources.list -o Dir::Etc::sourceparts=/dev/null
  -o Dir::State::lists=$here/lists -o APT::Sandbox::User="

echo "fmu_sources: getting $packages"
log=$here/log
{ $apt update && cd "$folder.new" && $apt source --download-only $packages; } </dev/null >"$log" 2>&1 ||
  { tail -n 3 "$log" >&2; without "the sources cannot be fetched"; }
for package in $packages; do
  dpkg-source --no-check -x "$package"_*.dsc "$package" >>"$log" 2>&1 ||
    { tail -n 3 "$log" >&2; without "the source of $package cannot be unpacked"; }
done
rm -rf lists ./*.xz ./*.gz ./*.bz2 ./*.dsc sources.list
cd ..
touch "$folder.new/complete"
rm -rf "$folder"
mv "$folder.new" "$folder"
