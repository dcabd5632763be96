#!/bin/sh
# examples/adopt_cuda_stream.c is built as CUDA code is, with NVIDIA's header, and works on a simulated
# device.
#   check_adopt.sh ROOT BUILD WORK CC
set -eu
source=$1 build=$2 work=$3 cc=$4
mkdir -p "$work"
include=$(dirname "$(find "$("$source/tools/wheels.sh" nvidia-cuda-runtime)" -name cuda_runtime_api.h)")
"$cc" -Wall -Wextra -Werror -I"$source/core/include" -I"$build/include" -isystem "$include" \
  "$source/examples/adopt_cuda_stream.c" -o "$work/adopt_cuda_stream" \
  -L"$build/core" -lkeel "$build/simulator/libcudart.so.13" \
  -Wl,-rpath,"$build/core:$build/simulator"
got=$(KEEL_VENDOR_DIR=$build/simulator "$work/adopt_cuda_stream" 2>&1)
echo "$got"
[ "$got" = '0 0 2' ]
