#!/bin/sh
# Runs every benchmark of the release build, one after the other: the programs bench_NAME, anywhere in build/. Then the
# table of targets (bench/targets.c) from the numbers that they left in build/bench_results.txt. A program that fails or
# a target that is missed does not keep the others from running; the exit code tells at the end.
#
# usage: scripts/bench.sh [--quick] [NAME...]     --quick: small sizes only, no table; NAME: only programs bench_NAME*
set -eu
cd "$(dirname "$0")/.."

quick=
if [ "${1:-}" = --quick ]; then
  quick=--quick
  shift
fi
BENCH_RESULTS=$PWD/build/bench_results.txt
export BENCH_RESULTS
rm -f "$BENCH_RESULTS"

wanted() {
  program=$1
  shift
  [ $# -eq 0 ] && return 0
  for name in "$@"; do
    case ${program##*/bench_} in "$name"*) return 0 ;; esac
  done
  return 1
}

failed=' there is none'
for program in $(find build -name 'bench_*' -type f -perm -u+x ! -path '*/CMakeFiles/*' ! -name '*.a' | LC_ALL=C sort); do
  wanted "$program" "$@" || continue
  failed=${failed# there is none}
  echo "== ${program##*/}"
  option=
  case ${program##*/} in bench_suite | bench_racks | bench_mechanisms | bench_scale | bench_rest | bench_flat | bench_stick | bench_impacts | bench_crowd | bench_mixed* | bench_pile*) option=$quick ;; esac
  "$program" $option || failed="$failed ${program##*/}"
done
if [ -z "$quick" ] && [ $# -eq 0 ]; then
  echo "== targets"
  build/bench/targets "$BENCH_RESULTS" || failed="$failed targets"
fi
if [ -n "$failed" ]; then
  echo "bench: failed:$failed" >&2
  exit 1
fi
