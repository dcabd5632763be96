#!/bin/sh
# Installs into an empty prefix, builds the consumer against it with find_package, runs it.
set -eu
cmake=$1 build=$2 work=$3 cc=$5 cxx=$6
source=$(dirname "$0")

rm -rf "$work"
"$cmake" --install "$build" --prefix "$work/prefix" >/dev/null
"$cmake" -S "$source/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" >/dev/null
"$cmake" --build "$work/build"
"$work/build/consumer_c"
"$work/build/consumer_cxx"
sh "$source/../abi/check_backend_symbols.sh" "$work/build/keel_consumer.so"

if [ -x "$build/cli/keel" ]; then
  "$work/prefix/bin/keel" devices >/dev/null
fi
