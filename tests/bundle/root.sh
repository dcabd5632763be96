# shellcheck shell=sh disable=SC2034 # what is set here is used by those who source it
# A root folder with nothing in it but a bundle, the C library of this machine and what the kernel gives
# every system. Sourced: root_make BUNDLE, then inside PROGRAM... . $work is the root, $keel the program's
# path in it.
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
      exec env -i HOME=/tmp "$(command -v chroot)" "$root" "$@"' inside "$work" "$@"
}

# root_make BUNDLE: exit code 77 where such a root cannot be entered.
root_make() {
  mkdir -p "$work/lib" "$work/lib64" "$work/proc" "$work/dev" "$work/tmp"
  : >"$work/dev/null"
  tar -C "$work" -xzf "$1"
  keel=/$(cd "$work" && echo keel-*-linux-*/bin/keel)
  linker=$(readelf -l "$work$keel" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
  cp "$linker" "$work$linker"
  for name in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1; do
    cp "$(ldconfig -p | sed -n "s/.*$name (libc6,.*=> //p" | head -n 1)" "$work/lib/"
  done
  inside "$keel" --version >"$work/out" 2>&1 || {
    cat "$work/out"
    ! grep -q 'unshare\|mount\|Operation not permitted' "$work/out" || exit 77
    exit 1
  }
}

# expect CODE TEXT ARGS...: keel in the root ends with that code and says that.
expect() {
  want=$1 text=$2
  shift 2
  code=0
  inside "$keel" "$@" >"$work/out" 2>&1 || code=$?
  if [ "$code" != "$want" ] || ! grep -q "$text" "$work/out"; then
    complain "keel $*: exit code $code, wanted $want; or \"$text\" was not said:"
    tail -n 20 "$work/out"
  fi
}
