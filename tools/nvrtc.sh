#!/bin/sh
# Directories of NVRTC, NVIDIA's run-time compiler, a line each; tools/wheels.sh fetches what is not
# there yet.
#
#   tools/nvrtc.sh [MAJOR...]    major versions of CUDA, newest first; default: 13
set -eu
here=$(dirname "$0")
[ $# != 0 ] || set -- 13
for major in "$@"; do
  case $major in
    13) wheel=nvidia-cuda-nvrtc ;; # the name has no number any more
    *) wheel=nvidia-cuda-nvrtc-cu$major ;;
  esac
  folder=$("$here/wheels.sh" "$wheel")
  library=$(find "$folder" -name 'libnvrtc.so.*' | head -n 1)
  [ -n "$library" ] || {
    printf 'nvrtc: there is no libnvrtc in %s\n' "$folder" >&2
    exit 1
  }
  dirname "$library"
done
