#!/bin/sh
# Builds the libraries that a bundle brings along into PREFIX: those that the program keel is linked
# with, static and with no more in them than it uses, and liblzma.so.5, which libkeel opens.
#   libraries.sh SOURCES WORK PREFIX CMAKE-OPTIONS...
set -eu
sources=$1 work=$2 prefix=$3
shift 3

# library NAME CMAKE-OPTIONS...: if it is not there, or of another version.
library() {
  name=$1
  shift
  cmp -s "$sources/$name.version" "$prefix/$name.version" && return
  rm -rf "${work:?}/$name"
  {
    cmake -S "$sources/$name" -B "$work/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS="$shared" "$@" &&
      cmake --build "$work/$name" && cmake --install "$work/$name"
  } >"$work/$name.log" 2>&1 || {
    tail -n 40 "$work/$name.log" >&2
    exit 1
  }
  cp "$sources/$name.version" "$prefix/"
}

mkdir -p "$work" "$prefix"
(
  shared=ON
  # Its list of symbols names some that this build leaves out.
  export LDFLAGS=-Wl,--undefined-version
  library xz-utils -DCREATE_XZ_SYMLINKS=OFF -DCREATE_LZMA_SYMLINKS=OFF "$@"
)
shared=OFF
library jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF -DJANSSON_WITHOUT_TESTS=ON "$@"

off=''
for part in C14N CATALOG DEBUG DOCB FTP HTML HTTP ICONV ISO8859X LEGACY LZMA MODULES PATTERN PROGRAMS \
  PYTHON READER REGEXPS SAX1 SCHEMAS SCHEMATRON TESTS VALID XINCLUDE XPATH XPTR ZLIB; do
  off="$off -DLIBXML2_WITH_$part=OFF"
done
# shellcheck disable=SC2086 # several words
library libxml2 $off "$@"
