#!/bin/sh
# Unpacks a bundle into an empty root with only the C library and what the kernel gives every system,
# and uses it there. Exit code 77 where such a root cannot be entered.
#   check_bare.sh BUNDLE.tar.gz
set -eu
bundle=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

complain() {
  echo "FAILED: $*"
  failed=1
}

# Runs in the root, with /proc and /dev/null, in name spaces of its own.
inside() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --map-root-user --mount sh -c '
    root=$1
    shift
    mount --rbind /proc "$root/proc" && mount --bind /dev/null "$root/dev/null" &&
      exec chroot "$root" "$@"' inside "$work" "$@"
}

mkdir -p "$work/lib" "$work/lib64" "$work/proc" "$work/dev" "$work/tmp"
: >"$work/dev/null"
tar -C "$work" -xzf "$bundle"
keel=$(cd "$work" && echo keel-*-linux-*/bin/keel)
# The C library of this machine, and the linker that the program names.
linker=$(readelf -l "$work/$keel" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
cp "$linker" "$work$linker"
for name in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1; do
  cp "$(ldconfig -p | sed -n "s/.*$name (libc6,.*=> //p" | head -n 1)" "$work/lib/"
done
inside "/$keel" --version >"$work/out" 2>&1 || {
  cat "$work/out"
  ! grep -q 'unshare\|mount\|Operation not permitted' "$work/out" || exit 77
  exit 1
}

# expect CODE TEXT ARGS...: the program in the root ends with that code and says that.
expect() {
  want=$1 text=$2
  shift 2
  code=0
  inside "/$keel" "$@" >"$work/out" 2>&1 || code=$?
  [ "$code" = "$want" ] || complain "keel $*: exit code $code, not $want"
  grep -q "$text" "$work/out" || complain "keel $*: \"$text\" was not said"
  [ "$failed" = 0 ] || tail -n 20 "$work/out"
}

expect 0 'taken *backend *ref' devices --why
expect 0 'absent .*libOpenCL' devices --why
expect 0 'exit code 0' conformance --device ref:0 --filter 'add/f32/*' --quiet --out /tmp/report
expect 4 'nothing was run' conformance --quiet --out /tmp/nothing
# The parts that use the libraries inside: JSON, and XML for the JUnit view.
expect 0 '<testsuite' report /tmp/report/report.json --format junit
expect 0 '"schema": "keel.bench/1"' bench --device ref:0 --filter ceiling/launch --repeats 3 --json
exit $failed
