#!/bin/sh
# What documents and comments name exists: functions, types, constants and files. Prints each name that does not as
# file:line and fails if there was one.
#
# usage: scripts/check_names.sh [ROOT]
#
# Read are the documents (README.md and its like, docs/, the README.md of other folders) and the comments of include/,
# src/ and cli/. CHANGELOG.md is not: it names what is gone.
#
# names   crScene, crScene_AddJoint, cr_jointFix, CR_API stand somewhere in code, which the compiler has seen. Comments of
#         public headers, and docs/library.md, name public ones only: their readers have no others. crScene_Add… stands
#         for any name that begins so, crDefault…Def also ends so. Other names with a capital inside, in backticks, are
#         words of some source file: `stepIsland`.
# files   paths from the root (src/…, docs/…), from src/, include/ or test/, or from the folder of the file that names
#         them; src/a/*.c must match something, and so must a path in which NAME stands for any name. C files and
#         scripts without a folder may lie anywhere. Links of documents lead to files.
set -eu
if [ $# -gt 0 ]; then cd "$1"; else cd "$(dirname "$0")/.."; fi

find . \( -name .git -o -name node_modules -o -name 'build*' -type d -o -name '.sources*' -o -name '*.run' \) -prune -o -print |
  sed -n 's,^\./,,p' | LC_ALL=C sort | LC_ALL=C awk '
BEGIN {
  ellipsis = "\342\200\246"
  any = "\001"          # in place of an ellipsis within a name
  folders = "^(src|include|cli|docs|examples|test|scripts|bench|fuzz|viewer|cmake)/"
}

{
  paths[++pathCount] = $0
  exists[$0] = 1
  base = $0
  sub(/.*\//, "", base)
  known[base] = 1
  if ($0 ~ /^(include|src|cli|test|bench|fuzz|examples|docs)\/.*\.[ch]$/) codes[++codeCount] = $0
  if ($0 ~ /^(examples|viewer|python)\/.*\.(lua|mo|js|mjs|py)$/) others[++otherCount] = $0
  if ($0 ~ /\.md$/ && $0 !~ /^(CHANGELOG\.md|(test|fuzz)\/)/) documents[++documentCount] = $0
}

END {
  for (i = 1; i <= codeCount; ++i) readCode(codes[i])
  for (i = 1; i <= otherCount; ++i) while ((getline line < others[i]) > 0) addWords(line)
  for (i = 1; i <= commentCount; ++i) {
    isPublic = commentFile[i] ~ /^include\//
    checkText(commentFile[i], commentLine[i], comments[i])
  }
  for (i = 1; i <= documentCount; ++i) readDocument(documents[i])
  exit (wrongCount > 0)
}

function wrong(file, number, message) {
  if ((file, number, message) in told) return
  told[file, number, message] = 1
  print file ":" number ": " message
  ++wrongCount
}

# Takes the lines of a file apart: names of its code are names that exist, its comments are kept to be checked.
function readCode(file,    line, number, code, comment, token, inside, hasToCheck) {
  hasToCheck = file ~ /^(include|src|cli)\//
  while ((getline line < file) > 0) {
    ++number
    code = comment = ""
    while (line != "") {
      if (inside) {
        if (match(line, /\*\//)) { comment = comment substr(line, 1, RSTART - 1); inside = 0; line = substr(line, RSTART + 2) }
        else { comment = comment line; line = "" }
      } else if (!match(line, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\/|\/\*/)) {
        code = code line
        line = ""
      } else {
        code = code substr(line, 1, RSTART - 1) " "
        token = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (token == "//") { comment = comment line; line = "" }
        else if (token == "/*") inside = 1
        else addWords(token)
      }
    }
    addWords(code)
    while (match(code, /(cr_|cr[A-Z]|CR_)[A-Za-z0-9_]*/)) {
      if (RSTART == 1 || substr(code, RSTART - 1, 1) !~ /[A-Za-z0-9_]/) addName(substr(code, RSTART, RLENGTH), file)
      code = substr(code, RSTART + RLENGTH)
    }
    if (comment != "" && hasToCheck) {
      comments[++commentCount] = comment
      commentFile[commentCount] = file
      commentLine[commentCount] = number
    }
  }
  close(file)
}

function addWords(text) {
  while (match(text, /[a-z]+[A-Z][A-Za-z0-9]*/)) {
    words[substr(text, RSTART, RLENGTH)] = 1
    text = substr(text, RSTART + RLENGTH)
  }
}

function addName(name, file) {
  if (!(name in names)) names[name] = 0
  if (file ~ /^include\//) names[name] = 1
}

function readDocument(file,    line, number) {
  isPublic = file == "docs/library.md"
  while ((getline line < file) > 0) {
    ++number
    checkText(file, number, line)
    checkWords(file, number, line)
    checkLinks(file, number, line)
  }
  close(file)
}

function checkText(file, number, text) {
  checkNames(file, number, text)
  checkPaths(file, number, text)
}

function checkNames(file, number, text,    name, before) {
  gsub(ellipsis, any, text)
  gsub(/\.\.\./, any, text)
  while (match(text, /(cr_[A-Za-z\001]|cr[A-Z\001]|CR_[A-Z\001])[A-Za-z0-9_\001]*/)) {
    name = substr(text, RSTART, RLENGTH)
    before = RSTART > 1 ? substr(text, RSTART - 1, 1) : ""
    text = substr(text, RSTART + RLENGTH)
    if (before ~ /[A-Za-z0-9_\/.-]/) continue
    if (!hasName(name)) {
      gsub(any, ellipsis, name)
      wrong(file, number, "there is no " (isPublic ? "public " : "") name)
    }
  }
}

function hasName(name,    other) {
  if (name in names) return names[name] || !isPublic
  if (index(name, any) == 0) return 0
  gsub(any, "[A-Za-z0-9_]*", name)
  for (other in names)
    if ((names[other] || !isPublic) && other ~ ("^" name "$")) return 1
  return 0
}

function checkWords(file, number, text,    word) {
  while (match(text, /`[a-z]+[A-Z][A-Za-z0-9]*`/)) {
    word = substr(text, RSTART + 1, RLENGTH - 2)
    text = substr(text, RSTART + RLENGTH)
    if (word !~ /^cr[A-Z]/ && !(word in words)) wrong(file, number, "there is no " word " in any source file")
  }
}

function checkPaths(file, number, text,    path, before) {
  gsub(ellipsis, " ", text)
  while (match(text, /[A-Za-z0-9_.*\/-]+/)) {
    path = substr(text, RSTART, RLENGTH)
    before = RSTART > 1 ? substr(text, RSTART - 1, 1) : ""
    text = substr(text, RSTART + RLENGTH)
    if (before ~ /[:$}#~%=]/ || before == "<" && path !~ /^carom\//) continue # of an address, a command, another library
    sub(/[.\/]+$/, "", path)
    if ((path ~ folders || path ~ /^[A-Za-z0-9_*\/-]+[A-Za-z0-9_*]\.(c|h|sh|mjs)$/) && !hasFile(file, path))
      wrong(file, number, "there is no file " path)
  }
}

function hasFile(file, path) {
  if (path !~ /\//) return hasBase(path)
  if (hasPath(path)) return 1
  if (path !~ folders && (hasPath("src/" path) || hasPath("include/" path) || hasPath("test/" path))) return 1
  sub(/[^\/]*$/, "", file)
  return hasPath(file path)
}

function hasBase(base) {
  return base in known || base ~ /[*]|NAME/ && hasPath("*/" base)
}

function hasPath(path,    i) {
  if (path in exists) return 1
  if (path !~ /[*]|NAME/) return 0
  gsub(/\./, "[.]", path)
  gsub(/[*]|NAME/, ".*", path)
  for (i = 1; i <= pathCount; ++i)
    if (paths[i] ~ ("^" path "$")) return 1
  return 0
}

# [text](target), relative to the folder of the document
function checkLinks(file, number, text,    target, folder) {
  folder = file
  sub(/[^\/]*$/, "", folder)
  while (match(text, /\]\([^)]*\)/)) {
    target = substr(text, RSTART + 2, RLENGTH - 3)
    text = substr(text, RSTART + RLENGTH)
    sub(/[#?].*/, "", target)
    sub(/\/$/, "", target)
    if (target == "" || target ~ /^[a-z]+:/) continue
    target = folder target
    while (sub(/[^\/]+\/\.\.\//, "", target)) continue
    if (target ~ /^build\/site\/runs\/[^\/]+\/play[.]html$/) { # make site makes it of an example
      sub(/^build\/site\/runs\//, "examples/", target)
      sub(/\/play[.]html$/, ".lua", target)
    }
    if (!(target in exists)) wrong(file, number, "there is no file " target)
  }
}
'
