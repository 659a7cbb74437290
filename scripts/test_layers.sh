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
    include/carom/result.h include/carom/report.h src/result/layout.h src/show/bytes.h \
    src/base/memory.h src/math/solve3.h src/geometry/shape.h src/solve/solver.h src/scene/scene.h \
    src/collide/distance/pair.h src/model/model.h src/model/compile/pass.h src/model/eval/force.h src/sim/run.h \
    src/text/lua.h cli/args.h; do
    mkdir -p "$work/tree/$(dirname $header)"
    echo '// a header' >"$work/tree/$header"
  done
  mkdir "$work/tree/cmake"
  cat >"$work/tree/cmake/libraries.cmake" <<'END'
set(CAROM_FOLDERS_core base math sim) # and others
set(CAROM_FOLDERS_io text mesh result)
set(CAROM_FOLDERS_show show)
set(CAROM_HEADERS_io io result)
set(CAROM_HEADERS_show report)
END
}

# file PATH INCLUDE...: a file with these includes from its second line on
file() {
  path=$work/tree/$1
  shift
  mkdir -p "$(dirname "$path")"
  echo '// a file' >"$path"
  for include in "$@"; do
    case $include in
      '<'*) echo "#include $include" >>"$path" ;;
      *) echo "#include \"$include\"" >>"$path" ;;
    esac
  done
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
file src/result/layout.h text/lua.h
file src/text/lua.h result/layout.h
says 'two folders of one layer include each other' 'result and text include each other'

tree
rm "$work/tree/cmake/libraries.cmake"
says 'nothing says what the libraries are' 'cmake/libraries.cmake: no line set(CAROM_FOLDERS_core'

tree
file src/sim/run.c text/lua.h
says 'the core sees carom_io' 'src/sim/run.c:2: sim is in carom and may not include "text/lua.h", which is in carom_io'

tree
file src/sim/run.c carom/result.h
says 'the core sees a public header of carom_io' \
  'src/sim/run.c:2: sim is in carom and may not include "carom/result.h", which is in carom_io'

tree
file src/text/lua.c carom/report.h
says 'carom_io sees carom_show' 'src/text/lua.c:2: text (L5) may not include "carom/report.h" (L6)'

tree
file src/result/layout.c '<hdf5.h>' '<zlib.h>' '<stdio.h>' sim/run.h
file src/text/lua.c '<lua.h>' '<lauxlib.h>' '<jansson.h>'
file src/show/bytes.c '<cairo-svg.h>' '<jansson.h>' '<zlib.h>' result/layout.h
file src/geometry/hull.c '<libqhull_r/qhull_ra.h>' '<math.h>'
file src/solve/ida.c '<ida/ida.h>' '<sunmatrix/sunmatrix_dense.h>'
clean 'each library sees the projects that it is linked with'

for name in lua.h lauxlib.h jansson.h expat.h hdf5.h zlib.h cairo.h; do
  tree
  file src/sim/run.c "<$name>"
  says "the core sees $name" "src/sim/run.c:2: carom may not include <$name>"
done

tree
file src/text/lua.c '<cairo-pdf.h>'
says 'carom_io sees cairo' 'src/text/lua.c:2: carom_io may not include <cairo-pdf.h>'

tree
file src/show/bytes.c '<hdf5.h>'
says 'carom_show sees HDF5' 'src/show/bytes.c:2: carom_show may not include <hdf5.h>'

tree
file cli/main.c '<jansson.h>' '<lua.h>'
says 'the tool sees Lua' 'cli/main.c:3: cli may not include <lua.h>'

tree
file include/carom/io.h '<hdf5.h>'
says 'a public header sees HDF5' 'include/carom/io.h:2: a public header may not include <hdf5.h>'

tree
file src/base/platform.h '<unistd.h>' '<sys/stat.h>' '<stdio.h>'
clean 'the system is seen by src/base/platform'

for name in unistd.h sys/stat.h pthread.h windows.h; do
  tree
  file src/text/lua.c '<string.h>' "<$name>"
  says "$name is seen elsewhere" "src/text/lua.c:3: <$name> is the system's: include \"base/platform.h\""
done

tree
file src/base/text.c memory.h
says 'not written from the root' 'src/base/text.c:2: no src/memory.h'

tree
file src/util/text.c base/memory.h
says 'unknown folder' 'src/util/text.c:2: folder "util" is not in the table'
exit $failed
