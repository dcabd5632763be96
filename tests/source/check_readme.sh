#!/bin/sh
# README.md agrees with what it quotes: the example is the marked part of examples/quickstart.c, and
# the support matrix is what tools/support_matrix.sh makes of docs/reports/.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n '/README begins/,/README ends/p' examples/quickstart.c | sed '1d;$d;s/^    //' >"$work/example"
sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d' >"$work/quoted"
test -s "$work/example"
diff "$work/example" "$work/quoted"

sh tools/support_matrix.sh >"$work/matrix"
sed -n '/<!-- support matrix begins -->/,/<!-- support matrix ends -->/p' README.md |
  sed '1d;$d' >"$work/matrix_quoted"
diff "$work/matrix" "$work/matrix_quoted"
