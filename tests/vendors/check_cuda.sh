#!/bin/sh
# What the CUDA backend declares of CUDA is what CUDA 11, 12 and 13 have: signatures and numbers by
# NVIDIA's headers, names by the libraries.
set -eu
source=$1 work=$2 cc=$3
here=$source/tests/vendors
backend=$source/backends/cuda
# shellcheck source=lists.sh
. "$(dirname "$0")/lists.sh"
failed=0
rm -rf "$work"
mkdir -p "$work"

# functions MAJOR: library, need and name of each.
functions() {
  newest=CUDA_SYMBOL_12
  [ "$1" -ge 12 ] || newest=CUDA_SYMBOL_11
  expand "$backend/cuda_symbols.inc" CUDA_SYMBOL library,need,version,slot,result,name,parameters \
    'library need name' "-D$newest=CUDA_SYMBOL"
}

# numbers: the vendor's name of each.
numbers() {
  expand "$backend/cuda_numbers.inc" CUDA_NUMBER name,value,real real
  expand "$backend/cuda_numbers.inc" CUDA_CODE value,status,real real
  expand "$backend/cuda_numbers.inc" CUDA_COMPILER_CODE value,status,real real
}

# is_exported LIBRARY NAME: the driver is on no machine that only builds.
is_exported() {
  case $1 in
    DRIVER) ;;
    *) grep -qx "$2" "$folder/$1" ;;
  esac
}

# check_major MAJOR FOLDERS: all that is said above for one major. Names that it does not have are
# left out, and added to the list of them.
check_major() {
  major=$1
  folder=$work/$major
  mkdir "$folder"
  include=''
  for file in cuda_runtime_api.h nvrtc.h; do
    # shellcheck disable=SC2086 # several words
    include="$include -isystem $(dirname "$(find $2 -name $file)")"
  done
  # shellcheck disable=SC2086
  exports "$(find $2 -name 'libcudart.so.*')" >"$folder/RUNTIME"
  # shellcheck disable=SC2086
  exports "$(find $2 -name 'libnvrtc.so.*')" >"$folder/COMPILER"
  printf '#include <%s>\n' cuda.h cuda_runtime_api.h nvrtc.h >"$folder/headers.c"
  # shellcheck disable=SC2086
  "$cc" -E -dD $include "$folder/headers.c" >"$folder/headers.i"

  absent=''
  functions "$major" >"$folder/functions"
  while read -r library need name; do
    if knows "$folder/headers.i" "$name"; then
      is_exported "$library" "$name" || complain "CUDA $major: no library exports $name"
      continue
    fi
    absent="$absent $name"
    if [ "$need" = REQUIRED ] || grep -qsx "$name" "$folder/$library"; then
      complain "CUDA $major: the headers do not declare $name"
    fi
  done <"$folder/functions"
  numbers >"$folder/numbers"
  while read -r name; do
    knows "$folder/headers.i" "$name" || absent="$absent $name"
  done <"$folder/numbers"
  # shellcheck disable=SC2086
  printf '%s\n' $absent | sort -u >"$folder/absent"

  # shellcheck disable=SC2086
  without "$backend/cuda_symbols.inc" $absent >"$folder/cuda_symbols_here.inc"
  # shellcheck disable=SC2086
  without "$backend/cuda_numbers.inc" $absent >"$folder/cuda_numbers_here.inc"
  # shellcheck disable=SC2086
  "$cc" -std=gnu17 -Wall -Wextra -Werror -Wno-deprecated-declarations -Wno-unused-local-typedefs \
    -fsyntax-only $include -I"$folder" -I"$backend" -I"$source/backends/gpu_common" \
    "$here/cuda_headers.c" || complain "CUDA $major: the backend's declarations differ"
}

fetch() {
  "$source/tools/wheels.sh" "nvidia-cuda-runtime$1" "nvidia-cuda-nvrtc$1"
}

check_major 11 "$(fetch -cu11)"
check_major 12 "$(fetch -cu12)"
check_major 13 "$(fetch '')"

everywhere=$(sort "$work"/*/absent | uniq -c | awk '$1 == 3 {print $2}')
[ -z "$everywhere" ] || complain "no CUDA has:" "$everywhere"
printf '%d functions, %d numbers\n' "$(wc -l <"$work/13/functions")" "$(wc -l <"$work/13/numbers")"
[ -s "$work/13/functions" ] && [ -s "$work/13/numbers" ] || failed=1
exit $failed
