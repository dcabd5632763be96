#!/bin/sh
# Headers, run-time libraries and compilers of vendors, for tests and bundles, from PyPI: fetches
# what is not there yet, and prints the folder of each.
#
#   tools/wheels.sh NAME...    e.g. $ tools/wheels.sh nvidia-cuda-runtime
#                              /.../build/wheels/nvidia-cuda-runtime-13.5.37
#   tools/wheels.sh            lists the names
#
# The folders are build/wheels/NAME-VERSION; KEEL_WHEELS_DIR (absolute) names another place than
# build/wheels, so that several checkouts can share them. Nothing that is installed depends on this.
set -eu
cd "$(dirname "$0")/.."
wheels=${KEEL_WHEELS_DIR:-$PWD/build/wheels}

# Name, version, SHA-256 of the wheel for x86-64 Linux. This is the only list. Those of cublas have
# 400 to 600 MB each: for tests that are labelled long. A name that ends with "-aarch64" is the wheel
# for that architecture, of the project without this end.
list() {
  cat <<'END'
nvidia-cuda-runtime-cu11 11.8.89      92d04069a987e1fbc9213f8376d265df0f7bb42617d44f5eda1f496acea7f2d1
nvidia-cuda-runtime-cu12 12.9.79      25bba2dfb01d48a9b59ca474a1ac43c6ebf7011f1b0b8cc44f54eb6ac48a96c3
nvidia-cuda-runtime-cu12-aarch64 12.9.79      83469a846206f2a733db0c42e223589ab62fd2fabac4432d2f8802de4bded0a4
nvidia-cuda-runtime      13.5.37      df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d
nvidia-cuda-nvrtc-cu11   11.8.89      a8d02f3cba345be56b1ffc3e74d8f61f02bb758dd31b0f20e12277a5a244f756
nvidia-cuda-nvrtc-cu12   12.9.86      210cf05005a447e29214e9ce50851e83fc5f4358df8b453155d5e1918094dcb4
nvidia-cuda-nvrtc        13.5.37      86b4d68058807988b7d9af5b44917a0601e9c337f35ccd657bfb3c759ff8d8bc
nvidia-cublas-cu11       11.11.3.6    60252822adea5d0b10cd990a7dc7bedf7435f30ae40083c7a624a85a43225abc
nvidia-cublas-cu12       12.9.1.4     453611eb21a7c1f2c2156ed9f3a45b691deda0440ec550860290dc901af5b4c2
nvidia-cublas            13.10.0.20   dcc6d63884c53d07e267ce7e6feac17b2538cebaafec5db865736c3e28e4dc84
nvidia-nvml-dev          13.4.92      90b65cebefd02a1e695675177c9d7886f48322906ce5c03398e8cb27cc5ad2d6
nvidia-nvtx              13.4.92      6d14c3b7a91917892f0f54fca352acd315fbadcc92bdc616a9bc3f626e9f1e28
rocm-bindings-hip        10.0.0.0.1.2 b288d26fac3ab77d2f25f4b832397abb1d01157871f23226f9dd389e92b22ee4
rocm-bindings-core       10.0.0.0.1.2 943da68c125cbc7f9ecdc8106241881ae29b36fd6b20e62ac0a7bc2782a41041
rocm-bindings-libraries  10.0.0.0.1.2 1f31dac4a9edaa49c298fa946f52f26c4265ee29e9ced43d5b50306b8cc26380
rocm-bindings-systems    10.0.0.0.1.2 6e49433cceaf8a5bcb6991b7319042a5db66998fd605cf51bbefa0109ab8df84
ziglang                  0.15.2       806316453d1ede7174ed3fefb8e5348154629089c3bb5fe812dfd0e172fac130
END
}

# fetch NAME VERSION HASH FOLDER: in one step seen from outside, so that two may run at once.
fetch() {
  printf 'wheels: fetching %s %s\n' "$1" "$2" >&2
  partial=$4.$$
  printf '%s==%s --hash=sha256:%s\n' "${1%-aarch64}" "$2" "$3" >"$partial.txt"
  case $1 in
    *-aarch64) platform='--platform manylinux2014_aarch64' ;;
    *) platform='' ;;
  esac
  # shellcheck disable=SC2086 # two words or none
  python3 -m pip --quiet --no-input --disable-pip-version-check install --root-user-action ignore \
    --no-deps --require-hashes --only-binary :all: --no-compile $platform --target "$partial" \
    --requirement "$partial.txt" >&2 || {
    rm -rf "$partial" "$partial.txt"
    printf 'wheels: could not fetch %s %s from PyPI\n' "$1" "$2" >&2
    exit 1
  }
  rm "$partial.txt"
  mv -T "$partial" "$4" 2>/dev/null || rm -rf "$partial" # another was faster
}

[ $# != 0 ] || {
  list | awk '{print $1}'
  exit
}
mkdir -p "$wheels"
for name in "$@"; do
  pin=$(list | awk -v name="$name" '$1 == name {print $2, $3}')
  [ -n "$pin" ] || {
    printf 'wheels: %s is not in the list of %s\n' "$name" "$0" >&2
    exit 2
  }
  folder=$wheels/$name-${pin% *}
  [ -d "$folder" ] || fetch "$name" "${pin% *}" "${pin#* }" "$folder"
  printf '%s\n' "$folder"
done
