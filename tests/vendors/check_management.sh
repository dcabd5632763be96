#!/bin/sh
# What the CUDA and HIP backends declare of NVML, ROCm SMI, NVTX and rocTX is what these have:
# signatures and numbers by the vendors' own declarations, names by the library where there is one.
set -eu
source=$1 work=$2 cc=$3
here=$source/tests/vendors
# shellcheck source=lists.sh
. "$(dirname "$0")/lists.sh"
failed=0
rm -rf "$work"
mkdir -p "$work"

# check MACRO LIST HEADER LIBRARY CC-OPTION...: LIST ends before _symbols.inc; LIBRARY may be ''.
check() {
  macro=$1 path=$2 header=$3 library=$4
  shift 4
  title=$(basename "$path")
  printf '#include <stdint.h>\n#include <%s>\n' "$header" >"$work/$title.c"
  "$cc" -E "$@" "$work/$title.c" >"$work/$title.i"
  expand "${path}_symbols.inc" "$macro" need,slot,result,name,parameters 'need name' \
    >"$work/$title.functions"
  [ -s "$work/$title.functions" ] || failed=1
  [ -z "$library" ] || exports "$library" >"$work/$title.library"
  absent=''
  while read -r need function; do
    if knows "$work/$title.i" "$function"; then
      [ -z "$library" ] || grep -qx "$function" "$work/$title.library" ||
        complain "$library does not export $function"
    else
      absent="$absent $function"
      [ "$need" = OPTIONAL ] || complain "$header does not declare $function"
    fi
  done <"$work/$title.functions"
  # shellcheck disable=SC2086 # several words
  without "${path}_symbols.inc" $absent >"$work/${title}_symbols_here.inc"
  "$cc" -std=gnu17 -Wall -Wextra -Werror -Wno-deprecated-declarations -Wno-unused-local-typedefs \
    -fsyntax-only "$@" -I"$work" -I"$(dirname "$path")" "$here/${title}_headers.c" ||
    complain "declarations of $title differ from $header"
  printf '%s: %d functions%s\n' "$title" "$(wc -l <"$work/$title.functions")" \
    "${absent:+, newer than the header:$absent}"
}

nvml=$(find "$("$source/tools/wheels.sh" nvidia-nvml-dev)" -name nvml.h)
check NVML_SYMBOL "$source/backends/cuda/nvml" nvml.h '' -isystem "$(dirname "$nvml")"
check RSMI_SYMBOL "$source/backends/hip/rocm_smi" rocm_smi/rocm_smi.h \
  "$("$cc" -print-file-name=librocm_smi64.so.1)"
nvtx=$("$source/tools/wheels.sh" nvidia-nvtx)
check NVTX_SYMBOL "$source/backends/cuda/nvtx" nvtx3/nvToolsExt.h \
  "$(find "$nvtx" -name 'libnvtx3interop.so.*')" \
  -isystem "$(dirname "$(dirname "$(find "$nvtx" -name nvToolsExt.h)")")"
declarations '' "$("$source/tools/wheels.sh" rocm-bindings-systems)/rocm/bindings/cyroctx.pyx" |
  grep -E ' roctxRange(PushA|Pop)[(]' >"$work/roctx.h" || true
check ROCTX_SYMBOL "$source/backends/hip/roctx" roctx.h '' -isystem "$work"
exit $failed
