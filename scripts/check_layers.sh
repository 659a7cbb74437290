#!/bin/sh
# Reads every #include "..." of src/, cli/ and include/ against the layers and libraries below: an include may point to
# its own layer or a lower one, and to its own library or one before it. Headers of other projects, #include <...>, are
# for the libraries that are linked with them, those of the system for src/base/platform*. Prints each breach as file:line
# and fails if there was one.
#
# usage: scripts/check_layers.sh [ROOT]
set -eu
if [ $# -gt 0 ]; then cd "$1"; else cd "$(dirname "$0")/.."; fi

folders=
for folder in include src cli; do
  if [ -d $folder ]; then folders="$folders $folder"; fi
done

find $folders -name '*.[ch]' -o -name '*.inc' | LC_ALL=C sort | awk '
BEGIN {
  # Folders of src/ (cli/ counts as one) and their layer.
  split("base 0  math 1  geometry 2  joint 2  solve 2  collide 3  record 3  scene 3  model 4  contact 4  island 5  sim 5  external 5  xml 5  foreign 5  text 5  mesh 5  result 5  sweep 6  fmu 6  show 6  cli 7", t)
  for (i = 1; i in t; i += 2) layer[t[i]] = t[i + 1]

  # Public headers and the layer of what they declare. A public header may include only those left of it.
  split("base 0  math 1  geometry 2  solver 2  record 2  collide 3  signal 3  scene 3  model 4  instance 4  state 5  simulate 5  external 5  carom 5  result 5  io 5  sweep 6  fit 6  fmu 6  live 6  plot 6  report 6  run 6  show 6", t)
  for (i = 1; i in t; i += 2) { publicLayer[t[i]] = t[i + 1]; publicRank[t[i]] = i }

  # The libraries, each of which stands on those before it. cmake/libraries.cmake has their folders and public headers.
  # The tool counts as a last one.
  split("carom carom_io carom_show cli", libraryName)
  for (i = 1; i in libraryName; ++i) libraryRank[libraryName[i]] = i
  library["cli"] = libraryRank["cli"]
  readLibraries("cmake/libraries.cmake")

  # Headers of other projects, by how they begin, and the libraries that may include them. Public headers may not.
  split("libqhull carom  ida/ carom  cvode/ carom  sun carom  nvector/ carom  klu. carom  lua carom_io  lauxlib. carom_io  jansson carom_io  expat. carom_io  jansson carom_show  jansson cli  hdf5 carom_io  zlib. carom_io  zip. carom_io  zlib. carom_show  cairo carom_show  mpi. cli", t)
  for (i = 1; i in t; i += 2) { foreignHeader[++foreignCount] = t[i]; foreignTo[foreignCount] = libraryRank[t[i + 1]] }

  # Headers of the system, by how they begin: for src/base/platform* alone.
  systemCount = split("unistd. fcntl. dirent. sys/ pthread. signal. spawn. poll. dlfcn. arpa/ netinet/ netdb. termios. sched. windows. io. process.", systemHeader)

  # Who must not know whom although the layers allow it, neither directly nor by way of other headers of src/.
  split("solve geometry  solve joint  collide scene  model/eval scene  model/loop scene", t)
  for (i = 1; i in t; i += 2) { neverFrom[++neverCount] = t[i]; neverTo[neverCount] = t[i + 1] }
}

{ files[++fileCount] = $0; known[$0] = 1 }

END {
  for (i = 1; i <= fileCount; ++i) readFile(files[i])
  checkMutual()
  checkNever()
  exit (breachCount > 0)
}

function breach(where, message) {
  print where ": " message
  ++breachCount
}

function readFile(file,    line, number, target) {
  while ((getline line < file) > 0) {
    ++number
    if (line !~ /^[ \t]*#[ \t]*include[ \t]*["<]/) continue
    target = line
    if (line !~ /"/) {
      sub(/^[^<]*</, "", target)
      sub(/>.*/, "", target)
      checkForeign(file, file ":" number, target)
      continue
    }
    sub(/^[^"]*"/, "", target)
    sub(/".*/, "", target)
    if (file ~ /^include\//) checkPublic(file, file ":" number, target)
    else checkInternal(file, file ":" number, target)
  }
  close(file)
}

function checkPublic(file, where, target,    from, to) {
  from = headerName(file)
  to = headerName(target)
  if (!(from in publicRank)) breach(where, "public header \"" from "\" is not in the table of " script())
  else if (target !~ /^carom\// || !(to in publicRank)) breach(where, "a public header includes public headers only, not \"" target "\"")
  else if (publicRank[to] >= publicRank[from]) breach(where, "carom/" from ".h may not include \"" target "\": it is not below")
}

# A header of another project or of the system; those of the C library are for all.
function checkForeign(file, where, target,    i, isForeign, own) {
  for (i = 1; i <= systemCount; ++i)
    if (index(target, systemHeader[i]) == 1 && file !~ /^src\/base\/platform/)
      breach(where, "<" target "> is the system\047s: include \"base/platform.h\", the one place that does")
  own = libraryOf(folderOf(file))
  for (i = 1; i <= foreignCount; ++i)
    if (index(target, foreignHeader[i]) == 1) {
      if (file !~ /^include\// && foreignTo[i] == own) return
      isForeign = 1
    }
  if (isForeign) breach(where, (file ~ /^include\// ? "a public header" : libraryName[own]) " may not include <" target ">")
}

# The lines set(CAROM_FOLDERS_io text mesh result) and set(CAROM_HEADERS_io io result).
function readLibraries(file,    line, t, i, part) {
  while ((getline line < file) > 0) {
    if (line !~ /^set\(CAROM_(FOLDERS|HEADERS)_[a-z]+ /) continue
    sub(/\).*/, "", line)
    split(line, t, " ")
    part = t[1]
    sub(/.*_/, "", part)
    part = part == "core" ? 1 : libraryRank["carom_" part]
    for (i = 2; i in t; ++i)
      if (line ~ /FOLDERS/) library[t[i]] = part
      else publicLibrary[t[i]] = part
  }
  close(file)
  if (!("base" in library)) breach(file, "no line set(CAROM_FOLDERS_core base ...)")
}

function libraryOf(folder) {
  return folder in library ? library[folder] : 1
}

function publicLibraryOf(header) {
  return header in publicLibrary ? publicLibrary[header] : 1
}

function beyond(from, target, to) {
  return from " is in " libraryName[libraryOf(from)] " and may not include \"" target "\", which is in " libraryName[to]
}

function checkInternal(file, where, target,    from, to, path) {
  from = folderOf(file)
  if (!(from in layer)) { breach(where, "folder \"" from "\" is not in the table of " script()); return }
  if (target ~ /^carom\//) {
    to = headerName(target)
    if (!(to in publicLayer)) breach(where, "no public header \"" target "\"")
    else if (publicLayer[to] > layer[from]) breach(where, upward(from, layer[from], target, publicLayer[to]))
    else if (publicLibraryOf(to) > libraryOf(from)) breach(where, beyond(from, target, publicLibraryOf(to)))
    edge(file, "include/" target, where)
    return
  }
  if (from == "cli" && (("cli/" target) in known)) return
  path = "src/" target
  if (!(path in known)) { breach(where, "no src/" target ": includes are written from src/ or include/"); return }
  to = folderOf(path)
  if (!(to in layer)) { breach(where, "folder \"" to "\" is not in the table of " script()); return }
  if (layer[to] > layer[from]) breach(where, upward(from, layer[from], target, layer[to]))
  else if (libraryOf(to) > libraryOf(from)) breach(where, beyond(from, target, libraryOf(to)))
  else if (layer[to] == layer[from] && to != from && !((from " " to) in sideways)) sideways[from " " to] = where
  edge(file, path, where)
}

function upward(from, fromLayer, target, toLayer) {
  return from " (L" fromLayer ") may not include \"" target "\" (L" toLayer ")"
}

function edge(file, path, where) {
  ++edgeCount[file]
  edgeTo[file, edgeCount[file]] = path
  edgeWhere[file, edgeCount[file]] = where
}

# Two folders of one layer may not include each other.
function checkMutual(    pair, t) {
  for (pair in sideways) {
    split(pair, t, " ")
    if (t[1] < t[2] && ((t[2] " " t[1]) in sideways))
      breach(sideways[pair], t[1] " and " t[2] " include each other; the other way at " sideways[t[2] " " t[1]])
  }
}

function checkNever(    rule, i) {
  for (rule = 1; rule <= neverCount; ++rule)
    for (i = 1; i <= fileCount; ++i)
      if (index(files[i], "src/" neverFrom[rule] "/") == 1) {
        delete seen
        follow(files[i], neverFrom[rule], neverTo[rule])
      }
}

# Follows the includes of a file as far as they stay inside src/. A public header is looked at, not into: every model
# has a scene in its public header.
function follow(file, from, to,    i, path) {
  seen[file] = 1
  for (i = 1; i <= edgeCount[file]; ++i) {
    path = edgeTo[file, i]
    if (index(path, "src/" to "/") == 1 || path == "include/carom/" to ".h") {
      if (!((edgeWhere[file, i] " " from " " to) in told)) breach(edgeWhere[file, i], from " must not know " to)
      told[edgeWhere[file, i] " " from " " to] = 1
    } else if (!(path in seen) && path in known) follow(path, from, to)
  }
}

function headerName(path) {
  sub(/^(include\/)?carom\//, "", path)
  sub(/\.h$/, "", path)
  return path
}

function folderOf(path) {
  sub(/^src\//, "", path)
  sub(/\/.*/, "", path)
  return path
}

function script() {
  return "scripts/check_layers.sh"
}
'
