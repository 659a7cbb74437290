#!/bin/sh
# Tests scripts/check_names.sh on small trees, each with one name that is wrong.
#
# usage: scripts/test_names.sh
set -eu
check=$(cd "$(dirname "$0")" && pwd -P)/check_names.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# file PATH LINE...
file() {
  path=$work/tree/$1
  shift
  mkdir -p "$(dirname "$path")"
  printf '%s\n' "$@" >"$path"
}

# tree: a new tree with a public function, one of its own and a static one
tree() {
  rm -rf "$work/tree"
  file include/carom/scene.h '#define CR_API' 'CR_API int crCreateScene(void); // cr_sceneEmpty' 'enum { cr_sceneEmpty };'
  file src/scene/scene.h 'int crScene_FindObject(int index);'
  file src/scene/scene.c '#include "scene/scene.h"' 'static int countObjects(void);'
  file README.md '# A page'
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
  if [ $status != 0 ] && [ "$found" = "$2" ]; then verdict yes "$1"; else verdict no "$1"; fi
}

tree
file README.md 'See `crCreateScene`, `crScene_FindObject(0)`, cr_sceneEmpty, CR_API, `crCreate…`, `cr…Scene`, `countObjects`;' \
  '[src](src/scene/), [here](#a-page), [there](https://example.org/docs/none.md), `src/scene/*.c`, `src/NAME/scene.h`, names with `cr_`,' \
  '`scene.c`, `carom/scene.h`, `scene/scene.h`, <none.h>, src/scene/scene.c: a file. notcrNone, build/test/none.'
file docs/page.md '[up](../README.md) and [beside](page.md)'
file CHANGELOG.md 'crGone went, and src/gone.c with it.'
file src/scene/text.c 'const char* text = "crNone in src/none.c";'
clean 'what is there may be named'

tree
file README.md '' 'Call `crNone`.'
says 'a function in a document' 'README.md:2: there is no crNone'

tree
file docs/page.md 'Call crCreateScenes.'
says 'a name is a whole word' 'docs/page.md:1: there is no crCreateScenes'

tree
file README.md 'It returns cr_sceneFull or CR_FULL.'
says 'constants and macros' 'README.md:1: there is no cr_sceneFull
README.md:1: there is no CR_FULL'

tree
file README.md '`crDestroy…` takes NULL.'
says 'names that begin alike' 'README.md:1: there is no crDestroy…'

tree
file src/scene/scene.c '/* crScene_FindObject,' '   crScene_FindJoint */ int a = 0; // and crNone'
says 'comments' 'src/scene/scene.c:2: there is no crScene_FindJoint
src/scene/scene.c:2: there is no crNone'

tree
file include/carom/model.h '// Uses crScene_FindObject.'
file docs/library.md 'Uses crScene_FindObject, too.'
file docs/architecture.md 'So does crScene_FindObject.'
says 'readers of the API know public names only' 'include/carom/model.h:1: there is no public crScene_FindObject
docs/library.md:1: there is no public crScene_FindObject'

tree
file README.md 'See `findObject`.'
says 'static functions' 'README.md:1: there is no findObject in any source file'

tree
file README.md 'See src/scene/none.c, src/none/ and `src/scene/*.lua`.'
says 'files' 'README.md:1: there is no file src/scene/none.c
README.md:1: there is no file src/none
README.md:1: there is no file src/scene/*.lua'

tree
file src/scene/scene.c '// as in scene/none.h, none.c and <carom/none.h>'
says 'files that are named from elsewhere' 'src/scene/scene.c:1: there is no file scene/none.h
src/scene/scene.c:1: there is no file none.c
src/scene/scene.c:1: there is no file carom/none.h'

tree
file docs/page.md 'A [link](none.md), [another](../none.md#part), [a page](../build/site/runs/none/play.html).'
says 'links' 'docs/page.md:1: there is no file docs/none.md
docs/page.md:1: there is no file none.md
docs/page.md:1: there is no file examples/none.lua'
exit $failed
