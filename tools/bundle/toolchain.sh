#!/bin/sh
# Makes FOLDER/cc, ar and ranlib, which compile for ARCH-linux with glibc 2.28: the compiler of the
# PyPI wheel ziglang, which knows the symbols of every glibc.
#   toolchain.sh ARCH FOLDER
set -eu
arch=$1 folder=$2
zig=$("$(dirname "$0")/../wheels.sh" ziglang)/ziglang/zig
mkdir -p "$folder"

# wrap NAME ARGS...: FOLDER/NAME runs zig with those arguments first.
wrap() {
  name=$1
  shift
  printf '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR=%s ZIG_LOCAL_CACHE_DIR=%s\nexec %s %s "$@"\n' \
    "$folder/cache" "$folder/cache" "$zig" "$*" >"$folder/$name.new"
  chmod 755 "$folder/$name.new"
  cmp -s "$folder/$name.new" "$folder/$name" || mv "$folder/$name.new" "$folder/$name"
  rm -f "$folder/$name.new"
}

wrap cc cc -target "$arch-linux-gnu.2.28"
wrap ar ar
wrap ranlib ranlib
