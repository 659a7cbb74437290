#!/bin/sh
# Configures and builds one preset of CMakePresets.json: release in build/, any other in build-NAME/.
#
# usage: scripts/build.sh PRESET [-DNAME=VALUE...]     JOBS=N: jobs at a time; TARGET=NAME: only that
set -eu
cd "$(dirname "$0")/.."
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR # of a make above us: they mean something else to a make below

preset=$1
shift
folder=build-$preset
if [ "$preset" = release ]; then folder=build; fi
cache=$folder/CMakeCache.txt

# A folder that was configured somewhere else (a moved or copied tree) cannot be used again.
if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$cache"; then
  rm -rf "$folder"
fi
# Ninja where there is one; a folder keeps the generator that it was made with.
if [ ! -f "$cache" ] && [ -z "${CMAKE_GENERATOR:-}" ] && command -v ninja >/dev/null; then
  set -- -G Ninja "$@"
fi
cmake --preset "$preset" "$@" >/dev/null
cmake --build "$folder" --parallel "${JOBS:-$(nproc)}" ${TARGET:+--target "$TARGET"}
