#!/bin/sh
# README.md is what tools/update_readme.sh makes of it: its example is the marked part of
# examples/quickstart.c, its support matrix comes from docs/reports/.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/docs"
cp -r README.md tools examples "$work"
cp -r docs/reports "$work/docs"
sh "$work/tools/update_readme.sh"
diff README.md "$work/README.md"

grep -q 'keel_matmul(queue' README.md
