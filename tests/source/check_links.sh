#!/bin/sh
# What the documentation points at exists: relative links, and paths of this tree in backticks.
set -eu
cd "$1"
missing=$(
  find . -name '*.md' ! -path './build/*' ! -path './shared/*' | sort | while read -r page; do
    folder=$(dirname "$page")
    grep -o '](\([^)#:]*\))' "$page" | sed 's/^](//;s/)$//' | sort -u | while read -r link; do
      [ -e "$folder/$link" ] || echo "$page links to $link"
    done
    # shellcheck disable=SC2016 # backticks, not expansion
    grep -oE '`(docs|examples|core|ops|cli|tests|tools|conformance|backends|cmake|abi|scripts)/[A-Za-z0-9_./-]+`' \
      "$page" | tr -d '`' | sort -u | while read -r path; do
      [ -e "$path" ] || echo "$page names $path"
    done
  done
)
if [ -n "$missing" ]; then
  echo "not there:"
  echo "$missing"
  exit 1
fi
