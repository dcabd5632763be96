#!/bin/sh
# Builds build/bundle/keel-VERSION-linux-ARCH.tar.gz, a Keel that runs on any Linux with glibc 2.28 or
# newer and nothing installed (docs/bundle.md), and prints its path. "./run bundle" calls it.
#   bundle.sh ARCH           with packs of all programs, which takes an hour the first time
#   bundle.sh ARCH FILTER    for tests: packs of these programs only; in build/bundle/partial
# The release build's program compiles the packs; KEEL names another one.
set -eu
cd "$(dirname "$0")/../.."
arch=$1 filter=${2:-}
keel=${KEEL:-$PWD/build/release/cli/keel}
tools=$PWD/tools/bundle
out=$PWD/build/bundle
work=$out/$arch
archives=$out${filter:+/partial}
packs=$archives/packs
version=$(sed -n 's/^project(keel VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=keel-$version-linux-$arch
stage=$work/stage/$name
limit_mib=48

mkdir -p "$work" "$archives"
"$tools/toolchain.sh" "$arch" "$work/toolchain"
"$tools/sources.sh" "$out/sources"
set -- -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchain-glibc-2.28.cmake" -DKEEL_ARCH="$arch" \
  -DKEEL_TOOLCHAIN="$work/toolchain" -DKEEL_DEPENDENCIES="$work/libraries"
"$tools/libraries.sh" "$out/sources" "$work/build" "$work/libraries" "$@"

build() {
  # Types of the OpenCL API, apart from this machine's other headers.
  mkdir -p "$work/libraries/include"
  rm -rf "$work/libraries/include/CL"
  cp -R /usr/include/CL "$work/libraries/include/"
  cmake -S . -B "$work/keel" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib \
    -DBUILD_TESTING=OFF -DKEEL_BUILD_EXAMPLES=OFF "$@"
  cmake --build "$work/keel" -j "$(nproc)"
}
build "$@" >"$work/build.log" 2>&1 || {
  tail -n 40 "$work/build.log" >&2
  exit 1
}
rm -rf "$work/stage"
cmake --install "$work/keel" --prefix "$stage" >"$work/install.log"
rm -r "$stage/include" "$stage/lib/cmake" "$stage/lib/pkgconfig" "$stage/lib/libkeel.so"
"$tools/packs.sh" "$keel" "$packs" "$filter"
mkdir "$stage/lib/keel/packs"
cp "$packs"/*.keelpack "$stage/lib/keel/packs/"
"$tools/contents.sh" "$arch" "$stage" "$out/sources" "$work/libraries"

# Equal contents give equal bytes: sorted names, one date, no owner.
date=$(git log -1 --format=%ct 2>/dev/null || echo 0)
tar -C "$work/stage" --sort=name --mtime="@$date" --owner=0 --group=0 --numeric-owner -cf - "$name" |
  gzip -9n >"$archives/$name.tar.gz.new"
size=$(wc -c <"$archives/$name.tar.gz.new")
if [ "$size" -gt $((limit_mib << 20)) ]; then
  echo "bundle: $name.tar.gz has $size bytes, the limit is $limit_mib MiB" >&2
  exit 1
fi
mv "$archives/$name.tar.gz.new" "$archives/$name.tar.gz"
echo "$archives/$name.tar.gz"
