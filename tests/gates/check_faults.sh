#!/bin/sh
# Compilers that die, hang, or make what nobody can read: every program is accounted for, and the
# gates go on.
#   check_faults.sh KEEL FOLDER-OF-THE-FAKE-NVRTC
set -u
keel=$1 fake=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# gates CODE ARGS...: runs gates over a few programs and wants the exit code.
gates() {
  want=$1
  shift
  code=0
  "$keel" kernel gates --quiet "$@" >"$work/out" 2>"$work/err" || code=$?
  if [ "$code" != "$want" ]; then
    echo "FAILED: gates $*: exit code $code, not $want"
    tail -n 20 "$work/out" "$work/err"
    failed=1
  fi
}

# counts N TEXT: the output has the text in so many lines.
counts() {
  found=$(grep -c -- "$2" "$work/out" "$work/err" | awk -F: '{n += $NF} END {print n}')
  if [ "$found" != "$1" ]; then
    echo "FAILED: $found lines with \"$2\", not $1:"
    tail -n 20 "$work/out" "$work/err"
    failed=1
  fi
}

# 6 programs: max, min and mul with two groups each.
few='m[aiu]?/*/f32/*'
for fault in crash:'took its process along: signal 11' exit:'exit code 7' \
  hang:'did not end within 1 s' garbage:'bytes that are no ELF file' \
  internal:'NVRTC_ERROR_INTERNAL_ERROR (11)'; do
  export FAKE_NVRTC="${fault%%:*}"
  for jobs in 1 3; do
    gates 1 --nvrtc "$fake" --target sm_90 --filter "$few" --jobs $jobs --limit 1
    counts 6 '^FAILED m'
    counts 1 '^6 programs compiled, 6 failed'
    counts 0 'never compiled'
    [ $jobs != 1 ] || counts 3 "${fault#*:}"
  done
  counts 6 "reproduce: keel kernel gates --target sm_90 --filter '.*' --nvrtc $fake"
done
gates 3 --nvrtc "$fake" --target sm_80 --filter "$few"
counts 1 'sm_80: no compiler that is here knows it'
gates 3 --nvrtc "$work" --target sm_80
counts 1 "no NVRTC in $work"
gates 4 --nvrtc "$fake" --target sm_90 --filter 'nonsense*'
gates 2 --nvrtc "$fake" --target sm_91
gates 2 --nvrtc relative
gates 2 --jobs 0

# A clang that dies once it has a program.
cat >"$work/clang" <<'END'
#!/bin/sh
[ "$1" != --version ] || exec echo 'clang version 99.0'
if grep -q KERNEL; then kill -SEGV $$; fi
END
chmod 755 "$work/clang"
gates 1 --clang "$work/clang" --target opencl-c-cpu --filter "$few"
counts 6 'died with exit code 139'
counts 1 '^opencl-c-cpu  clang 99.0'

# The report counts them, and names each failure with its reason.
gates 1 --clang "$work/clang" --target opencl-c-cpu --filter "$few" --out "$work/report.json"
told=$(jq -r '"\(.schema) \(.filter) \(.rows | map([.target, .compiled, .failed] | join(" ")) | join(";")) " +
  "\([.failures[] | select(.reason | test("exit code 139"))] | length)"' "$work/report.json")
if [ "$told" != "keel.gates/1 $few opencl-c-cpu 6 6 6" ]; then
  echo "FAILED: the report says: $told"
  failed=1
fi
gates 3 --clang "$work/clang" --target opencl-c-cpu --filter "$few" --out "$work/absent/report.json"
counts 1 'absent'
gates 3 --clang /nonexistent/clang --target gfx942
counts 1 'compiles no HIP'
exit "$failed"
