#!/bin/sh
# A bundle on a machine with a driver and neither runtime nor compiler of the vendor: the runtime comes
# from the bundle, kernels from a pack. Driver and runtime are the simulator's.
#   check_packs.sh BUNDLE.tar.gz SIMULATOR PACK_CACHE
set -eu
# shellcheck source-path=SCRIPTDIR source=root.sh
. "$(dirname "$0")/root.sh"
simulator=$2 pack_cache=$3
root_make "$1"
bundle=$work${keel%/bin/keel}

# The kernels of softmax, compiled by the simulator's compiler where it is, are the pack.
mkdir -m 700 "$work/cache"
KEEL_VENDOR_DIR=$simulator KEEL_CACHE=$work/cache KEEL_BACKENDS=ref,cuda "$work$keel" conformance \
  --device cuda:0 --filter 'softmax/f32/*' --quiet --out "$work/tmp/before" >"$work/before" 2>&1 || {
  tail -n 20 "$work/before"
  exit 1
}
arch=$(sed -n 's/.*"arch": *"\(sm_[0-9]*\)".*/\1/p' "$work/tmp/before/report.json" | head -n 1)
"$pack_cache" "$work/cache" cuda "$arch" "$bundle/lib/keel/packs/cuda-$arch.simulated.keelpack"
rm -r "$work/cache"

# The machine has the driver alone; the bundle's runtime is a simulated one, since the real one starts
# on a real driver only.
cp -L "$simulator/libcuda.so.1" "$simulator/libkeel_simulator.so" "$work/lib/"
cp -L "$simulator/cuda-12/libcudart.so.12" "$bundle/lib/keel/vendor/"

expect 0 'cuda:0 .*simulated' devices
expect 0 'came with this copy of libkeel' devices --why
expect 0 'programs for simulated devices, compiled by the simulator' devices --why
expect 0 'exit code 0' conformance --device cuda:0 --filter 'softmax/f32/*' --quiet --out /tmp/after
# Cases that were right where the compiler is are right here.
for file in before after; do
  grep -o '"verdict": *"[A-Z_]*"' "$work/tmp/$file/report.json" | sort | uniq -c >"$work/$file.counts"
done
diff "$work/before.counts" "$work/after.counts" || complain 'verdicts differ'
grep -q PASS "$work/after.counts" || complain 'nothing passed'

# Neither pack nor compiler: which package to install.
expect 3 'nvidia-cuda-nvrtc' op add --input 1:f32:8 --input 2:f32:8 --device cuda:0
grep -q "no kernel pack for cuda $arch has this program either" "$work/out" ||
  complain "it was not said that the pack lacks the program: $(cat "$work/out")"

# A pack that is cut off is named, and nothing else stops.
pack=$bundle/lib/keel/packs/cuda-$arch.simulated.keelpack
head -c 1000 "$pack" >"$pack.new" && mv "$pack.new" "$pack"
expect 0 'cut off' devices --why
expect 3 'there is no kernel pack' op softmax --input 1:f32:8 --device cuda:0
exit $failed
