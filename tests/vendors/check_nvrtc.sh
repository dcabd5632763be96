#!/bin/sh
# The CUDA backend compiles with the NVRTC of CUDA 11, 12 and 13.
#   check_nvrtc.sh ROOT PROGRAM
set -eu
source=$1 program=$2
failed=0
for name in nvidia-cuda-nvrtc-cu11 nvidia-cuda-nvrtc-cu12 nvidia-cuda-nvrtc; do
  folder=$(dirname "$(find "$("$source/tools/wheels.sh" $name)" -name 'libnvrtc.so.*' | head -n 1)")
  echo "$folder"
  "$program" "$folder" || failed=1
done
exit $failed
