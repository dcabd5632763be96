#!/bin/sh
# matmul through the vendors' GEMM libraries, on simulated ones: they run what they take, keel's own
# kernels the rest, also where a library turns out to have no kernel.
#   check_blas.sh KEEL FOLDER_OF_THE_SIMULATOR
set -u
# shellcheck source=tests/cli/program.sh
. "$(dirname "$0")/../cli/program.sh"
here=$(dirname "$0")
simulator=$2

# suite DEVICE NAME: the matmul cases of the smoke tier, with the GEMM libraries in reach.
suite() {
  KEEL_VENDOR_DIR=$simulator/blas "$here/run_simulated.sh" "$simulator" "$keel" conformance \
    --device "$1" --filter 'matmul/*' --out "$work/$2" --quiet >"$work/log" 2>&1 || {
    complain "matmul on $1 ($2):"
    tail -n 20 "$work/log"
  }
}

# ran NAME VARIANT: how many cases that ran.
ran() {
  grep -c "\"variant\": \"$2\"" "$work/$1/report.json"
}

# suite_tf32 DEVICE LIBRARY: a permission to use tf32 changes what a library that knows it computes.
suite_tf32() {
  for allowed in 0 1; do
    KEEL_VENDOR_DIR=$simulator/blas "$here/run_simulated.sh" "$simulator" "$keel" op matmul \
      --device "$1" --input 1:f32:40x50 --input 2:f32:50x30 --attr allow_tf32=$allowed \
      --output "$work/$allowed.npy" >"$work/log" 2>&1 || complain "$(cat "$work/log")"
    grep -q "on $1: $2" "$work/log" || complain "$2 did not run: $(cat "$work/log")"
  done
  same=no
  ! cmp -s "$work/0.npy" "$work/1.npy" || same=yes
  case $2:$same in
    cublaslt:no | hipblaslt:yes) ;;
    *) complain "$2: equal results with and without tf32: $same" ;;
  esac
}

for vendor in cuda:cublaslt hip:hipblaslt; do
  device=${vendor%:*}:0 library=${vendor#*:}
  suite "$device" "$library"
  [ "$(ran "$library" "$library")" -ge 20 ] || complain "$library ran $(ran "$library" "$library") cases"
  [ "$(ran "$library" 'matmul.[a-z]*')" -ge 5 ] || complain 'nothing was left to the kernels'
  suite_tf32 "$device" "$library"
  KEEL_SIMULATOR=blaslt_none=1 suite "$device" none
  [ "$(ran none "$library")" = 0 ] || complain "$library ran without an algorithm"
done
exit $failed
