#!/bin/sh
# Rewrites the parts of README.md that quote other files: the example and the support matrix.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n '/README begins/,/README ends/p' examples/quickstart.c | sed '1d;$d;s/^    //' >"$work/example"
sh tools/support_matrix.sh >"$work/matrix"
awk -v example="$work/example" -v matrix="$work/matrix" '
  function insert(file, line) { while ((getline line < file) > 0) print line }
  /^```c$/ { print; insert(example); skip = 1; next }
  /<!-- support matrix begins -->/ { print; insert(matrix); skip = 1; next }
  /^```$/ || /<!-- support matrix ends -->/ { skip = 0 }
  !skip' README.md >"$work/README.md"
cat "$work/README.md" >README.md
