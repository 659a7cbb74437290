#!/bin/sh
# Runs every benchmark of the release build, one after the other: the programs bench_NAME, anywhere in build/.
#
# usage: scripts/bench.sh
set -eu
cd "$(dirname "$0")/.."

failed=' there is none'
for program in $(find build -name 'bench_*' -type f -perm -u+x ! -path '*/CMakeFiles/*' | LC_ALL=C sort); do
  failed=${failed# there is none}
  echo "== ${program##*/}"
  "$program" || failed="$failed ${program##*/}"
done
if [ -n "$failed" ]; then
  echo "bench: failed:$failed" >&2
  exit 1
fi
