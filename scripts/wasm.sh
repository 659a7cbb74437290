#!/bin/sh
# Builds wasm/carom.wasm, the simulator of play pages, with emscripten and zopfli (Debian: both), and notes what it was built of.
#
# usage: scripts/wasm.sh [OUTPUT]
#
# The module is committed, so that building Carom does not need emscripten. With an OUTPUT that is written alone.
set -eu
cd "$(dirname "$0")/.."
output=${1:-wasm/carom.wasm.gz}
sh scripts/fmu_sources.sh
[ -f .sources/complete ] || exit 1
for tool in emcmake zopfli; do
  command -v "$tool" >/dev/null || {
    echo "wasm: $tool is missing (Debian: apt-get install emscripten zopfli)" >&2
    exit 1
  }
done
mkdir -p build/wasm
generator=$(command -v ninja >/dev/null && echo Ninja || echo "Unix Makefiles")
CMAKE_C_COMPILER_LAUNCHER= emcmake cmake -S wasm -B build/wasm -G "$generator" -DCMAKE_BUILD_TYPE=Release >build/wasm/log 2>&1 || {
  cat build/wasm/log >&2
  exit 1
}
cmake --build build/wasm
# emscripten does not tell what is undefined: what the loader does not have is missing
node -e '
  const module = new WebAssembly.Module(require("fs").readFileSync("build/wasm/carom.wasm"));
  const known = ["getTempRet0", "setTempRet0", "emscripten_notify_memory_growth", "__syscall_dup3"];
  const missing = WebAssembly.Module.imports(module).filter((one) => one.module === "env" && !known.includes(one.name));
  if (missing.length > 0) throw new Error(`undefined: ${missing.map((one) => one.name).join(", ")}`);
'
zopfli --i5 -c build/wasm/carom.wasm >"$output" # every page holds it: 5 % less than gzip -9
if [ $# -eq 0 ]; then
  for part in "Carom:LICENSE" "Lua:.sources/lua5.4/debian/copyright" "Jansson:.sources/jansson/LICENSE" \
    "Qhull:.sources/qhull/COPYING.txt" "Expat:.sources/expat/COPYING" "musl and emscripten:wasm/EMSCRIPTEN.txt"; do
    printf '==== %s\n\n' "${part%%:*}"
    cat "${part#*:}"
    printf '\n\n'
  done | tr '<' '(' | tr '>' ')' >wasm/LICENSES.txt
  scripts/wasm_hash.sh >wasm/sources.sha256
fi
