#!/bin/sh
# Counts the instructions that short runs of scenes take, under valgrind's callgrind, and compares them with
# bench/counts.txt: a change for the worse shows on a machine whose times are noise.
#
# usage: scripts/counts.sh [--write]     --write: takes the counts of now as those to compare with
#
# A count that has grown by more than 3 % fails. Another compiler makes other counts: then they are only shown.
set -eu
cd "$(dirname "$0")/.."
table=bench/counts.txt
folder=build-counts

# For no machine in particular: callgrind does not know all instructions of new ones.
TARGET=count scripts/build.sh counts
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' $folder/CMakeCache.txt)
made_by="$("$compiler" -dumpfullversion -dumpversion | head -n 1) on $(uname -m)"

count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=crSimulation_Advance \
    $folder/bench/count "$1" "$2" 2>&1 | sed -n 's/.*Collected : //p'
}

if [ "${1:-}" = --write ]; then
  {
    sed -n '/^#/!q;/^# compiler/!p' $table
    echo "# compiler $made_by"
    grep -v '^#' $table | while read -r scene stop _; do echo "$scene $stop $(count "$scene" "$stop")"; done
  } >$folder/counts.txt
  cp $folder/counts.txt $table
  cat $table
  exit
fi

same=yes
if ! grep -qx "# compiler $made_by" $table; then
  same=no
  echo "counts: $table is of another compiler, this one is $made_by: nothing fails"
fi
printf '%-14s %6s %14s %14s %8s\n' scene '[s]' instructions before change
grep -v '^#' $table | {
  failed=
  while read -r scene stop before; do
    now=$(count "$scene" "$stop")
    if [ "${now:-0}" = 0 ]; then # it ended before it moved
      echo "$scene fails"
      failed="$failed $scene"
      continue
    fi
    printf '%-14s %6s %14s %14s %7s%%\n' "$scene" "$stop" "$now" "$before" \
      "$(awk "BEGIN { printf \"%+.1f\", 100 * ($now / $before - 1) }")"
    if [ $same = yes ] && awk "BEGIN { exit !($now > 1.03 * $before) }"; then failed="$failed $scene"; fi
  done
  if [ -n "$failed" ]; then
    echo "counts: more than 3 % above $table:$failed" >&2
    echo "counts: if that is meant: scripts/counts.sh --write" >&2
    exit 1
  fi
}
