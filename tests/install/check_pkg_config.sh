#!/bin/sh
# Installs into a DESTDIR, builds the consumer with the flags of pkg-config, runs it.
set -eu
cmake=$1 build=$2 work=$3 prefix=$4 cc=$5 cxx=$6
source=$(dirname "$0")/consumer

rm -rf "$work"
DESTDIR="$work" "$cmake" --install "$build" >/dev/null
pc=$(find "$work" -name keel.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
PKG_CONFIG_SYSROOT_DIR=$work
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR

flags=$(pkg-config --cflags --libs keel)
libdir=$work$(pkg-config --variable=libdir keel)
# shellcheck disable=SC2086 # the flags are several words
"$cc" -std=c11 "$source/consumer.c" $flags -o "$work/consumer_c"
# shellcheck disable=SC2086
"$cxx" -std=c++17 "$source/consumer.cpp" $flags -o "$work/consumer_cxx"
LD_LIBRARY_PATH=$libdir "$work/consumer_c"
LD_LIBRARY_PATH=$libdir "$work/consumer_cxx"

backends=$(pkg-config --variable=backenddir keel)
test "$backends" = "$(pkg-config --variable=libdir keel)/keel"
case $backends in
  "$prefix"/*) ;;
  *) echo "backenddir $backends is not below $prefix"; exit 1 ;;
esac
pkg-config --static --libs keel | grep -q -e '-ldl -lm -pthread'
