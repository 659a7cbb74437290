#!/bin/sh
# Installs Carom's libraries into a new place and builds and runs two programs against them, by find_package(carom) and
# by pkg-config: examples/c/bounce.c, which needs the core alone, and one that needs all three libraries. Looks at what
# was linked: names that are exported, libraries that are needed. The place has a blank in its name.
#
# usage: scripts/check_install.sh BUILD           the static libraries of a finished build folder
#        scripts/check_install.sh BUILD shared    shared ones, built in BUILD/outer as guests of another project
#        scripts/check_install.sh BUILD core      the core alone without SUNDIALS, shared, built in BUILD/core on a
#                                                 machine on which nothing but qhull can be found
set -eu
unset DESTDIR MAKEFLAGS MFLAGS MAKELEVEL
build=$(cd "$1" && pwd -P)
root=$(cd "$(dirname "$0")/.." && pwd -P)
kind=${2:-static}

# setting NAME: its value in the build folder's cache
setting() {
  sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"
}

# The programs use the same compiler and flags: a sanitized library asks for a sanitized program.
CC=$(setting CMAKE_C_COMPILER)
CFLAGS=$(setting CMAKE_C_FLAGS)
CMAKE_GENERATOR=$(setting CMAKE_GENERATOR)
export CC CFLAGS CMAKE_GENERATOR
case $CFLAGS in *-fsanitize* | *-fprofile-instr*) plain=no ;; *) plain=yes ;; esac # others bring names and libraries along

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/the prefix"

fail() {
  echo "check_install: $kind: $*" >&2
  exit 1
}

# quietly COMMAND...: its output only when it fails
quietly() {
  "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "failed: $*"; }
}

# only_qhull COMMAND...: where pkg-config knows no library of others but qhull
mkdir "$work/only_qhull"
cp "$(pkg-config --variable=pcfiledir qhull_r)/qhull_r.pc" "$work/only_qhull"
only_qhull() {
  (
    export PKG_CONFIG_LIBDIR="$work/only_qhull"
    "$@"
  )
}

# In Debug: it is quick to build and as good to link with.
case $kind in
  static) ;;
  shared)
    outer=$build/outer
    mkdir -p "$outer"
    cat >"$outer/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(outer LANGUAGES C)
add_subdirectory("$root" carom)
add_executable(outer "$root/examples/c/bounce.c")
target_link_libraries(outer PRIVATE carom::carom)
END
    build=$outer/build
    quietly cmake -S "$outer" -B "$build" -UCAROM_NATIVE -UCAROM_TESTS -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug
    for option in CAROM_NATIVE CAROM_TESTS; do
      if [ "$(setting $option)" != OFF ]; then fail "inside another project $option is $(setting $option)"; fi
    done
    quietly cmake --build "$build"
    ;;
  core)
    only_qhull quietly cmake -S "$root" -B "$build/core" -DBUILD_SHARED_LIBS=ON -DCAROM_IO=OFF -DCAROM_SUNDIALS=OFF \
      -DCMAKE_BUILD_TYPE=Debug
    build=$build/core
    quietly cmake --build "$build"
    ;;
  *) fail 'no such kind; there are static, shared and core' ;;
esac
quietly cmake --install "$build" --prefix "$prefix"
libraries=$(dirname "$(find "$prefix" -path '*-packages' -prune -o -name 'libcarom.*' -print | head -n 1)")
PKG_CONFIG_PATH=$libraries/pkgconfig
export PKG_CONFIG_PATH
version=$(sed -n 's/^#define CAROM_VERSION "\(.*\)"/\1/p' "$root/include/carom/base.h")

# ---------------------------------------------------------------------------------------------- programs

mkdir "$work/bounce" "$work/whole"
cp "$root/examples/c/bounce.c" "$work/bounce/main.c"
cat >"$work/whole/main.c" <<'END'
#include <carom/carom.h>
#include <carom/io.h>
#include <carom/show.h>

#include <stdio.h>
#include <string.h>

static const char lua[] = "world('ground')\nobject('ball', { free = true, solid{ shape = sphere{ radius = 1 }, material = 'Steel' } })";

static void count(void* context, const char* text, size_t size)
{
  (void)text;
  *(size_t*)context += size;
}

// A model from text, written as JSON; what has to be given to results and plots is not there.
int main(void)
{
  crScene* scene = NULL;
  crModel* model = NULL;
  crResult* result = NULL;
  size_t size = 0;
  crTextWriter writer = { .write = count, .context = &size };
  crStatus read = crReadLua(lua, strlen(lua), "model", NULL, NULL, NULL, NULL, &scene);
  crStatus written = crWriteJson(scene, NULL, NULL, writer);
  crStatus compiled = crCompile(scene, NULL, NULL, NULL, &model);
  crStatus found = crReadResult("no_such.h5", NULL, NULL, &result);
  crStatus drawn = crWriteGlb(NULL, "no_such.glb", NULL, NULL);
  crStatus plotted = crPlotResult(NULL, NULL, 0, NULL, "no_such.svg", NULL, NULL);
  printf("%s %d %d %d %d %d %d %d\n", crGetVersion(), read, written, size > 100, compiled, found, drawn, plotted);
  crDestroyModel(model);
  crDestroyScene(scene);
  return strcmp(crGetVersion(), CAROM_VERSION) != 0;
}
END
said_bounce='contact 1 at 0.451524 s, expected 0.451524 s'
said_whole="$version 0 0 1 0 -4 -2 -2" # cr_errorFile, cr_errorMisuse

