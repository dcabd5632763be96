#!/bin/sh
# Follows step one of docs/adding-a-backend.md, as written there, in a copy of what it touches: the
# renamed backend builds without a warning and is taken.
set -eu
cmake=$1 source=$2 work=$3 cc=$4 loader=$5
here=$(dirname "$0")

rm -rf "$work"
mkdir -p "$work/backends"
cp -r "$source/backends/template" "$work/backends/template"
cp "$here/tree.cmake" "$work/CMakeLists.txt"
: > "$work/backends/CMakeLists.txt"

awk '/^```/ {if (inside) exit; inside = $0 == "```sh"; next} inside' \
  "$source/docs/adding-a-backend.md" > "$work/steps.sh"
test -s "$work/steps.sh"
(cd "$work" && sh -eu steps.sh)
if grep -rqi template "$work/backends/mydev"; then
  echo "the old name is left:"
  grep -rni template "$work/backends/mydev"
  exit 1
fi

"$cmake" -S "$work" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DKEEL_SOURCE="$source" >/dev/null
"$cmake" --build "$work/build"
sh "$source/tests/abi/check_backend_symbols.sh" "$work/build/backends/mydev/keel_mydev.so"
"$loader" "$work/build/backends/mydev/keel_mydev.so" mydev
