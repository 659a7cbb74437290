#!/bin/sh
# Looks for products and sums that the compiler made one operation of, although it was told not to: their bits differ from
# those of machines without. Sums beside differences are where that happens; fma() of the sources themselves is another thing.
#
# usage: scripts/check_fused.sh LIBRARY.a...
set -eu
found=$(objdump -d "$@" | awk '/file format/ { file = $1 } /vfm(addsub|subadd)/ { print file }' | sort -u)
if [ -n "$found" ]; then
  echo "check_fused: fused operations in" $found >&2
  exit 1
fi
