#!/bin/sh
# The hash of all sources that wasm/carom.wasm.gz is built of, but those of others.
#
# usage: scripts/wasm_hash.sh
set -eu
cd "$(dirname "$0")/.."
find include src wasm cmake/libraries.cmake -name '*.[ch]' -o -name CMakeLists.txt -o -name libraries.cmake | LC_ALL=C sort |
  grep -v -e '^src/sweep/' -e '^src/result/' -e '^src/fmu/' -e '^src/external/' |
  xargs sha256sum | sha256sum | cut -d ' ' -f 1
