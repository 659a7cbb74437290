#!/bin/sh
# Installs libcarom into a new place, then builds and runs a small program against it: by find_package(carom) and by
# pkg-config. The place has a blank in its name.
#
# usage: scripts/check_install.sh BUILD           the static library of a finished build folder
#        scripts/check_install.sh BUILD shared    a shared library, built in BUILD/outer as a guest of another project
set -eu
unset DESTDIR MAKEFLAGS MFLAGS MAKELEVEL
build=$(cd "$1" && pwd -P)
root=$(cd "$(dirname "$0")/.." && pwd -P)
kind=${2:-static}

# setting NAME: its value in the build folder's cache
setting() {
  sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"
}

# The program uses the same compiler and flags: a sanitized library asks for a sanitized program.
CC=$(setting CMAKE_C_COMPILER)
CFLAGS=$(setting CMAKE_C_FLAGS)
CMAKE_GENERATOR=$(setting CMAKE_GENERATOR)
export CC CFLAGS CMAKE_GENERATOR

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/the prefix"

version=$(sed -n 's/^#define CAROM_VERSION "\(.*\)"/\1/p' "$root/include/carom/base.h")
expected="$version 7.07107 1"

mkdir "$work/consumer"
cat >"$work/consumer/main.c" <<'END'
#include <carom/carom.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
  crVec3 sum = crAdd(crMakeVec3(1.0, 2.0, 3.0), crMakeVec3(2.0, 2.0, 2.0));
  crQuat q = crMat3ToQuat(crQuatToMat3(crIdentityQuat()));
  printf("%s %g %g\n", crVersion(), crLength(sum), q.w);
  return strcmp(crVersion(), CAROM_VERSION) != 0 || crFindSolver("ida") != cr_solverIda; // needs other libraries
}
END
cat >"$work/consumer/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES C)
find_package(carom ${version%.*} REQUIRED)
add_executable(consumer main.c)
target_link_libraries(consumer PRIVATE carom::carom)
END

# expect NAME TEXT
expect() {
  if [ "$2" != "$expected" ]; then
    echo "check_install: by $1 the program says '$2' instead of '$expected'" >&2
    exit 1
  fi
  echo "$kind by $1: $2"
}

# A project that takes Carom in by add_subdirectory. In Debug: it is quick to build and as good to link with.
tool=$build/carom
if [ "$kind" = shared ]; then
  outer=$build/outer
  mkdir -p "$outer"
  cp "$work/consumer/main.c" "$outer"
  cat >"$outer/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(outer LANGUAGES C)
add_subdirectory("$root" carom)
add_executable(outer main.c)
target_link_libraries(outer PRIVATE carom::carom)
END
  build=$outer/build
  tool=$build/carom/carom
  cmake -S "$outer" -B "$build" -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug >"$work/log"
  for option in CAROM_NATIVE CAROM_TESTS; do
    if [ "$(setting $option)" != OFF ]; then
      echo "check_install: inside another project $option is '$(setting $option)' instead of OFF" >&2
      exit 1
    fi
  done
  cmake --build "$build" >>"$work/log" || { cat "$work/log"; exit 1; }
  expect add_subdirectory "$("$build/outer")"
fi
cmake --install "$build" --prefix "$prefix" >"$work/log"

cmake -S "$work/consumer" -B "$work/consumer/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log"
cmake --build "$work/consumer/build" >"$work/log" || { cat "$work/log"; exit 1; }
expect find_package "$("$work/consumer/build/consumer")"

# The flags come with blanks escaped for a shell, hence eval.
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name carom.pc)")
export PKG_CONFIG_PATH
if [ "$kind" = static ]; then flags=$(pkg-config --static --cflags --libs carom); else
  flags=$(pkg-config --cflags --libs carom)
fi
eval "$CC $CFLAGS -o \"\$work/by_pkg_config\" \"\$work/consumer/main.c\" $flags"
expect pkg-config "$(LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") "$work/by_pkg_config")"

# The tool runs from where it was installed.
if [ -x "$tool" ]; then "$prefix/bin/carom" --version >/dev/null; fi
