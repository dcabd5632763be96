#!/bin/sh
# Compares the library's types with the baseline. Without debug information abidiff would compare
# names only and pass, so that is checked first.
set -eu
abidiff=$1 root=$2 library=$3
readelf -S "$library" | grep -q '\.debug_info' || {
  echo "$library has no debug information: types cannot be compared"
  exit 1
}
"$abidiff" --no-added-syms --exported-interfaces-only --headers-dir2 "$root/core/include" \
  --suppressions "$root/tests/abi/private.abignore" "$root/abi/keel-1.abi" "$library"
