#!/bin/sh
# Installs into a DESTDIR, builds the consumer with the flags of pkg-config, runs it.
set -eu
cmake=$1 build=$2 work=$3 prefix=$4 cc=$5 cxx=$6
source=$(dirname "$0")/consumer

rm -rf "$work"
DESTDIR="$work" "$cmake" --install "$build" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$work" -name keel.pc)")
export PKG_CONFIG_PATH

libdir=$(pkg-config --variable=libdir keel)
flags=$(PKG_CONFIG_SYSROOT_DIR="$work" pkg-config --cflags --libs keel)
# shellcheck disable=SC2086 # the flags are several words
"$cc" -std=c11 "$source/consumer.c" $flags -o "$work/consumer_c"
# shellcheck disable=SC2086
"$cxx" -std=c++17 "$source/consumer.cpp" $flags -o "$work/consumer_cxx"
LD_LIBRARY_PATH=$work$libdir "$work/consumer_c"
LD_LIBRARY_PATH=$work$libdir "$work/consumer_cxx"

test "$(pkg-config --variable=backenddir keel)" = "$libdir/keel"
case $libdir in
  "$prefix"/*) ;;
  *) echo "libdir $libdir is not below $prefix"; exit 1 ;;
esac
pkg-config --static --libs keel | grep -q -e '-ldl -lm -pthread'

# A prefix that is chosen when installing is the one that keel.pc names.
"$cmake" --install "$build" --prefix "$work/chosen" >/dev/null
pc=$(find "$work/chosen" -name keel.pc)
test "$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --variable=prefix keel)" = "$work/chosen"
