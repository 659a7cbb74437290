#!/bin/sh
# Installs the Debian packages that Carom needs and this machine lacks.
#
# usage: scripts/setup.sh [build] [python] [lint] [fuzz] [coverage] [bench] [viewer] [cluster] [package] [windows] [wasm]   (none: build)
#
# python is what the tests of the Python package need, for Debian's own /usr/bin/python3.
# viewer is a browser and Node.js for the tests of the report's page; with CAROM_NO_BROWSER=1 it asks for nothing.
# package is what `make deb` and `make site` need, and the shells whose completions are tested.
# windows is what `make windows` needs, and Wine, by which its test runs the program; that is skipped where it is missing.
# wasm is what `make wasm` needs.
# cluster is Slurm, for a test of sweeps that starts one of its own; it is skipped where that is missing.
#
# When all are there it says nothing and calls nothing but dpkg-query. Otherwise it names what it installs and calls
# apt-get, through sudo unless root. Where there is no apt, it asks for the programs and libraries themselves.
set -eu
export LC_ALL=C

# group, package (a|b: either will do, a is installed), how to see it without dpkg: program or pkg-config module.
# cmd:PROGRAM: where there is such a program, from whatever source, the package is not asked for.
table='
build gcc                          gcc
build g++                          g++
build libc6-dev                    -
build cmake                        cmake
build ninja-build                  -
build pkg-config|pkgconf           pkg-config
build liblua5.4-dev                pc:lua5.4
build libjansson-dev               pc:jansson
build libexpat1-dev                pc:expat
build libqhull-dev                 pc:qhull_r
build libsundials-dev              -
build libsuitesparse-dev           -
build libhdf5-dev                  pc:hdf5-serial
build zlib1g-dev                   pc:zlib
build libzip-dev                   pc:libzip
build dpkg-dev                     -
build hdf5-tools                   h5dump
build libcairo2-dev                pc:cairo
build libcmocka-dev                pc:cmocka
build libmpfr-dev                  pc:mpfr
build locales                      -
build libopenmpi-dev               -
build openmpi-bin                  -
build libnlopt-dev                 -
cluster slurmctld                  slurmctld
cluster slurmd                     slurmd
cluster slurm-client               sbatch
cluster munge                      munged
package debhelper                   dh
package dh-python                   -
package lintian                     lintian
package fakeroot                    fakeroot
package mmdebstrap                  mmdebstrap
package cmark-gfm                   cmark-gfm
package man-db                      man
package zsh                         zsh
package fish                        fish
windows gcc-mingw-w64-x86-64-posix|gcc-mingw-w64-x86-64  x86_64-w64-mingw32-gcc
windows libz-mingw-w64-dev          -
windows wine                        wine
windows wine64                      -
wasm emscripten                    emcmake
wasm zopfli                        zopfli
python python3                     cmd:/usr/bin/python3
python python3-numpy               -
python python3-scipy               -
python python3-pytest              -
python python3-matplotlib          -
python python3-pandas              -
python python3-pip                 -
python python3-venv                -
python mypy                        -
lint  clang-format                 clang-format
lint  clang-tidy                   clang-tidy
lint  cppcheck                     cppcheck
fuzz  clang                        clang
fuzz  libclang-rt-dev|libclang-rt-14-dev  -
coverage clang                     clang
coverage libclang-rt-dev|libclang-rt-14-dev  -
coverage lld                       ld.lld
coverage llvm                      llvm-cov
bench libccd-dev                   pc:ccd
bench libfcl-dev                   pc:fcl
bench libeigen3-dev                pc:eigen3
bench libbullet-dev                pc:bullet-float64
bench libode-dev                   pc:ode
bench libmujoco-dev                -
bench libsimbody-dev               pc:simbody
bench libdart-dev                  pc:dart
bench valgrind                     valgrind
viewer chromium                    cmd:chromium
viewer nodejs                      cmd:node
viewer npm                         cmd:npm
viewer fonts-liberation|fonts-liberation2|fonts-dejavu-core  -
'

fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# The rows of the asked groups, as lines "package probe".
rows() {
  for group in "$@"; do
    if [ "$group" = viewer ] && [ "${CAROM_NO_BROWSER:-}" = 1 ]; then continue; fi
    case $group in
      build | python | lint | fuzz | coverage | bench | viewer | cluster | package | windows | wasm) printf '%s\n' "$table" | while read -r of package probe; do
        if [ "$of" = "$group" ]; then printf '%s %s\n' "$package" "$probe"; fi
      done ;;
      *) fail "unknown group '$group'; groups are build, python, lint, fuzz, coverage, bench, viewer, cluster, package, windows, wasm" ;;
    esac
  done
}

# The packages of the rows on stdin of which no alternative is in the list $1.
missing_in() {
  while read -r package probe; do
    found=no
    case $probe in cmd:*) if has "${probe#cmd:}"; then found=yes; fi ;; esac
    for alternative in $(printf '%s' "$package" | tr '|' ' '); do
      case " $1 " in *" $alternative "*) found=yes ;; esac
    done
    if [ $found = no ]; then printf '%s ' "${package%%|*}"; fi
  done
}

# The packages of the rows on stdin whose program or pkg-config module is not there.
missing_by_probe() {
  while read -r package probe; do
    case $probe in
      -) ;;
      pc:*) has pkg-config && pkg-config --exists "${probe#pc:}" || printf '%s ' "${package%%|*}" ;;
      *) has "${probe#cmd:}" || printf '%s ' "${package%%|*}" ;;
    esac
  done
}

install() {
  as_root=
  if [ "$(id -u)" != 0 ]; then
    has sudo || fail "these packages are missing: $*" \
      "neither root nor sudo here; as root: apt-get install --no-install-recommends $*"
    as_root=sudo
    if [ ! -t 0 ]; then as_root='sudo -n'; fi # no one there to type a password
  fi
  echo "setup: installing $*"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  # A failed update is no failure yet: the lists may be good enough.
  apt='env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300'
  $as_root $apt update </dev/null >"$log" 2>&1 || true
  if ! $as_root $apt install --no-install-recommends "$@" </dev/null >>"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "apt-get could not install: $*" "its last lines are above"
  fi
}

[ $# -gt 0 ] || set -- build
wanted=$(rows "$@") || exit 1
if has dpkg-query && has apt-get; then
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' \
    $(printf '%s\n' "$wanted" | while read -r package _; do printf '%s\n' "$package" | tr '|' ' '; done) \
    2>/dev/null | while read -r state package; do
      case $state in ?i*) printf '%s ' "$package" ;; esac
    done) || true
  missing=$(printf '%s\n' "$wanted" | missing_in "$installed")
  if [ -n "$missing" ]; then
    install $missing
  fi
else
  missing=$(printf '%s\n' "$wanted" | missing_by_probe)
  if [ -n "$missing" ]; then
    fail "no apt-get here; please install what these Debian packages hold: $missing"
  fi
fi
