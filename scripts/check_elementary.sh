#!/bin/sh
# No object file of the core, nor of the Lua front end, may call an elementary function of the C library: its last bits
# depend on the machine. base/elementary.h has our own. Names each object that does, with the function.
#
# usage: scripts/check_elementary.sh LIST     a file with the paths of the object files, one a line, of carom and carom_io
set -eu
list=$1

# Beside double, float and long double (sinf, sinl), and what compilers make of sin and cos of one angle.
functions='sin|cos|sincos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|exp10|expm1|log|log2|log10|log1p'
functions="$functions|pow|pow10|cbrt|hypot|erf|erfc|gamma|lgamma|tgamma|j0|j1|y0|y1|cexp|clog|cpow|cabs"

# What the other files of text print stays there.
files=$(grep -v '/src/text/' "$list"; grep '/src/text/lua_' "$list")
count=$(printf '%s\n' "$files" | wc -l)
if [ "$count" -lt 100 ]; then
  echo "check_elementary: only $count object files in $list" >&2
  exit 1
fi
objects=$(printf '%s\n' "$files" | LC_ALL=C sort | tr '\n' '\0' | xargs -0 nm -uA)
found=$(printf '%s\n' "$objects" |
  sed -nE "s,^.*/src/(.*): +U (__)?(($functions)[fl]?)(_finite)?(@.*)?\$,\1: calls \3 of the C library,p")
if [ -n "$found" ]; then
  printf '%s\n' "$found"
  exit 1
fi
