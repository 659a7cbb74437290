#!/bin/sh
# Every public header compiles alone, and included twice, as C17 and as C++17, without a warning.
#
# usage: scripts/check_headers.sh     CC, CXX: the compilers, gcc and g++ unless given
set -eu
cd "$(dirname "$0")/.."

failed=0
# compile COMPILER LANGUAGE STANDARD HEADER
compile() {
  printf '#include "%s"\n#include "%s"\n' "$4" "$4" |
    $1 -x "$2" -std="$3" -Iinclude -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wshadow -Werror \
      -fsyntax-only - ||
    { echo "check_headers: $4 does not compile alone as $3" >&2; failed=1; }
}

for header in include/carom/*.h; do
  header=${header#include/}
  compile "${CC:-gcc}" c c17 "$header"
  compile "${CXX:-g++}" c++ c++17 "$header"
done
exit $failed
