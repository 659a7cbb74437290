#!/bin/sh
# Runs carom.exe (make windows) under Wine, and compares what it says and writes with the tool of this system, byte by
# byte: distances, rows of runs, messages. What that build does not have, it must say in a sentence.
#
# usage: scripts/test_windows.sh TOOL
#
# Status 77: skipped, and why is said: where there is no Wine, no carom.exe, or one that is older than the sources.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd -P)
tool=$(cd "$(dirname "$1")" && pwd -P)/$(basename "$1")
program=$root/build-windows/carom.exe

skip() {
  echo "SKIPPED: $1"
  exit 77
}
command -v wine >/dev/null || skip "there is no wine here (scripts/setup.sh windows)"
[ -f "$program" ] || skip "build-windows/carom.exe is not there: make windows builds it"
if [ -n "$(find src cli include cmake -name '*.[chi]*' -newer "$program" | head -n 1)" ]; then
  skip "build-windows/carom.exe is older than the sources: make windows builds it anew"
fi

# A Windows of its own, kept for the next time; its server ends with the test.
export WINEPREFIX="$root/build-windows/wine" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
unset DISPLAY
work=$(mktemp -d)
failed=0
trap 'wineserver -k >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
if [ ! -d "$WINEPREFIX" ]; then wineboot --init >/dev/null 2>&1 || true; fi

carom_exe() {
  wine "$program" "$@"
}
verdict() {
  if [ "$1" = 0 ]; then echo "ok      $2"; else
    echo "FAILED  $2"
    failed=1
  fi
}
# same NAME FILE FILE
same() {
  status=0
  cmp -s "$2" "$3" && [ -s "$2" ] || status=1
  verdict $status "$1"
  if [ $status != 0 ]; then diff "$2" "$3" 2>&1 | head -n 4 | cut -c 1-200; fi
}
# says NAME TEXT ARGUMENT...: it fails, with this text
says() {
  name=$1
  text=$2
  shift 2
  status=0
  carom_exe "$@" >"$work/said" 2>&1 </dev/null && status=1
  grep -qF "$text" "$work/said" || status=1
  verdict $status "$name"
  if [ $status != 0 ]; then head -n 4 "$work/said"; fi
}

# ---------------------------------------------------------------------------------------- distances

# All pairs of eight shapes, each in eight poses, from near to overlapping; lines that are wrong among them.
awk 'BEGIN {
  count = split("{\"type\":\"sphere\",\"radius\":0.7}|{\"type\":\"box\",\"size\":[1,0.6,0.4]}|{\"type\":\"capsule\",\"radius\":0.3,\"length\":0.9}|{\"type\":\"cylinder\",\"radius\":0.4,\"length\":1.1}|{\"type\":\"cone\",\"radius\":0.5,\"length\":1.2}|{\"type\":\"ellipsoid\",\"radii\":[0.5,0.35,0.8]}|{\"type\":\"hull\",\"points\":[[0,0,0],[1,0,0.1],[0.2,1,0],[0.1,0.3,1],[0.8,0.7,0.6]]}|{\"type\":\"box\",\"size\":[1,1,1],\"rounding\":0.05}", shape, "|")
  seed = 1
  for (a = 1; a <= count; ++a) for (b = a; b <= count; ++b) for (k = 1; k <= 8; ++k)
    printf "{\"a\": {\"shape\": %s, \"pose\": %s}, \"b\": {\"shape\": %s, \"pose\": %s}}\n", shape[a], pose(0.3), shape[b], pose(0.25 * k)
  print "{\"a\": {\"shape\": {\"type\":\"sphere\",\"radius\":-1}, \"pose\": {}}, \"b\": {}}"
  print "no JSON"
}
function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 - 0.5 }
function pose(far) {
  return sprintf("{\"position\":[%.17g,%.17g,%.17g],\"quaternion\":[%.17g,%.17g,%.17g,%.17g]}", far * random(), far * random(), far * random() + far / 2, random() + 1, random(), random(), random())
}' >"$work/queries"
"$tool" distance <"$work/queries" >"$work/here" 2>&1 || true
carom_exe distance <"$work/queries" >"$work/there" 2>"$work/noise" || true
same "distances of $(wc -l <"$work/queries") pairs have the digits of this system" "$work/here" "$work/there"

