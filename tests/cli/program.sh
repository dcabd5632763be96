# shellcheck shell=sh disable=SC2034 # what is set here is used by those who source it
# What the scripts in this folder share: running the program and saying what is wrong with it. They
# source this file; $1 is the program.
keel=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

complain() {
  echo "FAILED: $*"
  failed=1
}

# run ARGS...: runs the program; $code, $work/out and $work/err are what came of it.
run() {
  code=0
  "$keel" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
}

# expect CODE ARGS...: runs it and wants that exit code.
expect() {
  want=$1
  shift
  run "$@"
  if [ "$code" != "$want" ]; then
    complain "keel $*: exit code $code, not $want"
    tail -n 5 "$work/out"
    tail -n 5 "$work/err"
  fi
}

# refused TEXT ARGS...: exit code 2, nothing on stdout, one line on stderr that has the text.
refused() {
  text=$1
  shift
  expect 2 "$@"
  [ ! -s "$work/out" ] || complain "keel $*: printed on stdout"
  [ "$(wc -l <"$work/err")" = 1 ] || complain "keel $*: $(wc -l <"$work/err") lines on stderr"
  mentions err "$text" "$@"
}

# mentions out|err TEXT ARGS...: the output has the text; ARGS only say of what.
mentions() {
  file=$1 text=$2
  shift 2
  if ! grep -qF -- "$text" "$work/$file"; then
    complain "keel $*: \"$text\" is not in std$file:"
    head -n 5 "$work/$file"
  fi
}
