#!/bin/sh
# Tests scripts/check_layers.sh on small trees, each with one breach.
#
# usage: scripts/test_layers.sh
set -eu
check=$(cd "$(dirname "$0")" && pwd -P)/check_layers.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# tree: a new tree in which every file may be included
tree() {
  rm -rf "$work/tree"
  for header in include/carom/base.h include/carom/scene.h include/carom/model.h include/carom/io.h \
    src/base/memory.h src/math/solve3.h src/geometry/shape.h src/solve/solver.h src/scene/scene.h \
    src/collide/distance/pair.h src/model/model.h src/model/compile/pass.h src/model/eval/force.h src/sim/run.h \
    src/text/lua.h cli/args.h; do
    mkdir -p "$work/tree/$(dirname $header)"
    echo '// a header' >"$work/tree/$header"
  done
}

# file PATH INCLUDE...: a file with these includes from its second line on
file() {
  path=$work/tree/$1
  shift
  mkdir -p "$(dirname "$path")"
  echo '// a file' >"$path"
  for include in "$@"; do echo "#include \"$include\"" >>"$path"; done
}

# clean NAME, says NAME TEXT: what the check must answer
report() {
  status=0
  found=$("$check" "$work/tree" 2>&1) || status=$?
}
verdict() {
  if [ "$1" = yes ]; then echo "ok      $2"; else
    echo "FAILED  $2; the check says, with status $status:"
    echo "$found"
    failed=1
  fi
}
clean() {
  report
  if [ $status = 0 ] && [ -z "$found" ]; then verdict yes "$1"; else verdict no "$1"; fi
}
says() {
  report
  case $found in *"$2"*) known=yes ;; *) known=no ;; esac
  if [ $status = 0 ] || [ "$(printf '%s\n' "$found" | wc -l)" != 1 ]; then known=no; fi
  verdict $known "$1"
}

tree
file src/model/compile/weld.c model/compile/pass.h scene/scene.h base/memory.h carom/model.h
file cli/main.c args.h carom/io.h text/lua.h
file include/carom/model.h carom/scene.h
clean 'includes that point down or sideways are fine'

file src/math/inertia.c math/solve3.h geometry/shape.h
says 'upward' 'src/math/inertia.c:3: math (L1) may not include "geometry/shape.h" (L2)'

tree
file src/scene/object.c carom/io.h
says 'upward by a public header' 'src/scene/object.c:2: scene (L3) may not include "carom/io.h" (L5)'

tree
file include/carom/scene.h carom/base.h carom/model.h
says 'a public header upward' 'include/carom/scene.h:3: carom/scene.h may not include "carom/model.h"'

tree
file include/carom/io.h text/lua.h
says 'a public header inward' 'include/carom/io.h:2: a public header includes public headers only'

tree
file src/model/eval/kinematics.c carom/scene.h
says 'eval sees the scene' 'src/model/eval/kinematics.c:2: model/eval must not know scene'

tree
file src/model/model.h scene/scene.h
file src/model/eval/kinematics.c model/model.h
says 'eval sees the scene through another header' 'src/model/model.h:2: model/eval must not know scene'

tree
file src/solve/radau.c geometry/shape.h
says 'solvers know no shapes' 'src/solve/radau.c:2: solve must not know geometry'

tree
file src/sim/run.h text/lua.h
file src/text/lua.h sim/run.h
says 'two folders of one layer include each other' 'sim and text include each other'

tree
file src/base/text.c memory.h
says 'not written from the root' 'src/base/text.c:2: no src/memory.h'

tree
file src/util/text.c base/memory.h
says 'unknown folder' 'src/util/text.c:2: folder "util" is not in the table'
exit $failed
