#!/bin/sh
# Runs of the suite on the oracle device: selection, report, resuming, stopping, exit codes.
set -u
# shellcheck source=program.sh
. "$(dirname "$0")/program.sh"

# ids FILE: the cases of a report, sorted.
ids() {
  "$keel" report --format csv "$1" | sed 1d | cut -d, -f2 | LC_ALL=C sort
}

# Only the oracle is here: nothing to prove, unless it is asked for.
expect 4 conformance --out "$work/none" --quiet
mentions err 'no accelerator was found' conformance
mentions err 'not selected by KEEL_BACKENDS' conformance
[ -s "$work/none/report.json" ] || complain 'no report when no accelerator was found'
expect 4 conformance --device nope:0 --out "$work/none" --quiet
mentions err '"nope:0"' conformance --device nope:0
expect 4 conformance --filter 'nothing*' --device ref:0
expect 0 conformance --device ref:0 --filter 'add/f32/*' --out "$work/a" --quiet
mentions out SELF conformance --device ref:0
mentions out 'the oracle: it can only agree with itself' conformance --device ref:0
mentions out "report: $work/a/report.json" conformance --device ref:0
[ ! -s "$work/err" ] || complain 'output on stderr with --quiet'

# Without --out, a folder of its own whose name any system can hold.
(cd "$work" && "$keel" conformance --device ref:0 --filter 'add/f32/flat*' --quiet >/dev/null)
found=$(cd "$work/keel-reports" && echo *)
[ -s "$work/keel-reports/$found/report.json" ] || complain 'no report without --out'
case $found in *[!0-9TZ]*) complain "the default folder is called $found" ;; esac

# Runs that start at the same time have folders of their own.
(cd "$work" && for _ in 1 2 3; do "$keel" conformance --device ref:0 --filter 'add/f32/flat*' --quiet >/dev/null; done)
[ "$(find "$work/keel-reports" -mindepth 1 -maxdepth 1 | wc -l)" = 4 ] || complain 'runs share a folder without --out'

# The list is what is run.
"$keel" conformance --list --filter 'add/f32/*' | sed 's/^[a-z]* *//; s/.*/"&"/' | LC_ALL=C sort >"$work/list"
ids "$work/a/report.json" | cmp -s - "$work/list" || complain 'cases run differ from --list'
[ -s "$work/list" ] || complain '--list is empty'

# One case is a case.
expect 0 conformance --device ref:0 --filter 'add/f32/flat_1000' --out "$work/one" --quiet
mentions out '1 case: 1 SELF' conformance
mentions out 'cases was selected' conformance

# Shards: each case in exactly one.
for i in 1 2 3; do
  expect 0 conformance --device ref:0 --filter 'add/f32/*' --shard $i/3 --out "$work/s$i" --quiet
done
for i in 1 2 3; do ids "$work/s$i/report.json"; done | LC_ALL=C sort | cmp -s - "$work/list" ||
  complain 'three shards are not the whole'

# Deeper tiers hold the shallower ones.
"$keel" conformance --list --tier full --filter 'add/*' | sed 's/^[a-z]* *//' | LC_ALL=C sort >"$work/full"
"$keel" conformance --list --tier smoke --filter 'add/*' | sed 's/^[a-z]* *//' | LC_ALL=C sort >"$work/smoke"
[ -z "$(LC_ALL=C comm -13 "$work/full" "$work/smoke")" ] || complain 'tier full lacks cases of tier smoke'

# The seed is in the report, and in the reproduce command.
expect 0 conformance --device ref:0 --filter 'add/f32/flat*' --seed 77 --out "$work/seed" --quiet
grep -q '"seed": 77' "$work/seed/report.json" || complain 'the seed is not in the report'
grep -q -- '--seed 77 --filter' "$work/seed/report.json" || complain 'no seed in reproduce'
grep -q 'KEEL_BACKENDS=ref' "$work/seed/report.json" || complain 'no variable in reproduce'

# A report names the machine only when asked to.
name=$(uname -n)
grep -qF "\"name\": \"$name\"" "$work/seed/report.json" && complain 'the report names the host'
expect 0 conformance --device ref:0 --filter 'add/f32/flat*' --out "$work/seed" --quiet --reveal-ids
grep -qF "\"name\": \"$name\"" "$work/seed/report.json" || complain '--reveal-ids does not'

# Expectations: an unexpected pass matters under --strict only. SELF is no pass.
echo 'lifecycle/* ref:0 FAIL 2999-01-01 - never seen' >"$work/expect"
expect 0 conformance --device ref:0 --filter 'lifecycle/*' --expect "$work/expect" --out "$work/x" --quiet
mentions out XPASS conformance --expect
expect 1 conformance --device ref:0 --filter 'lifecycle/*' --expect "$work/expect" --out "$work/x" --quiet --strict
echo 'lifecycle/* ref:0 FAIL 2001-01-01 - long ago' >"$work/expect"
expect 0 conformance --device ref:0 --filter 'lifecycle/*' --expect "$work/expect" --out "$work/x" --quiet
expect 1 conformance --device ref:0 --filter 'lifecycle/*' --expect "$work/expect" --out "$work/x" --quiet --strict

# Resuming: a journal cut anywhere is continued to the same set of cases.
cp -r "$work/a" "$work/b"
size=$(wc -c <"$work/a/journal.jsonl")
for part in 100 50 20; do
  head -c $((size * part / 100)) "$work/a/journal.jsonl" >"$work/b/journal.jsonl"
  rm -f "$work/b/report.json"
  expect 0 conformance --device ref:0 --filter 'add/f32/*' --resume "$work/b" --quiet
  ids "$work/b/report.json" | cmp -s - "$work/list" || complain "resumed at $part %: other cases"
done
refused 'seed' conformance --device ref:0 --filter 'add/f32/*' --resume "$work/b" --seed 2
refused 'filter' conformance --device ref:0 --filter 'add/*' --resume "$work/b"

# A stop by the user leaves a valid report.
"$keel" conformance --device ref:0 --tier full --out "$work/stop" --quiet >"$work/out" 2>"$work/err" &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  [ "$(wc -l <"$work/stop/journal.jsonl" 2>/dev/null || echo 0)" -gt 1 ] && break
  sleep 0.5
done
# Meanwhile, nobody else writes there.
refused 'another keel conformance writes into' conformance --device ref:0 --filter 'add/f32/flat*' --out "$work/stop"
refused 'another keel conformance writes into' conformance --device ref:0 --tier full --resume "$work/stop"
kill -INT $pid
code=0
wait $pid || code=$?
[ "$code" = 130 ] || complain "after SIGINT: exit code $code, not 130"
expect 0 report "$work/stop/report.json"
mentions out 'exit code 130' report
mentions out NOT_RUN report

# A place that cannot be written.
expect 3 conformance --device ref:0 --filter 'add/f32/flat*' --out /dev/null/x --quiet
mentions err /dev/null/x conformance --out /dev/null/x

# Without a terminal there is no bar.
expect 0 conformance --device ref:0 --filter 'add/f32/flat*' --out "$work/bar"
grep -q "$(printf '\033')" "$work/err" && complain 'terminal escapes where there is no terminal'
exit "$failed"
