#!/bin/sh
# Compiles the kernel packs of a bundle into FOLDER, those that are not there for these sources yet.
#   packs.sh KEEL FOLDER [FILTER]    of the programs that the filter leaves
set -eu
cd "$(dirname "$0")/../.."
keel=$1 folder=$2 filter=${3:-*}

# Backend and target of each pack. CUDA's are by NVRTC 12: every driver that serves the bundle's
# runtime takes them. A device of CUDA 9.0 calls itself sm_90, so there is no pack for sm_90a.
list() {
  cat <<'END'
cuda sm_80
cuda sm_89
cuda sm_90
hip gfx90a
hip gfx942
END
}

# What the programs are made of.
state=$(find ops core compile backends tools/wheels.sh -type f | LC_ALL=C sort | xargs cat |
  sha256sum | cut -c 1-64)\ $filter
nvrtc=$(echo "$(tools/wheels.sh nvidia-cuda-nvrtc-cu12)"/nvidia/*/lib)

mkdir -p "$folder"
list | while read -r backend target; do
  pack=$folder/$backend-$target.keelpack
  if [ -e "$pack" ] && [ "$(cat "$pack.state" 2>/dev/null)" = "$state" ]; then
    continue
  fi
  echo "packs: compiling for $backend $target" >&2
  case $backend in
    cuda) set -- --nvrtc "$nvrtc" ;;
    *) set -- ;;
  esac
  "$keel" kernel pack --target "$target" --filter "$filter" --output "$pack" \
    --compress --quiet --jobs "$(nproc)" "$@" >&2 </dev/null
  echo "$state" >"$pack.state"
done
