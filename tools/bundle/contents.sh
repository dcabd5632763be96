#!/bin/sh
# Adds to a staged bundle what Keel's build does not make: a runtime library of the vendor that may be
# passed on, the library that packs are read with, the check for machines with a GPU, licences, README.
#   contents.sh ARCH STAGE SOURCES LIBRARIES
set -eu
cd "$(dirname "$0")/../.."
arch=$1 stage=$2 sources=$3 libraries=$4
licences=$stage/licences
mkdir -p "$licences" "$stage/lib/keel/vendor" "$stage/scripts"

# CUDA 12 rather than 13: it serves drivers from 525 on, and all newer ones; 13 wants 580.
case $arch in
  x86_64) wheel=nvidia-cuda-runtime-cu12 ;;
  *) wheel=nvidia-cuda-runtime-cu12-$arch ;;
esac
cuda=$(tools/wheels.sh "$wheel")
cp "$cuda/nvidia/cuda_runtime/lib/libcudart.so.12" "$stage/lib/keel/vendor/"
cp -L "$libraries/lib/liblzma.so.5" "$stage/lib/keel/vendor/"

cp scripts/gpu-check "$stage/scripts/"
cp LICENSE "$licences/keel.txt"
cp "$sources/jansson/LICENSE" "$licences/jansson.txt"
cp "$sources/libxml2/Copyright" "$licences/libxml2.txt"
cp "$sources/xz-utils/COPYING" "$licences/liblzma.txt"
cp "$(tools/wheels.sh ziglang)/ziglang/LICENSE" "$licences/zig.txt"
cp "$cuda"/nvidia_cuda_runtime_cu12-*.dist-info/licenses/License.txt "$licences/libcudart.txt"
{
  sed -e "s/@ARCH@/$arch/" tools/bundle/README.in
  echo
  echo 'Made of:'
  echo
  printf -- '- Keel at commit %s\n' "$(git rev-parse HEAD 2>/dev/null || echo unknown)"
  for name in jansson libxml2; do
    printf -- '- %s %s (Debian source package), linked into bin/keel\n' "$name" \
      "$(cat "$sources/$name.version")"
  done
  printf -- '- liblzma.so.5 of xz-utils %s (Debian source package)\n' "$(cat "$sources/xz-utils.version")"
  printf -- '- libcudart of %s\n' "$(basename "$cuda")"
} >"$stage/README.md"
chmod -R go-w "$stage"
