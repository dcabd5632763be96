#!/bin/sh
# Backends as projects of their own, against an installed Keel: the template as it is, and the example,
# whose device moves bytes.
set -eu
cmake=$1 source=$2 build=$3 work=$4 cc=$5 loader=$6

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/prefix" >/dev/null
cp -r "$source/backends/template" "$source/examples/external_backend" "$work"
for project in template external_backend; do
  "$cmake" -S "$work/$project" -B "$work/build/$project" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="-Wall -Wextra -Wpedantic -Werror" >/dev/null
  "$cmake" --build "$work/build/$project"
done
"$loader" "$work/build/template/keel_template.so" template
"$loader" "$work/build/external_backend/keel_hostmem.so" hostmem copy
