#!/bin/sh
# Runs every benchmark of the release build, one after the other: bench/bench_NAME.c is build/bench/bench_NAME.
#
# usage: scripts/bench.sh
set -eu
cd "$(dirname "$0")/.."

count=0
failed=
for program in build/bench/bench_*; do
  [ -f "$program" ] && [ -x "$program" ] || continue
  count=$((count + 1))
  echo "== ${program##*/}"
  "$program" || failed="$failed ${program##*/}"
done
[ $count -gt 0 ] || failed=' (there is none)'
if [ -n "$failed" ]; then
  echo "bench: failed:$failed" >&2
  exit 1
fi
