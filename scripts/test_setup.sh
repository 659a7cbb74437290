#!/bin/sh
# Tests scripts/setup.sh on machines made of stubs: dpkg-query, apt-get, id and sudo are scripts that write down how
# they were called.
#
# usage: scripts/test_setup.sh
set -eu
unset CAROM_NO_BROWSER # whoever runs this may have set it
setup=$(cd "$(dirname "$0")" && pwd -P)/setup.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

all='gcc g++ libc6-dev cmake ninja-build pkgconf liblua5.4-dev libjansson-dev libexpat1-dev libqhull-dev libsundials-dev
  libsuitesparse-dev libhdf5-dev zlib1g-dev hdf5-tools libcairo2-dev libcmocka-dev libmpfr-dev locales libopenmpi-dev openmpi-bin libnlopt-dev'

# stub NAME BODY
stub() {
  printf '#!/bin/sh\necho "%s $*" >>"$CALLS"\n%s\n' "$1" "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# machine UID PACKAGE...: root with apt and these packages; take stubs away or change them afterwards.
machine() {
  rm -rf "${work:?}/bin"
  mkdir "$work/bin"
  for tool in sh env tr tail mktemp rm dirname; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
  stub id "echo $1"
  shift
  stub dpkg-query "for package in $*; do echo \"ii  \$package\"; done; echo 'un  libnothing'; exit 1"
  stub apt-get ''
}

# run ARGUMENT...: leaves $status, $work/out, $work/calls
run() {
  status=0
  : >"$work/calls"
  CALLS="$work/calls" PATH="$work/bin" sh "$setup" "$@" >"$work/out" 2>&1 </dev/null || status=$?
}

# check NAME COMMAND...
check() {
  name=$1
  shift
  if "$@"; then echo "ok      $name"; else
    echo "FAILED  $name; status $status, calls and output:"
    cat "$work/calls" "$work/out"
    failed=1
  fi
}
silent() { [ "$status" = 0 ] && [ ! -s "$work/out" ]; }
fails_saying() { [ "$status" != 0 ] && grep -q "$1" "$work/out"; }
calls() { grep -q "$1" "$work/calls"; }
calls_no_apt() { ! grep -q '^apt-get\|^sudo' "$work/calls"; }

machine 1000 $all
run
check 'all there: silent' silent
check 'all there: apt is not called' calls_no_apt
check 'all there: dpkg-query is called once' [ "$(grep -c ^dpkg-query "$work/calls")" = 1 ]
run lint
check 'another group: missing' fails_saying 'missing: clang-format clang-tidy cppcheck'

machine 0 gcc g++ libc6-dev cmake pkgconf liblua5.4-dev libexpat1-dev libqhull-dev libsundials-dev libsuitesparse-dev libhdf5-dev \
  zlib1g-dev hdf5-tools libcairo2-dev libcmocka-dev libmpfr-dev locales libopenmpi-dev openmpi-bin libnlopt-dev
run
check 'root: says in one line what it installs' [ "$(cat "$work/out")" = 'setup: installing ninja-build libjansson-dev' ]
check 'root: updates first' calls '^apt-get .* update$'
check 'root: installs what is missing, no more' calls '^apt-get .*install --no-install-recommends ninja-build libjansson-dev$'
check 'root: succeeds' [ "$status" = 0 ]
stub apt-get 'case $* in *update*) exit 1 ;; esac'
run
check 'a failed update alone is no failure' [ "$status" = 0 ]
stub apt-get 'echo E: no network; exit 100'
run
check 'apt fails: says so' fails_saying 'apt-get could not install: ninja-build'
check 'apt fails: shows why' fails_saying 'E: no network'

machine 1000 gcc
run
check 'neither root nor sudo: says what to do' fails_saying 'as root: apt-get install --no-install-recommends g++ '
check 'neither root nor sudo: apt is not called' calls_no_apt
stub sudo 'if [ "$1" = -n ]; then shift; fi; exec "$@"'
run
check 'sudo: used' calls '^sudo -n env DEBIAN_FRONTEND=noninteractive apt-get .*install'
check 'sudo: succeeds' [ "$status" = 0 ]

machine 0 gcc
rm "$work/bin/apt-get" "$work/bin/dpkg-query"
run
check 'no Debian: lists the packages' fails_saying 'gcc g++ cmake pkg-config liblua5.4-dev'
for tool in gcc g++ cmake pkg-config h5dump; do stub $tool ''; done
run
check 'no Debian, but all is there: silent' silent

machine 0 $all
run build python
check "python: Debian's own packages" calls '^apt-get .*install --no-install-recommends .*python3-numpy python3-scipy python3-pytest '

machine 0 $all fonts-liberation
run build viewer
check 'viewer: asks for a browser and Node.js' calls '^apt-get .*install --no-install-recommends chromium nodejs npm$'
for tool in chromium node npm; do stub $tool ''; done
run build viewer
check 'viewer: programs from elsewhere are good enough' silent
rm "$work/bin/chromium"
CAROM_NO_BROWSER=1 run build viewer
check 'viewer: nothing is installed where no browser is wanted' silent

run nonsense
check 'unknown group: says which there are' fails_saying 'groups are build, python, lint, fuzz'
exit $failed
