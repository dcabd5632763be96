#!/bin/sh
# Words that may not appear: vendors and op names in the core's code, marks of unfinished work
# anywhere.
set -eu
cd "$1"
failed=0

# Code without comments and #include lines.
code() {
  sed -e 's@//.*@@' -e 's@/\*[^*]*\*/@@g' -e '/\/\*/,/\*\//d' -e '/^ *#include/d' "$1"
}

for file in core/src/*.[ch] core/src/*/*.[ch]; do
  [ -e "$file" ] || continue
  found=$(code "$file" |
    grep -niE '"keel\.[a-z_]+"|\b(cuda|hip|opencl|rocm|nvidia|amd|intel|pocl)' |
    grep -v '"keel\.native"' || true)
  if [ -n "$found" ]; then
    echo "$file names a vendor, a backend or an op:"
    echo "$found"
    failed=1
  fi
done

marks='TO''DO|FIX''ME|X''XX|HA''CK'
found=$(grep -rnE "\b($marks)\b" --include='*.[ch]' --include='*.kc' --include='*.md' \
  --include='*.cmake' --include='CMakeLists.txt' --include='*.sh' \
  --exclude-dir=build --exclude-dir=shared . || true)
if [ -n "$found" ]; then
  echo "unfinished work:"
  echo "$found"
  failed=1
fi
exit $failed
