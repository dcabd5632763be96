#!/bin/sh
# Runs the program of a bundle for another architecture under an emulator, with that architecture's C
# library and nothing else of it. Commands that start worker processes are left out: the kernel here
# cannot start them.
#   check_emulated.sh BUNDLE.tar.gz EMULATOR FOLDER-WITH-LIBC
set -eu
bundle=$1 emulator=$2 libc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -C "$work" -xzf "$bundle"
keel=$(echo "$work"/keel-*-linux-*/bin/keel)
failed=0

# expect TEXT ARGS...: ends well and says that.
expect() {
  text=$1
  shift
  code=0
  KEEL_CACHE=off "$emulator" -L "$libc" "$keel" "$@" >"$work/out" 2>&1 || code=$?
  if [ "$code" != 0 ] || ! grep -q "$text" "$work/out"; then
    echo "FAILED: keel $*: exit code $code, or \"$text\" was not said"
    tail -n 20 "$work/out"
    failed=1
  fi
}

expect '^keel [0-9]' --version
expect 'oracle *yes' info ref:0
expect 'keel.softmax' ops
expect '231 of 231 elements are right' op softmax --input 1:f32:7x33 --device ref:0
expect '"status": "OK"' bench --device ref:0 --filter ceiling/launch --repeats 3 --json
for report in "$(dirname "$0")"/../../docs/reports/*.json; do
  expect '<testsuite' report "$report" --format junit
done
exit $failed
