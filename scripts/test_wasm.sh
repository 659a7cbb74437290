#!/bin/sh
# Tests the simulator of play pages, wasm/carom.wasm.gz, in Node.
#
# usage: scripts/test_wasm.sh fresh | rows TOOL | session TOOL | build
#
# fresh    is the module built of the sources as they are? It goes stale with every change of a source, and is built anew
#          before a release (make wasm), so that this fails only with CAROM_RELEASE=1
# rows     all examples by the tool and by the module: the same bits
# session  sessions with pulls and inputs, done again by the tool: the same bits
# build    builds it once more and compares the bytes, where emscripten is installed
#
# Status 77: skipped, and why is said. A stale module is not compared: it is that of other sources.
set -eu
cd "$(dirname "$0")/.."
skip() {
  echo "SKIPPED: $1"
  exit 77
}
if [ "$(scripts/wasm_hash.sh)" != "$(cat wasm/sources.sha256)" ]; then
  message="wasm/carom.wasm.gz is older than the sources: make wasm builds it anew"
  if [ "$1" = fresh ] && [ "${CAROM_RELEASE:-}" = 1 ]; then
    echo "$message" >&2
    exit 1
  fi
  skip "$message"
fi
case $1 in
  fresh) echo "the module is that of the sources" ;;
  rows | session)
    command -v node >/dev/null || skip "there is no node here"
    node "wasm/test_$1.mjs" "$2"
    ;;
  build)
    command -v emcmake >/dev/null || skip "emscripten is not installed"
    command -v zopfli >/dev/null || skip "zopfli is not installed"
    [ -f .sources/complete ] || skip "the sources of Lua and others are not there (scripts/fmu_sources.sh)"
    nice scripts/wasm.sh build/carom.wasm.gz
    cmp build/carom.wasm.gz wasm/carom.wasm.gz
    ;;
  *) exit 2 ;;
esac
