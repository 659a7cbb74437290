#!/bin/sh
# Every key like [Tarjan72] in the code and the documents stands in docs/references.md; names each that does not.
#
# usage: scripts/check_references.sh
set -eu
cd "$(dirname "$0")/.."

set -- README.md
for folder in include src cli test bench fuzz docs; do
  if [ -d $folder ]; then set -- "$@" $folder; fi
done
grep -rnoE '\[[A-Z][A-Za-z]+[0-9]{2}[a-z]?\]' --include='*.[ch]' --include='*.md' "$@" | awk -F: '
  FILENAME == "-" && $1 == "docs/references.md" { next }
  FILENAME == "-" && !($3 in known) { print $1 ":" $2 ": " $3 " is not in docs/references.md"; missing = 1 }
  FILENAME != "-" && match($0, /\*\*\[[A-Za-z0-9]+\]\*\*/) { known[substr($0, RSTART + 2, RLENGTH - 4)] = 1 }
  END { exit missing }
' docs/references.md -
