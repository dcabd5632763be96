#!/bin/sh
# Direction of dependency: which "headers" each part of the tree may include, besides keel/*.h.
# What is not found in the allowed folders is a violation.
set -eu
cd "$1"
failed=0

# check FILES-UNDER FOLDER...: quoted includes resolve in one of the folders; "." is the file's own.
check() {
  under=$1
  shift
  [ -d "$under" ] || return 0
  find "$under" -name '*.[ch]' -o -name '*.inc' -o -name '*.cpp' | sort | while read -r file; do
    sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' "$file" | while read -r name; do
      case $name in
        keel/*) [ -e "core/include/$name" ] || [ "$name" = keel/ops.h ] && continue ;;
      esac
      for folder in "$@"; do
        [ "$folder" != . ] || folder=$(dirname "$file")
        [ ! -e "$folder/$name" ] || continue 2
      done
      echo "$file includes \"$name\", which $under may not see"
    done
  done
}

violations=$(
  check core/include
  check core/src core/src
  check ops . ops
  for backend in backends/*/; do
    check "${backend%/}" . "${backend%/}" backends/gpu_common
  done
  check conformance . conformance
  check cli . cli conformance compile
  check compile . compile backends/gpu_common backends/cuda backends/hip
  check bench . bench
  check examples .
  check tools .
)
if [ -n "$violations" ]; then
  echo "$violations"
  failed=1
fi
exit $failed
