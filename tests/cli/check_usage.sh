#!/bin/sh
# Command lines that are wrong: exit code 2, and one line that names the thing, the value and the bound.
set -u
# shellcheck source=program.sh
. "$(dirname "$0")/program.sh"

refused 'a command is missing'
refused '"nonsense"' nonsense
refused '"--nonsense"' conformance --nonsense
refused '"-z"' conformance -z
refused '"--seed"' conformance --seed
refused '"--s"' conformance --s 3
refused '"stray"' conformance stray
refused '"stray"' conformance --device a stray
refused '"stray"' devices stray
refused '--seed "0" is not an integer from 1' conformance --seed 0
refused '--seed "9223372036854775808"' conformance --seed 9223372036854775808
refused '--seed "-1"' conformance --seed -1
refused '--seed " 1"' conformance --seed ' 1'
refused '--seed "1x"' conformance --seed 1x
refused '--tier "deep" is not smoke, quick or full' conformance --tier deep
refused '--shard "0/2"' conformance --shard 0/2
refused '--shard "3/2"' conformance --shard 3/2
refused '--shard "1/65537"' conformance --shard 1/65537
refused '--shard "1"' conformance --shard 1
refused '--jobs "65" is not an integer from 1 to 64' conformance --jobs 65
refused '--limit "0"' conformance --limit 0
refused '/nonexistent' conformance --expect /nonexistent --device ref:0 --out "$work/r"
refused 'journal.jsonl' conformance --resume "$work" --device ref:0
refused 'the path of a report is missing' report
refused '/nonexistent.json' report /nonexistent.json
refused 'not a regular file' report /
refused '--format "pdf" is not text, md, csv or junit' report --format pdf x.json
refused '"b" is one too many' report a b
refused 'the id of a device is missing' info
refused 'the name of an op is missing' op
refused '"nonsense"' op nonsense
refused '"nonsense"' ops nonsense
refused 'no attribute "nonsense"' op add --input 1:f32:2 --input 1:f32:2 --attr nonsense=1 --device ref:0
refused 'cannot be opened' op add --input x.npy --input 1:f32:2 --device ref:0
refused '--out-dtype "f33"' op cast --input 1:f32:2 --out-dtype f33
refused '--out-shape' op add --input 1:f32:2 --input 1:f32:2 --out-shape 3 --device ref:0
refused 'keel kernel check FILE.kc' kernel
refused 'keel kernel check FILE.kc' kernel build x.kc
refused '/nonexistent.kc' kernel check /nonexistent.kc
refused '"f33"' kernel check x.kc --dtypes f32,f33
refused '--target "sm_91" is not one of sm_75, ' kernel check x.kc --target sm_90,sm_91
refused '--target ""' kernel gates --target ''
refused '--nvrtc "here" is not an absolute path' kernel gates --nvrtc here
refused '--jobs "65" is not an integer from 1 to 64' kernel gates --jobs 65
refused '--limit "0"' kernel gates --limit 0
refused '"stray"' kernel gates stray
refused 'started by keel itself' worker --probe 3>&-

# A report that was cut short, and one that is none.
printf '{"schema":"keel.report/1","suite":{' >"$work/cut.json"
refused 'cut.json: line 1' report "$work/cut.json"
printf '{"schema":"keel.report/2"}' >"$work/other.json"
refused 'keel.report/1' report "$work/other.json"

for command in devices info ops op kernel conformance report; do
  expect 0 "$command" --help
  mentions out 'Usage: keel' "$command" --help
  ! grep -q -e 'NAME NAME' -e 'json *REPORT' -e 'kc check' "$work/out" ||
    complain "keel $command --help: its arguments are shown twice"
  [ ! -s "$work/err" ] || complain "keel $command --help: printed on stderr"
done
expect 0 --help
mentions out conformance --help
expect 0 --version

# Output that does not arrive is a failure.
if [ -w /dev/full ]; then
  code=0
  "$keel" ops >/dev/full 2>"$work/err" || code=$?
  [ "$code" = 3 ] || complain "keel ops >/dev/full: exit code $code, not 3"
fi
exit "$failed"
