#!/bin/sh
# Keel's own kernels pass the gates: a program per kind of element types, as ./run gates without --all.
#   check_quick.sh KEEL SOURCE
set -u
# shellcheck source=compilers.sh
. "$(dirname "$0")/compilers.sh"
nvrtc=$("$source/tools/nvrtc.sh") || exit 1
"$keel" kernel gates --quiet --nvrtc "$nvrtc"