# -------------------------------------------------------------------------------------------- runs

# rows MODEL [OPTION...]
rows() {
  model=$1
  shift
  rm -rf "$work/here.run" "$work/there.run"
  "$tool" run "examples/$model.lua" --quiet --no-report --out "$work/here.run" "$@"
  "$tool" convert "$work/here.run" "$work/here.csv"
  carom_exe run "examples/$model.lua" --quiet --no-report --out "$work/there.run" "$@" >"$work/noise" 2>&1 ||
    cat "$work/noise"
  same "rows of $model $* have the bits of this system" "$work/here.csv" "$work/there.run/result.csv"
}
rows pendulum
rows pendulum --tol 1e-11
rows double_pendulum
rows four_bar
rows billiards --stop 2
rows billiards --stop 2 --threads 2

# paths: with '\' and a drive, with letters beyond ASCII, with parts beside the model
mkdir "$work/größe"
cp examples/pendulum.lua "$work/größe/teil.lua"
echo 'include("teil.lua")' >"$work/größe/modell.lua"
carom_exe run "Z:$(printf '%s' "$work/größe/modell.lua" | tr / '\\')" --quiet --out "$work/größe/lauf" >"$work/noise" 2>&1 ||
  cat "$work/noise"
"$tool" run "$work/größe/modell.lua" --quiet --no-report --out "$work/here.run"
"$tool" convert "$work/here.run" "$work/here.csv"
same "a model at a path of Windows, with a part beside it" "$work/here.csv" "$work/größe/lauf/result.csv"
status=0
grep -q '<html' "$work/größe/lauf/report.html" && grep -q '"exit": *"ok"' "$work/größe/lauf/run.json" || status=1
verdict $status "its report and run.json"
status=0
if ls -A "$work/größe/lauf" | grep -qE 'tmp|lock'; then status=1; fi
verdict $status "nothing else is left in its folder"

# ---------------------------------------------------------------------------------------- messages

cd "$work"
echo 'sphere("ball", { radius = -1 })' >wrong.lua
"$tool" check wrong.lua >here 2>here.messages || true
carom_exe check wrong.lua >there 2>noise || true
grep -v 'wine\|^multiarch\|^execute\|^apt-get' noise >there.messages || true # Wine has its own
same "what is said about a wrong model" here there
same "messages about a wrong model" here.messages there.messages
printf 'first line\n' >old.json
"$tool" convert "$root/examples/pendulum.lua" here.json
carom_exe convert "$root/examples/pendulum.lua" old.json >noise 2>&1 || cat noise
same "a file is replaced by a whole one" here.json old.json

# prints NAME ARGUMENT...: the same
prints() {
  name=$1
  shift
  "$tool" "$@" >here 2>/dev/null
  carom_exe "$@" >there 2>noise || cat noise
  same "$name" here there
}
prints "a linear model" linearize "$root/examples/pendulum.lua"
prints "a robot as a model" convert "$root/examples/robots/six_axis.urdf" - --ignore-missing
prints "what is known of a model" info "$root/examples/billiards.lua" --json
prints "a fit, whose pictures are missing" fit "$root/examples/sweeps/swing.lua" --out fitted
status=0
grep -q 'has no cairo: the fit has numbers and no pictures' noise && [ -s fitted/fit.html ] || status=1
verdict $status "which it says"
"$tool" play "$root/examples/pendulum.lua" -o here.html >/dev/null
carom_exe play "$root/examples/pendulum.lua" -o there.html >noise 2>&1 || cat noise
same "a play page" here.html there.html

# --------------------------------------------------------------------------------- what is not there

cp "$root/examples/pendulum.lua" .
says "result files" "has no HDF5: it neither writes nor reads result files" info there.run/result.h5
says "checkpoints" "has no HDF5, which checkpoints need" run pendulum.lua --checkpoint 1
says "pages while a run goes on" "serves no pages" view --live pendulum.lua
says "sweeps" "has no HDF5, which keeps the rows of sweeps" sweep "$root/examples/sweeps/map.lua" --out swept
says "solvers of SUNDIALS" "SUNDIALS" run pendulum.lua --solver ida
says "FMUs" "FMU" fmu pendulum.lua -o pendulum.fmu
exit $failed
