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

for vendor in cuda:cublaslt hip:hipblaslt; do
  device=${vendor%:*}:0 library=${vendor#*:}
  suite "$device" "$library"
  [ "$(ran "$library" "$library")" -ge 20 ] || complain "$library ran $(ran "$library" "$library") cases"
  [ "$(ran "$library" 'matmul.[a-z]*')" -ge 5 ] || complain 'nothing was left to the kernels'
  KEEL_SIMULATOR=blaslt_none=1 suite "$device" none
  [ "$(ran none "$library")" = 0 ] || complain "$library ran without an algorithm"
done
exit $failed
