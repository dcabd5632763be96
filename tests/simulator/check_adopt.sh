#!/bin/sh
# examples/adopt_cuda_stream.c, which links CUDA's runtime, on the simulated one.
#   check_adopt.sh SOURCE WORK CC LIBKEEL FOLDER_OF_THE_SIMULATOR INCLUDE...
set -eu
source=$1 work=$2 cc=$3 library=$4 simulator=$5
shift 5
rm -rf "$work"
mkdir -p "$work"
cuda=$("$source/tools/wheels.sh" nvidia-cuda-runtime)
headers=$(dirname "$(find "$cuda" -name cuda_runtime_api.h | head -n 1)")
for folder in "$@"; do
  set -- "$@" "-I$folder"
  shift
done
"$cc" -std=c11 -Wall -Werror "$@" -isystem "$headers" "$source/examples/adopt_cuda_stream.c" \
  "$library" "$simulator/libcudart.so.13" "-Wl,-rpath,$(dirname "$library"):$simulator" \
  -o "$work/adopt_cuda_stream"
printed=$("$source/tests/simulator/run_simulated.sh" "$simulator" "$work/adopt_cuda_stream")
[ "$printed" = '0 0 2' ] || {
  echo "it printed \"$printed\", not \"0 0 2\""
  exit 1
}
