#!/bin/sh
# Checks that viewer/dist/report.html is what viewer/src gives, and tests it in headless Chromium.
#
# usage: scripts/test_viewer.sh [PART OF A TEST'S NAME...]
#
# The packages come from the npm registry, at the versions and with the hashes of viewer/package-lock.json. CAROM_NO_BROWSER=1
# skips all this, with status 77.
set -eu
cd "$(dirname "$0")/../viewer"

if [ "${CAROM_NO_BROWSER:-}" = 1 ]; then
  echo "SKIPPED: the tests of the report page, since CAROM_NO_BROWSER=1"
  exit 77
fi
for tool in node npm; do
  command -v $tool >/dev/null || {
    echo "$tool is missing: run scripts/setup.sh viewer, or set CAROM_NO_BROWSER=1 to skip the tests of the report page" >&2
    exit 1
  }
done
# npm leaves a copy of the lock file behind: younger than ours, the packages are the right ones.
if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
  npm ci --no-audit --no-fund --loglevel=error
fi
node build.mjs --check
node test/run.mjs "$@"
