#!/bin/sh
# A user whose locale writes a decimal comma: numbers are read and written with a point.
# KB-R026, as reported of another system: https://github.com/arrayfire/arrayfire/issues/3293
#   check_locale.sh KEEL LOCALES
set -u
# shellcheck source=program.sh
. "$(dirname "$0")/program.sh"
export LOCPATH="$2"

# calls FOLDER: a report with distances, its views, and an op with a fraction on its command line.
calls() {
  expect 0 conformance --device ref:0 --filter 'softmax/f32/*' --out "$work/$1" --quiet
  for format in text md csv junit; do
    expect 0 report --format "$format" "$work/$1/report.json"
    cp "$work/out" "$work/$1/view.$format"
  done
  expect 0 op fill --attr value=0.1 --out-dtype f32 --out-shape 3 --output "$work/$1/fill.npy" \
    --device ref:0
  # Times differ from run to run.
  jq -S 'del(.started, .finished, .suite.argv, .host.locale) | del(.cases[].seconds)' \
    "$work/$1/report.json" >"$work/$1/facts.json" || complain "$1: the report is not JSON"
}

LC_ALL=C
export LC_ALL
calls point
LC_ALL=de_DE.UTF-8
[ "$(env printf %.1f 1)" = 1,0 ] || complain 'the locale has no decimal comma'
calls comma
LC_ALL=C

cmp "$work/point/fill.npy" "$work/comma/fill.npy" || complain 'an attribute was read differently'
cmp "$work/point/facts.json" "$work/comma/facts.json" || complain 'the reports differ'
grep -q '"hard": 0\.[0-9]' "$work/comma/report.json" || complain 'no distance in the report'
# The views are the same but for the seconds, counted from the end of a line: texts may hold commas.
for where in point comma; do
  awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "seconds") back = NF - i}
    {$(NF - back) = "-"; print}' "$work/$where/view.csv" >"$work/$where/csv"
done
cmp "$work/point/csv" "$work/comma/csv" || complain 'the CSV views differ'
grep -q 'time="[0-9]*\.[0-9]' "$work/comma/view.junit" || complain 'JUnit view: no point in times'
exit "$failed"
