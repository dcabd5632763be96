#!/bin/sh
# Uses a bundle in a root with only the C library.
#   check_bare.sh BUNDLE.tar.gz
set -eu
# shellcheck source-path=SCRIPTDIR source=root.sh
. "$(dirname "$0")/root.sh"
root_make "$1"

expect 0 'taken *backend *ref' devices --why
expect 0 'absent .*libOpenCL' devices --why
expect 0 'exit code 0' conformance --device ref:0 --filter 'add/f32/*' --quiet --out /tmp/report
expect 4 'nothing was run' conformance --quiet --out /tmp/nothing
# The parts that use the libraries inside: JSON, and XML for the JUnit view.
expect 0 '<testsuite' report /tmp/report/report.json --format junit
expect 0 '"schema": "keel.bench/1"' bench --device ref:0 --filter ceiling/launch --repeats 3 --json
exit $failed
