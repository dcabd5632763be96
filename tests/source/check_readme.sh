#!/bin/sh
# README.md is what tools/update_readme.sh makes of it: verdicts and support matrix come from
# docs/reports/, the example is the marked part of examples/quickstart.c.
#   check_readme.sh ROOT PROGRAM
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/docs"
cp -r README.md tools examples "$work"
cp -r docs/reports "$work/docs"
sh "$work/tools/update_readme.sh" "$2"
diff README.md "$work/README.md"

# The parts are there at all.
grep -q '^  all  ' README.md
grep -q 'keel_matmul(queue' README.md
grep -q '| hardware (' README.md
