#!/bin/sh
# --variant: cases run by one implementation, and what it does not take is said so. With CLBlast on
# an OpenCL device, which a CPU gets only by name.
set -u
# shellcheck source=program.sh
. "$(dirname "$0")/program.sh"

# passes VARIANT TYPE: cases of that element type which the variant ran and passed.
passes() {
  "$keel" report --format csv "$work/$1/report.json" | grep "\"matmul/$2/" | grep -c "\"PASS\",\"$1\""
}

for variant in clblast matmul.simt; do
  expect 0 conformance --device opencl:0 --variant $variant --filter 'matmul/*' \
    --out "$work/$variant" --quiet
  [ "$(passes $variant f32)" -ge 10 ] || complain "$variant passed $(passes $variant f32) cases of f32"
  grep -q "\"variant\": \"$variant\"" "$work/$variant/report.json" || complain "$variant did not run"
  grep -q '"variant": "matmul.simd"' "$work/$variant/report.json" && complain "another than $variant ran"
done
[ "$(passes clblast f16)" = 0 ] || complain 'CLBlast ran f16, whose sums it makes in f16'
grep -q 'asked for clblast: .*clblast: only f32 and f64' "$work/clblast/report.json" ||
  complain 'no word why CLBlast does not take f16'

# By itself a CPU takes the portable kernels.
expect 0 conformance --device opencl:0 --filter 'matmul/f32/square*' --out "$work/own" --quiet
grep -q '"variant": "matmul.simd"' "$work/own/report.json" || complain 'a CPU did not take matmul.simd'
exit $failed