# expect NAME HOW PROGRAM: what the program says, in its first line
expect() {
  said=$(LD_LIBRARY_PATH=$libraries "$3" | head -n 1)
  expected=$(eval "printf '%s' \"\$said_$1\"")
  if [ "$said" != "$expected" ]; then fail "by $2, $1 says '$said' instead of '$expected'"; fi
  echo "$kind, $1 by $2: $said"
}

if [ $kind = shared ]; then expect bounce add_subdirectory "$build/outer"; fi

# project NAME COMPONENTS TARGET: a CMake project for a program
project() {
  cat >"$work/$1/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project($1 LANGUAGES C)
find_package(carom ${version%.*} REQUIRED $2)
add_executable($1 main.c)
target_link_libraries($1 PRIVATE $3)
END
}

# by_cmake NAME
by_cmake() {
  quietly cmake -S "$work/$1" -B "$work/$1/build" -DCMAKE_PREFIX_PATH="$prefix"
  quietly cmake --build "$work/$1/build"
  expect "$1" find_package "$work/$1/build/$1"
}

# refused MESSAGE: the project bounce cannot be configured, and the message says why
refused() {
  if cmake -S "$work/bounce" -B "$work/refused" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1; then
    fail "find_package should have said: $1"
  fi
  tr -s '\n ' ' ' <"$work/log" | grep -qF "$1" || { cat "$work/log"; fail "find_package does not say: $1"; }
  rm -r "$work/refused"
}

# flags MODULE: those of pkg-config, with blanks escaped for a shell
flags() {
  if [ $kind = static ]; then pkg-config --static --cflags --libs "$1"; else pkg-config --cflags --libs "$1"; fi
}

# by_pkg_config NAME MODULE
by_pkg_config() {
  flags=$(flags "$2")
  quietly eval "$CC $CFLAGS -o \"\$work/$1/by_pkg_config\" \"\$work/$1/main.c\" $flags"
  expect "$1" pkg-config "$work/$1/by_pkg_config"
}

project bounce 'COMPONENTS none' carom::carom
refused 'Carom has no component none, only io and show'
if [ $kind = core ]; then
  project bounce 'COMPONENTS show' carom::carom
  refused 'Carom was installed without its part io'
elif [ $kind = static ]; then
  project bounce 'COMPONENTS io' carom::carom
  only_qhull refused 'its part io needs what was not found: lua5.4;jansson;expat;hdf5-serial;zlib'
fi

# Who needs the core alone needs no library of carom_io and carom_show to be installed.
project bounce '' carom::carom
only_qhull by_cmake bounce
only_qhull by_pkg_config bounce carom
if [ $kind = core ]; then
  for header in io result sweep fit show plot report; do
    if [ -e "$prefix/include/carom/$header.h" ]; then fail "carom/$header.h was installed without its library"; fi
  done
else
  project whole 'COMPONENTS io show' 'carom::show carom::io'
  by_cmake whole
  by_pkg_config whole carom_show
  "$prefix/bin/carom" --version >/dev/null || fail 'the tool does not run from where it was installed'
fi

# ---------------------------------------------------------------------------------------- what was linked

# needs PROGRAM: the libraries that are loaded with it, one a line, without versions
needs() {
  LD_LIBRARY_PATH=$libraries ldd "$1" | sed -E 's,^[[:space:]]*,,; s,[[:space:]].*,,; s,.*/,,; s,\.so.*,,' | LC_ALL=C sort -u
}

if [ $plain = yes ]; then
  for program in "$work/bounce/build/bounce" "$work/bounce/by_pkg_config"; do
    loaded=$(needs "$program")
    if foreign=$(printf '%s\n' "$loaded" | grep -E '^lib(lua|jansson|expat|hdf5|cairo|z$|carom_)'); then
      fail "bounce needs the core alone, and is linked with:" $foreign
    fi
    if [ $kind = core ]; then
      loaded=$(printf '%s\n' "$loaded" | grep -vE '^(ld-linux.*|linux-vdso|libc|libm|libpthread)$' | tr '\n' ' ')
      if [ "$loaded" != 'libcarom libqhull_r ' ]; then fail "bounce needs more than libc and qhull: $loaded"; fi
    fi
  done
fi

if [ $kind = static ]; then
  # A shared object can be made of them, and exports none of their names.
  flags=$(flags carom_show)
  quietly eval "$CC $CFLAGS -shared -o \"\$work/module.so\" -Wl,-z,text -Wl,--whole-archive \"\$libraries\"/libcarom*.a \
    -Wl,--no-whole-archive $flags"
  if [ $plain = yes ] && nm -D --defined-only "$work/module.so" | grep -E ' cr'; then
    fail 'a module that is linked with the static libraries exports their names'
  fi
else
  for library in "$libraries"/libcarom*.so; do
    soname=$(basename "$library").${version%.*}
    readelf -d "$library" | grep -qF "soname: [$soname]" || fail "$library has not the soname $soname"
    names=$(nm -D --defined-only "$library" | sed 's/.* //')
    printf '%s\n' "$names" | grep -q '^cr' || fail "$library exports nothing"
    if [ $plain = yes ] && others=$(printf '%s\n' "$names" | grep -v '^cr'); then
      fail "$library exports what does not begin with cr:" $others
    fi
  done
fi
