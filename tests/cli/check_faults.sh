#!/bin/sh
# Devices that crash, hang, vanish or talk nonsense: each becomes a verdict or an exit code, and the run
# goes on. $2 is the folder of the fake backends.
set -u
# A sanitizer would make an exit code of the signals that are wanted here.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}handle_segv=0
export ASAN_OPTIONS TSAN_OPTIONS
# shellcheck source=program.sh
. "$(dirname "$0")/program.sh"
fakes=$2
filter='exp*/f32/flat*' # exp/f32/flat_1000, and cases of ops that do not misbehave
all=$("$keel" conformance --list --filter 'exp/f32/*' | wc -l)
empty=$("$keel" conformance --list --filter 'exp/f32/empty*' | wc -l)
if [ "$all" -lt 5 ] || [ "$empty" -lt 1 ]; then
  complain "the suite has $all cases of exp, $empty of them empty"
fi

# on NAME: the next runs find only that fake and the oracle.
on() {
  fake=$1
  KEEL_BACKENDS=ref,fake_$fake
  KEEL_BACKEND_FILES=$fakes/keel_fake_$fake.so
  export KEEL_BACKENDS KEEL_BACKEND_FILES
  report=$work/$fake/report.json
}

# tests CODE ARGS...: runs the suite on the fake and wants that exit code.
tests() {
  want=$1
  shift
  expect "$want" conformance --device "fake_$fake:0" --quiet --out "$work/$fake" "$@"
  expect 0 report "$report"
}

# cases VERDICT: their ids.
cases() {
  "$keel" report --format csv "$report" | grep "\"$1\"" | cut -d, -f2 | tr -d '"'
}

# has N VERDICT: so many cases have it.
has() {
  found=$(cases "$2" | wc -l)
  [ "$found" = "$1" ] || complain "fake_$fake: $found cases are $2, not $1"
}

# repeats VERDICT CODE: the reproduce command of the first such case gives that verdict again, alone.
repeats() {
  command=$("$keel" report "$report" | sed -n "/^  $1 /,/reproduce:/s/^ *reproduce: //p" | head -n 1)
  id=$(cases "$1" | head -n 1)
  code=0
  (unset KEEL_BACKENDS KEEL_BACKEND_FILES && sh -c "$command --quiet --out '$work/again'") \
    >"$work/out" 2>"$work/err" || code=$?
  [ "$code" = "$2" ] || complain "fake_$fake: $command: exit code $code, not $2"
  report=$work/again/report.json
  [ "$(cases "$1")" = "$id" ] || complain "fake_$fake: $command: it is not $1 again"
  report=$work/$fake/report.json
}

on right
tests 0 --filter 'exp/f32/*'
expect 0 conformance --quiet --filter 'exp/f32/flat*' --out "$work/default" # any device but the oracle
mentions out 'fake_right:0' conformance

on wrong
tests 1 --filter 'exp/f32/flat*'
has 1 FAIL
repeats FAIL 1

# A crash: that case only, and the same when it is run alone.
on crashes
tests 1 --filter 'exp/f32/*'
has $((all - empty)) CRASH
has "$empty" PASS # these run nothing
"$keel" report "$report" | grep -q 'signal 11.*alone: signal 11' || complain 'CRASH does not name the signal'
repeats CRASH 1
tests 1 --filter "$filter"
has 1 CRASH

# A hang: the limit holds, twice per case.
on hangs
tests 1 --filter 'exp/f32/flat*' --limit 1
has 1 TIMEOUT
"$keel" report "$report" | grep -q 'no sign of life for 1 s' || complain 'TIMEOUT does not name the limit'
repeats TIMEOUT 1

# A crash that does not come back is a flake: reported, and a failure under --strict only.
on crashes_once
FAKE_ONCE=$work/once
export FAKE_ONCE
tests 0 --filter 'exp/f32/flat*'
has 1 FLAKE
rm -f "$FAKE_ONCE"
tests 6 --filter 'exp/f32/flat*' --strict
has 1 FLAKE
rm -f "$FAKE_ONCE"
echo 'exp/f32/flat* fake_crashes_once FLAKE 2999-01-01 - seen once' >"$work/expect"
tests 0 --filter 'exp/f32/flat*' --strict --expect "$work/expect"
has 1 XFAIL

# What a worker must not say.
on garbles
tests 1 --filter 'exp/f32/flat*'
has 1 CRASH

# A driver that prints without end: the log keeps its end, and says that it is cut.
on floods
tests 0 --filter 'exp/f32/flat*'
has 1 PASS
log=$(dirname "$report")/worker-fake-floods-0.log
[ "$(wc -c <"$log")" -lt 9000000 ] || complain "the log has $(wc -c <"$log") bytes"
head -n 1 "$log" | grep -q 'bytes that stood here were dropped' || complain 'the log does not say that it is cut'
tail -n 1 "$log" | grep -q 'complaint 399999' || complain 'the end of the log is missing'

# A lost device: three attempts, then the rest is not run.
on loses_device
tests 3 --filter 'exp/f32/*'
has 3 DEVICE_LOST
has $((all - 3)) NOT_RUN

# A device that cannot be opened, and one that dies when all is done.
on dies_on_open
tests 3 --filter 'exp/f32/*'
has "$all" NOT_RUN
on dies_at_end
tests 3 --filter 'add/f32/flat*'
has 1 PASS
"$keel" report "$report" | grep -q 'after its last case' || complain 'the end of the worker is not told'

# A driver that dies when it is asked for devices takes only the asking process along.
on dies_at_start
expect 3 devices
mentions err 'signal 11' devices
expect 3 conformance --quiet --out "$work/start"
mentions err 'signal 11' conformance

# Two devices at once, one of them bad: each has its own cases.
KEEL_BACKENDS=ref,fake_right,fake_crashes
KEEL_BACKEND_FILES=$fakes/keel_fake_right.so:$fakes/keel_fake_crashes.so
fake=two
report=$work/two/report.json
expect 1 conformance --quiet --jobs 2 --filter 'exp/f32/flat*' --out "$work/two"
has 1 CRASH
has 1 PASS
exit "$failed"
