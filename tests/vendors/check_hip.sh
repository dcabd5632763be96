#!/bin/sh
# What the HIP backend declares of HIP is what HIP 5 (Debian's headers and library) and HIP 7 (the
# declarations in AMD's own bindings for Cython) have: signatures, numbers, names.
set -eu
source=$1 work=$2 cc=$3
here=$source/tests/vendors
backend=$source/backends/hip
# shellcheck source=lists.sh
. "$(dirname "$0")/lists.sh"
failed=0
rm -rf "$work"
mkdir -p "$work/5" "$work/7"

# functions: library, need and name of each.
functions() {
  expand "$backend/hip_symbols.inc" HIP_SYMBOL library,need,slot,result,name,parameters \
    'library need name'
}

# numbers: the vendor's name of each.
numbers() {
  expand "$backend/hip_numbers.inc" HIP_NUMBER name,value,real real
  expand "$backend/hip_numbers.inc" HIP_CODE value,status,real real
  expand "$backend/hip_numbers.inc" HIP_COMPILER_CODE value,status,real real
}

# compile VERSION ABSENT...: the lists without the absent names beside the headers.
compile() {
  version=$1
  shift
  without "$backend/hip_symbols.inc" "$@" >"$work/$version/hip_symbols_here.inc"
  without "$backend/hip_numbers.inc" "$@" >"$work/$version/hip_numbers_here.inc"
  "$cc" -std=gnu17 -Wall -Wextra -Werror -Wno-unused-local-typedefs -fsyntax-only \
    "-DHIP_HEADERS=$version" -I"$work/$version" -I"$backend" -I"$source/backends/gpu_common" \
    "$here/hip_headers.c" || complain "HIP $version: the backend's declarations differ"
}

functions >"$work/functions"
numbers >"$work/numbers"

printf '#include <hip/%s>\n' hip_runtime_api.h hiprtc.h >"$work/5/headers.c"
"$cc" -E -dD -D__HIP_PLATFORM_AMD__ "$work/5/headers.c" >"$work/5/headers.i"
exports "$("$cc" -print-file-name=libamdhip64.so.5)" >"$work/5/library"
absent=''
while read -r library need name; do
  if knows "$work/5/headers.i" "$name"; then
    grep -qx "$name" "$work/5/library" || complain "HIP 5: $library does not export $name"
  else
    absent="$absent $name"
    [ "$need" = OPTIONAL ] || complain "HIP 5: the headers do not declare $name"
  fi
done <"$work/functions"
while read -r name; do
  knows "$work/5/headers.i" "$name" || absent="$absent $name"
done <"$work/numbers"
# shellcheck disable=SC2086 # several words
printf '%s\n' $absent >"$work/5/absent"
# shellcheck disable=SC2086
compile 5 $absent

core=$("$source/tools/wheels.sh" rocm-bindings-core)
bindings=$("$source/tools/wheels.sh" rocm-bindings-hip)
declarations hip7_ "$bindings/rocm/bindings/cyhip.pyx" "$bindings/rocm/bindings/cyhiprtc.pyx" \
  >"$work/7/declarations"
PYTHONPATH=$bindings:$core python3 -B "$here/hip_numbers.py" hip hiprtc \
  <"$work/numbers" >"$work/7/numbers"
# HIP 6 gave this name to another layout, and the header hides it; the library keeps the old one.
hidden=hipGetDeviceProperties
absent=$hidden
while read -r library need name; do
  if [ "$name" = "$hidden" ] || knows "$work/7/declarations" "hip7_$name"; then
    grep -w "hip7_$name" "$work/7/declarations" >>"$work/7/hip7.h" || true
    continue
  fi
  [ "$need" = OPTIONAL ] || complain "HIP 7: the bindings do not declare $name of $library"
  absent="$absent $name"
done <"$work/functions"
while read -r name value; do
  if [ -n "$value" ]; then
    printf '#define HIP7_%s %s\n' "$name" "$value" >>"$work/7/hip7.h"
  else
    absent="$absent $name"
  fi
done <"$work/7/numbers"
# shellcheck disable=SC2086
printf '%s\n' $absent >"$work/7/absent"
# shellcheck disable=SC2086
compile 7 $absent

everywhere=$(sort "$work"/*/absent | uniq -d)
[ -z "$everywhere" ] || complain "no HIP has:" "$everywhere"
printf '%d functions, %d numbers\n' "$(wc -l <"$work/functions")" "$(wc -l <"$work/numbers")"
[ -s "$work/functions" ] && [ -s "$work/numbers" ] || failed=1
exit $failed
