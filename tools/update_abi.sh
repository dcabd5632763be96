#!/bin/sh
# Rewrites the records of libkeel's ABI, abi/keel-1.abi and abi/keel.symbols, from a build of the
# preset abi. Growth at the end of a struct is allowed and raises KEEL_ABI_MINOR; see
# tests/abi/layout_v1.c for what is not.
set -eu
cd "$(dirname "$0")/.."
library=build/abi/core/libkeel.so
cmake --preset abi >/dev/null
cmake --build --preset abi --target keel
readelf -S "$library" | grep -q '\.debug_info'
# Locations stay in: abidiff tells public types from private ones by the header they come from.
abidw --headers-dir core/include --exported-interfaces-only --no-corpus-path --no-comp-dir-path \
  "$library" | sed "s@$PWD/@@g; s@'\.\./\.\./@'@g" >abi/keel-1.abi
nm -D --defined-only "$library" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' |
  LC_ALL=C sort >abi/keel.symbols
