#!/bin/sh
# C files are as clang-format leaves them. Texts in the kernel dialect (*.kc, preludes) are not C.
set -eu
cd "$1"
find core ops backends conformance cli bench tests tools examples -name '*.[ch]' \
  ! -path 'ops/dialect/*' ! -name 'prelude*' ! -path 'tests/abi/v1/*' 2>/dev/null | sort |
  xargs "$2" --dry-run --Werror
