#!/bin/sh
# The suite over a vendor library that aborts, hangs, or loses its device in the middle, and over a
# plugin whose streams do not wait for events: each is reported as what it is, and the run goes on.
#   check_recovery.sh KEEL FOLDER
set -eu
keel=$1
KEEL_VENDOR_DIR=$2
export KEEL_VENDOR_DIR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# run WANTED-EXIT-CODE OPTIONS DEVICE ARGUMENTS...: a run of the suite, whose table is in $work/out.
run() {
  wanted=$1 options=$2 device=$3
  shift 3
  code=0
  KEEL_SIMULATOR=$options "$keel" conformance --device "$device" --quiet --out "$work/run" "$@" \
    >"$work/out" 2>"$work/err" || code=$?
  if [ "$code" != "$wanted" ]; then
    echo "$options on $device: exit code $code, wanted $wanted"
    cat "$work/out" "$work/err"
    failed=1
  fi
}

# has VERDICT COUNT: at least so many cases of that verdict.
has() {
  found=$("$keel" report --format csv "$work/run/report.json" | grep -c ",\"$1\"," || true)
  if [ "$found" -lt "$2" ]; then
    echo "$options on $device: $found cases $1, wanted $2"
    cat "$work/out"
    failed=1
  fi
}

for device in cuda:0 hip:0; do
  # The library aborts at a launch: this case crashes, in the retries too; all others pass.
  run 1 abort_at=1 "$device" --filter 'add/f32/flat*'
  has CRASH 1
  run 1 "abort_call=*EventRecord" "$device" --filter 'queue/*'
  has CRASH 1
  has PASS 1
  # A kernel that never ends, and a call that never returns.
  run 1 hang_at=1 "$device" --filter 'add/f32/flat*' --limit 1
  has TIMEOUT 1
  run 1 "hang_call=*EventRecord" "$device" --filter 'queue/*' --limit 1
  has TIMEOUT 1
  has PASS 1
  # Waits that the plugin makes and the device ignores.
  run 1 ignore_waits=1,schedule=late "$device" --filter 'queue/*across_queues'
  has FAIL 2
  run 1 ignore_waits=1 "$device" --filter 'queue/*across_queues' # in a random order
  has FAIL 1
  for order in schedule=late schedule=early seed=2 seed=3 seed=4; do
    run 0 "$order" "$device" --filter 'queue/*'
  done
done
exit "$failed"
