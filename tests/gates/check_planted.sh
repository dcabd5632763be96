#!/bin/sh
# Each gate sees what it is for: kernels with one fault each, and which targets must refuse them.
#   check_planted.sh KEEL SOURCE
set -u
# shellcheck source=compilers.sh
. "$(dirname "$0")/compilers.sh"
nvrtc=$("$source/tools/nvrtc.sh") || exit 1

# refuse FILE TARGETS WORD [ARGS...]: just these of all targets, "-" for none, call it wrong, and say
# why.
targets=sm_90,gfx942,opencl-c
refuse() {
  file=$1 wanted=$2 word=$3
  shift 3
  code=0
  want_code=1
  [ "$wanted" != - ] || want_code=0
  "$keel" kernel check "$here/planted/$file.kc" --nvrtc "$nvrtc" --strict "$@" \
    --target "$targets" >"$work/out" 2>"$work/err" || code=$?
  found=$(sed -n 's/^[^ ]*\.kc: \([^ :]*\): wrong, checked by.*/\1/p' "$work/out" | paste -sd,)
  if [ "${found:--}" != "$wanted" ] || [ "$code" != "$want_code" ] ||
    [ "$(grep -c ', checked by' "$work/out")" != 4 ] ||
    ! grep -q -- "$word" "$work/err" "$work/out"; then
    echo "FAILED: $file $*: wrong for \"$found\", not \"$wanted\"; exit code $code; \"$word\"?"
    tail -n 20 "$work/out" "$work/err"
    failed=1
  fi
}

every=sm_90,gfx942,opencl-c-cpu,opencl-c-gpu

refuse good - 'twice: .* 0 spills, 0 bytes of private memory'
refuse good - 'twice: .* 0 spills, 0 bytes of private memory' --dtypes f64
refuse spill sm_90,gfx942 'spills' -D KEEL_BLOCK=1024
refuse private sm_90,gfx942 'private memory; 0 are allowed' -D KEEL_BLOCK=1024
refuse local - ' 32768 bytes of LOCAL' -D SIZE=8192 -D KEEL_BLOCK=64
refuse local opencl-c-cpu,opencl-c-gpu 'allows 32768' -D SIZE=8193 -D KEEL_BLOCK=64
refuse local opencl-c-cpu,opencl-c-gpu ' 49152 bytes of LOCAL' -D SIZE=12288 -D KEEL_BLOCK=64
refuse local sm_90,opencl-c-cpu,opencl-c-gpu 'shared data' -D SIZE=12289 -D KEEL_BLOCK=64
refuse local $every 'exceeds limit' -D SIZE=16385 -D KEEL_BLOCK=64
refuse no_matrix - ' 0 matrix'
refuse no_matrix sm_90,gfx942 'no matrix instructions; at least 1' --matrix
refuse address_space opencl-c-cpu,opencl-c-gpu 'address space'
refuse keyword sm_90,gfx942 'template'
refuse vector_type sm_90 'ext_vector_type'
refuse assembler gfx942,opencl-c-cpu,opencl-c-gpu 'asm'
refuse empty $every 'holds no kernel'
refuse good $every 'has no kernel "thrice"; the first is "twice"' --entry thrice
refuse good - 'twice' --entry twice
targets=sm_75,sm_80,gfx90a,gfx1100
refuse no_matrix sm_80 'no matrix instructions; at least 1' --matrix
exit $failed
