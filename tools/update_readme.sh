#!/bin/sh
# Rewrites the parts of README.md that quote other files: the verdicts of the newest report in
# docs/reports/, the support matrix, and the example.
#   tools/update_readme.sh [PROGRAM]    PROGRAM: keel, if not build/release/cli/keel
set -eu
program=$(realpath "${1:-$(dirname "$0")/../build/release/cli/keel}")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

newest=$(grep -l '"schema": *"keel.report' docs/reports/*.json | LC_ALL=C sort | tail -n 1)
{
  echo '```text'
  echo '$ ./run conformance'
  "$program" report "$newest" --format text
  echo '```'
} >"$work/verdicts"
sh tools/support_matrix.sh >"$work/matrix"
sed -n '/README begins/,/README ends/p' examples/quickstart.c | sed '1d;$d;s/^    //' >"$work/example"

awk -v verdicts="$work/verdicts" -v matrix="$work/matrix" -v example="$work/example" '
  function insert(file, line) { while ((getline line < file) > 0) print line }
  /<!-- .* ends -->/ || (/^```$/ && in_example) { skip = in_example = 0 }
  !skip
  /<!-- verdicts begins -->/ { insert(verdicts); skip = 1 }
  /<!-- support matrix begins -->/ { insert(matrix); skip = 1 }
  /^```c$/ { insert(example); skip = in_example = 1 }' README.md >"$work/README.md"
cat "$work/README.md" >README.md
