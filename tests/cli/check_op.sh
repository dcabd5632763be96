#!/bin/sh
# keel op, ops, info, devices and kernel check on the oracle device.
set -u
# shellcheck source=program.sh
. "$(dirname "$0")/program.sh"

expect 0 op add --input 1:f32:3x4 --input 2:f32:4 --device ref:0
mentions out 'out: f32 [3, 4]' op add
mentions out 'oracle: 12 of 12 elements are right' op add

# Optional inputs behind the last one given are absent; "none" is for those before it.
expect 0 op matmul --input 1:f32:2x3 --input 2:f32:3x2 --device ref:0 --against ref
expect 0 op matmul --input 1:f32:2x3 --input 2:f32:3x2 --input none --input 3:f32:2x2 --device ref:0
expect 2 op matmul --input 1:f32:2x3 --device ref:0

# What was saved is read back; x + 0 is x.
expect 0 op add --input 5:f32:2x3 --input 0:f32:1 --device ref:0 --output "$work/a.npy"
expect 0 op sub --input "$work/a.npy" --input 0:f32:1 --device ref:0 --output "$work/b.npy"
mentions out 'right' op sub
expect 0 op add --input "$work/b.npy" --input 0:f32:1 --device ref:0 --output "$work/c.npy" --against ref
mentions out 'against ref:0: 0 of 6 elements differ' op add
cmp -s "$work/a.npy" "$work/c.npy" || complain 'add, subtract and add again changed a file'

# bf16 travels as its bits.
expect 0 op add --input 1:bf16:8 --input 2:bf16:8 --device ref:0 --output "$work/h.npy"
expect 0 op neg --input "$work/h.npy:bf16" --device ref:0
mentions out 'out: bf16 [8]' op neg
expect 2 op neg --input "$work/a.npy:bf16" --device ref:0

expect 3 op add --input 1:f32:3 --input 1:f32:3 --device nope:0
mentions err nope:0 op add --device nope:0
expect 3 op add --input 1:f32:3 --input 1:f32:3 --output /dev/null/x.npy --device ref:0

expect 0 ops
mentions out keel.add ops
expect 0 ops add
mentions out "the contract's oracle" ops add
expect 0 info ref:0
mentions out 'oracle             yes' info ref:0
export KEEL_BACKENDS=fake_telemetry,fake_telemetry_mute
export KEEL_BACKEND_FILES="$2/keel_fake_telemetry.so:$2/keel_fake_telemetry_mute.so"
expect 0 info fake_telemetry:0
mentions out 'clock              1410 MHz' info fake_telemetry:0
mentions out 'not offered        clock limit, ' info fake_telemetry:0
expect 0 info fake_telemetry_mute:0
mentions out 'unknown: fake: it does not say' info fake_telemetry_mute:0
export KEEL_BACKENDS=fake_gpu_by_both,fake_gpu_by_uuid
export KEEL_BACKEND_FILES="$2/keel_fake_gpu_by_both.so:$2/keel_fake_gpu_by_uuid.so"
expect 0 devices
mentions out ', the same hardware as fake_gpu_by_uuid:0' devices
export KEEL_BACKENDS=ref KEEL_BACKEND_FILES=
expect 0 devices
mentions out ref:0 devices
expect 0 devices --why
mentions out 'not selected by KEEL_BACKENDS' devices --why
expect 0 devices --json
mentions out '"load_report"' devices --json

cat >"$work/good.kc" <<'END'
KERNEL3(twice, GLOBAL const T0 *, x, GLOBAL T0 *, y, const KMETA2, m)
{
    RANGE(i, m.extent[0])
    {
        ST0(y, i, LD0(x, i) + LD0(x, i));
    }
}
END
sed 's/LD0(x, i))/LD9(x, i))/' "$work/good.kc" >"$work/bad.kc"
if clang --version >/dev/null 2>&1; then
  expect 0 kernel check "$work/good.kc"
  mentions out 'checked by clang' kernel check
  expect 1 kernel check "$work/bad.kc"
  mentions err 'bad.kc:5:' kernel check
  expect 0 kernel check "$work/good.kc" --dtypes f16
  expect 0 kernel check "$work/good.kc" --dtypes f64
  sed 's/ST0(y/const double d = 1.0; ST0(y/' "$work/good.kc" >"$work/double.kc"
  expect 1 kernel check "$work/double.kc"
  mentions err cl_khr_fp64 kernel check
  : >"$work/empty.kc"
  expect 1 kernel check "$work/empty.kc"
  mentions err 'holds no kernel' kernel check
  expect 1 kernel check "$work/good.kc" --entry thrice
  mentions err 'has no kernel "thrice"' kernel check --entry
  expect 0 kernel check "$work/good.kc" --entry twice
fi
exit "$failed"
