#!/bin/sh
# The tool's help, its manual pages and its completions agree with each other and with what the tool takes: every option
# that a verb's help names is a row of its options, stands in the manual page and in the completions, and is taken by the
# verb, with a value where the help says so; and every option of the sources stands in some help. Manual pages are drawn
# without a warning, completions are read without a word. Shells that are not there are named.
#
# usage: scripts/check_help.sh TOOL
set -eu
LC_ALL=C.UTF-8
export LC_ALL
tool=$1
root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0

say() {
  echo "check_help: $*"
  wrong=1
}

"$tool" help --pages "$work/share"
bash=$work/share/bash-completion/completions/carom
zsh=$work/share/zsh/vendor-completions/_carom
fish=$work/share/fish/vendor_completions.d/carom.fish
verbs=$("$tool" help | sed -n '/^usage:/,/carom help VERB/s/^  \([a-z-]*\) .*/\1/p' | grep -vx carom)

# ---------------------------------------------------------------------------------------------- agreement

# block FILE BEGIN END: the lines of a completion between the two
block() {
  sed -n "/^ *$2/,/$3/p" "$1"
}

: >"$work/told"
for verb in $verbs; do
  page=$work/share/man/man1/carom-$verb.1
  [ -s "$page" ] || { say "there is no page carom-$verb.1"; continue; }
  sed 's/\\//g' "$work/share/man/man1/carom.1" | grep -q "fBcarom-$verb" || say "carom.1 does not name $verb"
  grep -q "^  verbs='.*\b$verb\b" "$bash" || say "bash is not told of $verb"
  grep -q "^    '$verb:" "$zsh" || say "zsh is not told of $verb"
  grep -q -- "use_subcommand -a $verb -d" "$fish" || say "fish is not told of $verb"
  # names in sentences about other verbs (carom run --save-state) are theirs
  names=$("$tool" help "$verb" |
    sed -E "s/carom [a-z-]+ --[a-z-]+//g; s/^usage: .*//; s/^       .*//; s/^  carom .*//" |
    grep -oE -- '--[a-z][a-z-]*' | sort -u)
  for name in $names; do
    echo "${name#--}" >>"$work/told"
    escaped=$(printf '%s' "$name" | sed 's/-/\\\\-/g')
    grep -q "fB$escaped\\\\fR" "$page" || say "carom-$verb.1 has no option $name"
    grep -q "^    $verb) options='.*$name\b" "$bash" || say "bash is not told of $verb $name"
    block "$zsh" "$verb)" ';;' | grep -q -- "'\*$name\[" || say "zsh is not told of $verb $name"
    row=$(grep -E -- "from $verb'( -s .)? -l ${name#--} " "$fish" || true)
    answer=$("$tool" "$verb" "$name" </dev/null 2>&1 || true)
    case $answer in *'unknown option'* | *'unknown argument'*) say "carom $verb does not take $name" ;; esac
    takes=no
    case $answer in *needs\ a\ value*) takes=yes ;; esac
    case $row:$takes in
      '':*) say "fish is not told of $verb $name" ;;
      *' -x'*:no | *' -r'*:no) say "carom $verb $name takes no value, its help says it does" ;;
      *' -x'*:yes | *' -r'*:yes | *:no) ;;
      *) say "carom $verb $name needs a value, its help does not say so" ;;
    esac
  done
done
for name in $(sed -nE 's/.*\{ "([a-z-]+)", (no|required)_argument.*/\1/p; s/^ *"([a-z-]+)", (no|required)_argument.*/\1/p' \
  "$root"/cli/*.[ch] | sort -u); do
  [ "$name" = help ] || grep -qx -- "$name" "$work/told" || say "no help names --$name"
done

# ---------------------------------------------------------------------------------------------- programs

has() {
  command -v "$1" >/dev/null 2>&1 || { echo "check_help: $1 is not here: skipped"; return 1; }
}

if has man; then
  for page in "$work"/share/man/man1/*.1; do
    said=$(MANWIDTH=100 man --warnings=w -l "$page" 2>&1 >"$work/page" || true)
    [ -z "$said" ] || say "$(basename "$page"): $said"
    grep -q '^NAME' "$work/page" && grep -q '^SYNOPSIS' "$work/page" || say "$(basename "$page") is not drawn"
  done
fi

# expect SHELL WHAT WORD...: what a completion offers, one a line, has each of the words
expect() {
  shell=$1 what=$2
  shift 2
  for word in "$@"; do
    grep -qxE -- "$word([[:space:]].*)?" "$work/offered" || say "$shell offers no '$word' for '$what'"
  done
  [ ! -s "$work/errors" ] || say "$shell: $(cat "$work/errors")"
}

if has bash; then
  offer() { # WORD...
    bash --norc -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _carom; printf "%s\n" "${COMPREPLY[@]}"' \
      bash "$bash" "$@" >"$work/offered" 2>"$work/errors"
  }
  offer carom r && expect bash 'carom r' run resume
  offer carom run --st && expect bash 'carom run --st' --stop --start
  offer carom run --islands '' && expect bash 'carom run --islands' on off
  offer carom help in && expect bash 'carom help in' info inverse-dynamics
  (cd "$root" && offer carom run examples/pend) && expect bash 'carom run FILE' examples/pendulum.lua
fi
if has zsh; then
  zsh -f -c 'autoload -U compinit; compinit -u -d "$2"; fpath=("${1:h}" $fpath); . "$1"; whence -w _carom; print $_comps[carom]' \
    zsh "$zsh" "$work/dump" >"$work/offered" 2>"$work/errors" || say 'zsh cannot read its completion'
  expect zsh 'its function' '_carom: function' _carom
  zsh -n "$zsh" 2>"$work/errors" || say "zsh: $(cat "$work/errors")"
fi
if has fish; then
  offer() {
    fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$fish" "$1" >"$work/offered" 2>"$work/errors"
  }
  offer 'carom r' && expect fish 'carom r' run resume
  offer 'carom run --st' && expect fish 'carom run --st' --stop --start
  offer 'carom run --islands ' && expect fish 'carom run --islands' on off
fi
exit $wrong
