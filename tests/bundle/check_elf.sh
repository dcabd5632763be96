#!/bin/sh
# Every ELF file of a bundle is for its architecture, needs no symbol of glibc newer than 2.28 and no
# library but glibc's own and the bundle's.
#   check_elf.sh BUNDLE.tar.gz ARCH
set -eu
bundle=$1 arch=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -C "$work" -xzf "$bundle"
top=$(echo "$work"/keel-*-linux-"$arch")
failed=0

complain() {
  echo "FAILED: $*"
  failed=1
}

# newer THAN: of the GLIBC_ versions on stdin, those above it.
newer() {
  while read -r version; do
    [ "$(printf '%s\n%s\n' "$version" "$1" | sort -V | tail -n 1)" = "$1" ] || echo "$version"
  done
}

case $arch in
  x86_64) machine='Advanced Micro Devices X86-64' ;;
  aarch64) machine=AArch64 ;;
esac
find "$top" -type f | sort >"$work/files"
count=0
while read -r file; do
  [ "$(head -c 4 "$file" | tail -c 3)" = ELF ] || continue
  count=$((count + 1))
  name=${file#"$top/"}
  readelf -h "$file" | grep -q "Machine: *$machine" || complain "$name is for another machine"
  for version in $(readelf -V "$file" | grep -o 'GLIBC_[0-9.]*' | sort -u | sed 's/^GLIBC_//' | newer 2.28); do
    complain "$name needs GLIBC_$version"
  done
  for library in $(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
    case $library in
      libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux-*.so.*) ;;
      libkeel.so.0) [ -e "$top/lib/libkeel.so.0" ] || complain "$name needs $library" ;;
      *) complain "$name needs $library" ;;
    esac
  done
  # shellcheck disable=SC2016 # $ORIGIN is the linker's
  ! readelf -d "$file" | grep -E 'RPATH|RUNPATH' | grep -vF '[$ORIGIN/../lib]' ||
    complain "$name looks for libraries in another place than the bundle"
done <"$work/files"
[ "$count" -ge 4 ] || complain "only $count ELF files: bin/keel, libkeel, a backend and libcudart at least"

for file in lib/keel/keel_cuda.so lib/keel/keel_hip.so lib/keel/keel_opencl.so \
  lib/keel/packs/cuda-sm_80.keelpack lib/keel/packs/cuda-sm_89.keelpack \
  lib/keel/packs/cuda-sm_90.keelpack lib/keel/packs/hip-gfx90a.keelpack \
  lib/keel/packs/hip-gfx942.keelpack lib/keel/vendor/libcudart.so.12 lib/keel/vendor/liblzma.so.5 README.md licences/keel.txt \
  licences/libcudart.txt licences/liblzma.txt scripts/gpu-check bin/keel; do
  [ -s "$top/$file" ] || complain "$file is missing"
done
[ "$(wc -c <"$bundle")" -le 50331648 ] || complain "$bundle is larger than 48 MiB"
[ -z "$(find "$top" -perm /022 ! -type l)" ] || complain 'others can write what is in the bundle'
! grep -rqF "$PWD" "$top" || complain "the path of the build, $PWD, is in the bundle"
exit $failed
