#!/bin/sh
# check_onnx_ops.sh SOURCE KEEL: docs/onnx-ops.md names every op of the registry, and no other, but in
# rows that say "not yet", which name none that there is. Each operator has one row. The functions of
# the page are declared in the public headers.
set -eu
page=$1/docs/onnx-ops.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names() { grep -o 'keel\.[a-z0-9_][a-z0-9_]*' | LC_ALL=C sort -u || true; }

"$2" ops | sed -n 's/^\(keel\.[a-z0-9_]*\) .*/\1/p' | LC_ALL=C sort -u >"$work/registry"
test -s "$work/registry"
grep -v '^|.*| not yet |' "$page" | names >"$work/there"
grep '^|.*| not yet |' "$page" >"$work/rows" || true
names <"$work/rows" >"$work/absent"

# complain TEXT: the lines of standard input, each a fault
complain() {
  while read -r line; do
    echo "docs/onnx-ops.md: $line $1"
    echo x >>"$work/bad"
  done
}
LC_ALL=C comm -23 "$work/there" "$work/registry" | complain "is named, but there is no such op"
LC_ALL=C comm -13 "$work/there" "$work/registry" | complain "is an op, but has no row that is not \"not yet\""
LC_ALL=C comm -12 "$work/absent" "$work/registry" | complain "is \"not yet\", but there is such an op"
sed -n '/^| ONNX /d;s/^| \([A-Z][A-Za-z0-9]*\) |.*/\1/p' "$page" | LC_ALL=C sort | uniq -d | complain "has two rows"
grep -o 'keel_[a-z_]*' "$page" | sort -u | while read -r function; do
  grep -qrw "$function" "$1/core/include/keel" || echo "$function"
done | complain "is in no public header"

sed 's/^| \([^ ]*\) | not yet | \(.*\) |$/not yet: \1 (\2)/' "$work/rows"
test ! -e "$work/bad"
