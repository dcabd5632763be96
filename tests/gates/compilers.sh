# shellcheck shell=sh disable=SC2034 # what is set here is used by those who source it
# The compilers that gates need, for the scripts in this folder. They source this file; $1 is the
# program, $2 the source folder. Without clang for AMD's targets they are skipped; NVRTC is fetched.
keel=$1 source=$2
here=$source/tests/gates
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

if ! "$keel" kernel check "$here/planted/good.kc" --target gfx942,opencl-c >"$work/out" 2>&1; then
  grep -q 'what clang is installed' "$work/out" && {
    cat "$work/out"
    exit 77
  }
fi
