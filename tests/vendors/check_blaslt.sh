#!/bin/sh
# What the backends declare of cuBLASLt (CUDA 11, 12, 13) and hipBLASLt (HIP 7) is what these have.
#   check_blaslt.sh SOURCE WORK CC cuda|hip
set -eu
source=$1 work=$2 cc=$3 backend=$4
here=$source/tests/vendors
# shellcheck source=lists.sh
. "$(dirname "$0")/lists.sh"
failed=0
rm -rf "$work"
mkdir -p "$work"
list=$source/backends/$backend/${backend}_blaslt.inc
upper=$(printf '%s' "$backend" | tr '[:lower:]' '[:upper:]')
expand "$list" "${upper}_BLASLT_SYMBOL" slot,name,parameters name >"$work/functions"
expand "$list" "${upper}_BLASLT_NUMBER" slot,value,real real >"$work/numbers"

compile() {
  "$cc" -std=gnu17 -Wall -Wextra -Werror -Wno-deprecated-declarations -Wno-unused-local-typedefs \
    -fsyntax-only "$@" -I"$source/backends/gpu_common" -I"$source/backends/$backend" \
    -I"$source/core/include" "$here/${backend}_blaslt_headers.c" ||
    complain "declarations of ${backend}_blaslt differ ($*)"
}

include_of() {
  dirname "$(find "$1" -name "$2")"
}

cuda() {
  for major in -cu11 -cu12 ''; do
    runtime=$("$source/tools/wheels.sh" "nvidia-cuda-runtime$major")
    library=$("$source/tools/wheels.sh" "nvidia-cublas$major")
    compile -isystem "$(include_of "$runtime" cuda_runtime_api.h)" \
      -isystem "$(include_of "$library" cublasLt.h)"
    exports "$(find "$library" -name 'libcublasLt.so.*')" >"$work/library"
    while read -r name; do
      grep -qx "$name" "$work/library" || complain "libcublasLt$major does not export $name"
    done <"$work/functions"
  done
}

hip() {
  libraries=$("$source/tools/wheels.sh" rocm-bindings-libraries)
  path=$libraries:$("$source/tools/wheels.sh" rocm-bindings-hip)
  path=$path:$("$source/tools/wheels.sh" rocm-bindings-core)
  {
    types "$libraries/rocm/bindings/cyhipblaslt.pxd"
    declarations '' "$libraries/rocm/bindings/cyhipblaslt.pyx" |
      grep -E ' hipblasLt(Create|Destroy|Matmul[A-Za-z]*|MatrixLayout[A-Za-z]*)[(]'
  } >"$work/hipblaslt7.h"
  {
    grep -v sizeof "$work/numbers"
    printf '%s\n' HIP_R_32F HIP_R_64F HIP_R_16F HIP_R_16BF HIPBLASLT_EPILOGUE_BIAS
  } | PYTHONPATH=$path python3 -B "$here/hip_numbers.py" hip hipblas hipblaslt |
    while read -r name value; do
      printf 'enum { %s = %s };\n' "$name" "$value" # one without a value does not compile
    done >"$work/hipblaslt7_numbers.h"
  compile -I"$work"
}

case $backend in
  cuda) cuda ;;
  hip) hip ;;
esac
printf '%s: %d functions, %d numbers\n' "$backend" "$(wc -l <"$work/functions")" \
  "$(wc -l <"$work/numbers")"
[ -s "$work/functions" ] && [ -s "$work/numbers" ] || failed=1
exit $failed
