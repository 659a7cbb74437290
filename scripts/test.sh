#!/bin/sh
# Runs every test of a built preset and closes with the number of cases that passed and failed.
#
# usage: scripts/test.sh PRESET     JOBS=N: tests at a time
#
# A case is one cmocka test, or one of pytest; a program that reports no cases, or ends before its summary, counts as one.
set -eu
cd "$(dirname "$0")/.."
folder=build-$1
if [ "$1" = release ]; then folder=build; fi

status=0
ctest --preset "$1" --parallel "${JOBS:-$(nproc)}" || status=$?

awk -v status=$status '
  /^Output:$/ { passedHere = failedHere = 0 }
  /^\[  PASSED  \] [0-9]+ test\(s\)\.$/ { passedHere += $4 }
  /^([0-9]+ [a-z]+, )*[0-9]+ (passed|failed|skipped|warning|warnings|error|errors)(, [0-9]+ [a-z]+)* in [0-9.]+s/ {
    for (i = 1; i < NF; ++i) {
      if ($(i + 1) ~ /^passed/) passedHere += $i
      if ($(i + 1) ~ /^(failed|error)/) failedHere += $i
    }
  }
  /^\[  FAILED  \] [0-9]+ test\(s\), listed below:$/ { failedHere += $4 }
  /^Test Passed\.$/ { passed += passedHere > 0 ? passedHere : 1 }
  /^Test Failed\.$/ {
    passed += passedHere
    failed += failedHere > 0 ? failedHere : 1
  }
  END {
    if (status != 0 && failed == 0) failed = 1
    printf "%d passed, %d failed\n", passed, failed
  }
' "$folder/Testing/Temporary/LastTest.log"
exit $status
