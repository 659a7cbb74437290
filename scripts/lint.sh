#!/bin/sh
# Format, clang-tidy, cppcheck, layers, names in documents: everything that reads the code without running it. The release build must be
# configured (build/compile_commands.json). Goes through all checks and fails if any did.
#
# usage: scripts/lint.sh          check
#        scripts/lint.sh format   bring the format in order instead
set -eu
cd "$(dirname "$0")/.."
failed=

# step NAME COMMAND...
step() {
  name=$1
  shift
  echo "lint: $name"
  "$@" || failed="$failed $name"
}

# Files of the given pattern in those of the given folders that exist.
files() {
  pattern=$1
  shift
  for folder in "$@"; do
    if [ -d "$folder" ]; then find "$folder" -name "$pattern" -print0; fi
  done
}

format() {
  files '*.[ch]' include src cli test bench fuzz examples | xargs -0 -r clang-format "$@"
}

# One file at a time: in a second one of the same call, clang-tidy 14 takes every va_list for uninitialized.
tidy() {
  files '*.c' src cli | xargs -0 -r -n 1 -P "${JOBS:-2}" clang-tidy -p build --quiet 2>/dev/null
}

# cppcheck does not look into the headers of other libraries, so it misses variables that their macros set; clang-tidy
# looks for uninitialized ones.
check() {
  set --
  for folder in src cli; do
    if [ -d $folder ]; then set -- "$@" $folder; fi
  done
  cppcheck -q -j "${JOBS:-2}" --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
    --suppress=missingIncludeSystem --suppress=uninitvar --suppress=ctuuninitvar -I include -I src "$@"
}

case ${1:-} in
  '') ;;
  format)
    format -i
    exit
    ;;
  *)
    echo 'usage: scripts/lint.sh [format]' >&2
    exit 2
    ;;
esac
step format format --dry-run -Werror
step clang-tidy tidy
step cppcheck check
step layers scripts/check_layers.sh
step names scripts/check_names.sh
if [ -n "$failed" ]; then
  echo "lint: failed:$failed" >&2
  exit 1
fi
echo 'lint: clean'
