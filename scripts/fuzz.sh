#!/bin/sh
# Runs every fuzz harness of the fuzz build for a while, two at a time; a crash, a leak, a hang or a memory glutton
# fails.
#
# usage: scripts/fuzz.sh     FUZZ_SECONDS=N: time for each harness [s], 300 unless given; FUZZ_JOBS=N: at a time, 2
#                            FUZZ_RUNS=N: at most this many inputs each
#
# The harness fuzz_NAME, anywhere in build-fuzz/, starts from fuzz/corpus/NAME and grows a copy of it in build-fuzz/corpus/NAME;
# inputs that break it are kept in build-fuzz/findings/, its output in build-fuzz/NAME.log.
set -eu
cd "$(dirname "$0")/.."
export FUZZ_SECONDS="${FUZZ_SECONDS:-300}"
export LSAN_OPTIONS=print_suppressions=0:suppressions=test/leaks.supp # what other libraries never free
export ASAN_OPTIONS="${ASAN_OPTIONS:-quarantine_size_mb=64}" # more is cleared anew for each input

if [ "${1:-}" = --one ]; then # below: one harness
  program=$2
  name=${program##*/fuzz_}
  mkdir -p "build-fuzz/corpus/$name" build-fuzz/findings
  if [ -d "fuzz/corpus/$name" ]; then cp -R "fuzz/corpus/$name/." "build-fuzz/corpus/$name/"; fi
  set -- # options
  if [ -f "fuzz/$name.dict" ]; then set -- -dict="fuzz/$name.dict"; fi
  case $name in
    checkpoint | result | shard) set -- "$@" -max_len=64 ;; # eight changes of a genuine file
  esac
  if [ -n "${FUZZ_RUNS:-}" ]; then set -- "$@" -runs="$FUZZ_RUNS"; fi
  if "$program" -max_total_time="$FUZZ_SECONDS" -timeout=100 -rss_limit_mb=4096 -print_final_stats=1 "$@" \
    -artifact_prefix="build-fuzz/findings/$name-" "build-fuzz/corpus/$name" >"build-fuzz/$name.log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build-fuzz/$name.log")
    echo "fuzz: $name clean, $runs runs"
  else
    tail -n 40 "build-fuzz/$name.log" >&2
    echo "fuzz: $name FAILED, see build-fuzz/$name.log and build-fuzz/findings/" >&2
    exit 1
  fi
  exit 0
fi

harnesses=$(find build-fuzz -name 'fuzz_*' -type f -perm -u+x ! -path '*/CMakeFiles/*' | LC_ALL=C sort)
if [ -z "$harnesses" ]; then
  echo 'fuzz: no harness was built' >&2
  exit 1
fi
echo "fuzz: $(printf '%s\n' "$harnesses" | wc -l) harnesses, $FUZZ_SECONDS s each"
printf '%s\n' "$harnesses" | xargs -n 1 -P "${FUZZ_JOBS:-2}" sh scripts/fuzz.sh --one
