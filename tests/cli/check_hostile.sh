#!/bin/sh
# Files and surroundings that no careful user would choose: nothing hangs, nothing is destroyed, and
# the exit code tells the truth.
set -u
# shellcheck source=program.sh
. "$(dirname "$0")/program.sh"
case='add/f32/flat*'

# in_time ARGS...: the program, which must end by itself.
in_time() {
  code=0
  timeout 20 "$keel" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  [ "$code" != 124 ] || complain "keel $*: no end after 20 s"
}

# refused_in_time CODE TEXT ARGS...
refused_in_time() {
  want=$1 text=$2
  shift 2
  in_time "$@"
  [ "$code" = "$want" ] || complain "keel $*: exit code $code, not $want"
  mentions err "$text" "$@"
}

# Files without an end, and pipes that nobody writes to.
refused_in_time 2 'NUL' conformance --device ref:0 --filter "$case" --expect /dev/zero --out "$work/a" --quiet
mkdir "$work/pipe"
mkfifo "$work/pipe/journal.jsonl"
refused_in_time 2 'not a regular file' conformance --device ref:0 --filter "$case" --resume "$work/pipe" --quiet
refused_in_time 3 'not a regular file' conformance --device ref:0 --filter "$case" --out "$work/pipe" --quiet
mkdir "$work/long"
head -c 6000000 /dev/zero | tr '\0' x >"$work/long/journal.jsonl"
refused_in_time 2 'schema' conformance --device ref:0 --filter "$case" --resume "$work/long" --quiet

# What is no regular file is not replaced by one.
mkfifo "$work/output"
refused_in_time 3 'not a regular file' op neg --device ref:0 --input 1:f32:4 --output "$work/output"
[ -p "$work/output" ] || complain '--output replaced a pipe by a file'

# The user's umask holds for all that is written.
(umask 077 && "$keel" op neg --device ref:0 --input 1:f32:4 --output "$work/y.npy" >/dev/null &&
  "$keel" conformance --device ref:0 --filter "$case" --out "$work/private" --quiet >/dev/null)
open=$(find "$work/y.npy" "$work/private" -perm /077)
[ -z "$open" ] || complain "others may read, in spite of umask 077: $open"

# Closed standard streams: no file takes their place, and output that is lost is a failure.
code=0
"$keel" conformance --device ref:0 --filter "$case" --out "$work/closed" >&- 2>&- <&- || code=$?
[ "$code" = 3 ] || complain "closed streams: exit code $code, not 3"
expect 0 report "$work/closed/report.json"
sed 1d "$work/closed/journal.jsonl" | grep -qv '^{"device":' && complain 'output in the journal'
code=0
"$keel" devices --json >&- 2>&- || code=$?
[ "$code" = 3 ] || complain "devices without stdout: exit code $code, not 3"

# Nobody reads the progress: the run goes on to its report.
{ "$keel" conformance --device ref:0 --filter "$case" --out "$work/unread" 2>&1 >/dev/null; } | true
expect 0 report "$work/unread/report.json"

# Signals in the first moments and at the end: a report that is there is whole, and says what was
# not run. Each delay is tried once; which code comes out depends on how far the run got.
for delay in 0.05 0.1 0.2 0.3 0.4 0.5 0.7 0.9; do
  rm -rf "$work/signal"
  code=0
  timeout -s TERM "$delay" "$keel" conformance --device ref:0 --filter 'exp/*' --out "$work/signal" --quiet \
    >"$work/out" 2>"$work/err" || code=$?
  [ ! -e "$work/signal/report.json" ] || expect 0 report "$work/signal/report.json"
  if find "$work/signal" -name 'report.json.*' 2>/dev/null | grep -q .; then
    complain "a signal after $delay s left half a report behind"
  fi
done

# A worker that is killed from outside: no case is lost, none is there twice.
"$keel" conformance --list --filter 'add/*' | wc -l >"$work/count"
"$keel" conformance --device ref:0 --filter 'add/*' --out "$work/killed" --quiet >"$work/out" 2>"$work/err" &
pid=$!
for _ in 1 2 3 4 5 6; do
  # shellcheck disable=SC2013 # the numbers are words of one line
  for child in $(cat /proc/$pid/task/$pid/children 2>/dev/null); do
    tr '\0' ' ' <"/proc/$child/cmdline" 2>/dev/null | grep -q -- --cases && kill -9 "$child"
  done
  sleep 0.1
done
code=0
wait $pid || code=$?
expect 0 report --format csv "$work/killed/report.json"
[ "$(sed 1d "$work/out" | cut -d, -f2 | sort -u | wc -l)" = "$(cat "$work/count")" ] ||
  complain 'cases are lost after a worker was killed'
[ "$(sed 1d "$work/out" | wc -l)" = "$(cat "$work/count")" ] || complain 'cases are there twice'
exit "$failed"
