#!/bin/sh
# Pictures of the reports of all examples, in light, dark and phone size, side by side: to be looked at after a change of the page.
#
# usage: scripts/contact_sheet.sh [FOLDER [EXAMPLE...]]       FOLDER: build/sheet
#
# Needs build/carom (or CAROM_TOOL) and a Chromium.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build/sheet}
[ $# -eq 0 ] || shift
CAROM_TOOL=${CAROM_TOOL:-$root/build/carom} exec node "$root/viewer/test/sheet.mjs" "$folder" "$@"
