#!/bin/sh
# Packs hold what devices will ask for; equal calls make equal files; nothing half made is left.
#   check_pack.sh KEEL SOURCE PACK_CONTENTS FOLDER-OF-THE-FAKE-NVRTC
set -u
# shellcheck source=compilers.sh
. "$(dirname "$0")/compilers.sh"
contents=$3 fake=$4

# pack CODE FILE ARGS...
pack() {
  want=$1 file=$2
  shift 2
  code=0
  "$keel" kernel pack --quiet --output "$file" "$@" >"$work/out" 2>"$work/err" || code=$?
  if [ "$code" != "$want" ]; then
    echo "FAILED: pack $*: exit code $code, not $want"
    tail -n 20 "$work/out" "$work/err"
    failed=1
  fi
}

mkdir "$work/packs"
pack 0 "$work/packs/a" --target gfx942 --filter 'copy/*'
grep -q ' programs for hip gfx942 by clang ' "$work/out" || {
  echo 'FAILED: it does not say what is in the pack'
  failed=1
}
"$contents" "$work/packs/a" gfx942 'copy/*' || failed=1
pack 0 "$work/packs/b" --target gfx942 --filter 'copy/*' --jobs 1
cmp "$work/packs/a" "$work/packs/b" || failed=1
pack 0 "$work/packs/b" --target gfx942 --filter 'copy/*' --compress
if [ $(($(wc -c <"$work/packs/b") * 2)) -gt "$(wc -c <"$work/packs/a")" ]; then
  echo "FAILED: compressed, it is not half as long: $(ls -l "$work/packs")"
  failed=1
fi
nvrtc=$("$source/tools/nvrtc.sh") || exit 1
pack 0 "$work/packs/a" --target sm_80 --filter 'copy/*' --nvrtc "$nvrtc"
"$contents" "$work/packs/a" sm_80 'copy/*' || failed=1
rm "$work/packs/"*

# A program that fails, a place that cannot be written, and what is no target of packs.
pack 1 "$work/packs/c" --target sm_90 --filter 'copy/*' --nvrtc "$fake"
pack 3 "$work/none/c" --target gfx942 --filter 'copy/*'
pack 4 "$work/packs/c" --target gfx942 --filter 'nonsense'
pack 2 "$work/packs/c" --target opencl-c
pack 2 "$work/packs/c" --target sm_80,sm_90
pack 2 "$work/packs/c"
if [ -n "$(ls -A "$work/packs")" ]; then
  echo 'FAILED: something was left behind:'
  ls -la "$work/packs"
  failed=1
fi
exit "$failed"
