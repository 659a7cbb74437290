#!/bin/sh
# No object file of the core, nor of the Lua front end, may call an elementary function of the C library: its last bits
# depend on the machine. base/elementary.h has our own. Names each object that does, with the function.
#
# usage: scripts/check_elementary.sh BUILD_FOLDER
set -eu
objects=$1/CMakeFiles/carom.dir/src

# Beside double, float and long double (sinf, sinl), and what compilers make of sin and cos of one angle.
functions='sin|cos|sincos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|exp10|expm1|log|log2|log10|log1p'
functions="$functions|pow|pow10|cbrt|hypot|erf|erfc|gamma|lgamma|tgamma|j0|j1|y0|y1|cexp|clog|cpow|cabs"

# What the other files of text print and those of show draw stays there.
files=$(find "$objects" -name '*.o' ! -path '*/text/*' ! -path '*/show/*'; find "$objects/text" -name 'lua_*.o')
count=$(printf '%s\n' "$files" | wc -l)
if [ "$count" -lt 100 ]; then
  echo "check_elementary: only $count object files under $objects" >&2
  exit 1
fi
found=$(printf '%s\n' "$files" | LC_ALL=C sort | tr '\n' '\0' | xargs -0 nm -uA |
  sed -nE "s,^$objects/(.*): +U (__)?(($functions)[fl]?)(_finite)?(@.*)?\$,\1: calls \3 of the C library,p")
if [ -n "$found" ]; then
  printf '%s\n' "$found"
  exit 1
fi
