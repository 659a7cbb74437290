#!/bin/sh
# Installs the packages of build-deb in a clean Debian, a folder of its own that chroot enters, and runs what they hold:
# the tool, its manual pages and completions, a C program built against the libraries, the Python package.
#
# usage: scripts/check_deb.sh [FOLDER OF PACKAGES]          needs root and the network; 77: mmdebstrap is not here
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
packages=$(cd "${1:-$root/build-deb}" && pwd -P)
if ! command -v mmdebstrap >/dev/null 2>&1; then
  echo 'check_deb: mmdebstrap is not here: skipped'
  exit 77
fi
ls "$packages"/*.deb >/dev/null
. /etc/os-release
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
clean=$work/clean

fail() {
  echo "check_deb: $*" >&2
  exit 1
}

# The distribution's own archive, as this machine names it.
sources=$work/sources
if [ -f /etc/apt/sources.list.d/debian.sources ]; then
  cp /etc/apt/sources.list.d/debian.sources "$sources"
else
  cp /etc/apt/sources.list "$sources"
fi
if ! mmdebstrap --variant=apt --include=man-db,gcc,libc6-dev,pkgconf --quiet \
  --customize-hook="mkdir -p '$clean/packages'" --customize-hook="cp '$packages'/*.deb '$clean/packages'" \
  --customize-hook="chroot '$clean' sh -c 'env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends /packages/*.deb'" \
  "$VERSION_CODENAME" "$clean" "$sources" >"$work/log" 2>&1; then
  tail -n 30 "$work/log" >&2
  fail 'the packages cannot be installed'
fi
echo 'installed in a clean Debian'
mkdir "$clean/try"
cp "$root/examples/pendulum.lua" "$root/examples/billiards.lua" "$root/examples/c/bounce.c" "$clean/try"

# try COMMAND EXPECTED: what a command in the clean system says has this in it
try() {
  said=$(chroot "$clean" /bin/sh -c "cd /try && LC_ALL=C.UTF-8 $1" 2>&1) || fail "$1 failed: $said"
  case $said in *"$2"*) echo "ok  $1" ;; *) fail "$1 says '$said', not '$2'" ;; esac
}

try 'carom --version' carom
try 'carom new first.lua && carom run first.lua --quiet && ls first.run' report.html
try 'carom run billiards.lua --quiet --threads 2 && carom info billiards.run' ok
try 'carom check pendulum.lua' 'ok, 0 errors'
# a minimal system may leave manual pages out when it installs; where they are, they must be drawn
try 'ls /usr/share/man/man1/carom-run.1.gz && man carom-run | head -n 20' 'simulate a model'
try "bash -c '. /usr/share/bash-completion/completions/carom && complete -p carom'" _carom
try 'ls /usr/share/zsh/vendor-completions/_carom /usr/share/fish/vendor_completions.d/carom.fish /usr/share/carom/lua/carom.d.lua' carom.d.lua
try 'gcc bounce.c -o bounce $(pkg-config --cflags --libs carom) && ./bounce' 'contact 1 at 0.451524 s'
try "python3 -c \"import carom; r = carom.load('pendulum.lua').run(stop=1); print('rows', len(r.time))\"" rows
try 'env DEBIAN_FRONTEND=noninteractive apt-get -q -y purge carom libcarom0 libcarom-dev python3-carom >/dev/null; ls /usr/lib/*/libcarom* /usr/bin/carom 2>&1 || true' 'No such file'
echo '10 passed, 0 failed'
