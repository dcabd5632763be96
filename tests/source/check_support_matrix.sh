#!/bin/sh
# tools/support_matrix.sh calls a device hardware only for a report that is not of a simulation, takes
# the newest report of a device, leaves the oracle out, and lists the rest as compiled where a complete
# report of the gates says so, else as untested.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tools" "$work/docs/reports"
cp "$1/tools/support_matrix.sh" "$work/tools"
printf 'a\tDevice One\tx1\na\tDevice Two\tx2\n' >"$work/docs/reports/targets.txt"

# report FILE DATE SIMULATED VERDICT: one case on "Device One", one on the oracle
report() {
  cat >"$work/docs/reports/$1" <<END
{"started": "$2T00:00:00Z",
 "devices": [{"id": "a:0", "backend": "a", "name": "Device One", "simulated": $3},
             {"id": "ref:0", "backend": "ref", "name": "oracle", "simulated": false}],
 "cases": [{"device": "a:0", "verdict": "$4"}, {"device": "ref:0", "verdict": "SELF"}]}
END
}

# expect LINE...: the matrix below its two lines of heading
expect() {
  sh "$work/tools/support_matrix.sh" | tail -n +3 >"$work/got"
  printf '%s\n' "$@" | diff - "$work/got"
}

expect '| Device One | a | untested |' '| Device Two | a | untested |'
report old.json 2026-01-01 true FAIL
expect '| Device One | a | simulated ([report](docs/reports/old.json), 2026-01-01): 0 passed, 1 failed |' \
  '| Device Two | a | untested |'
report new.json 2026-02-01 false PASS
expect '| Device One | a | hardware ([report](docs/reports/new.json), 2026-02-01): 1 passed, 0 failed |' \
  '| Device Two | a | untested |'

# gates FILE DATE ALL FAILED: two compilers on x2
gates() {
  cat >"$work/docs/reports/$1" <<END
{"schema": "keel.gates/1", "finished": "$2T00:00:00Z", "all": $3, "filter": "*",
 "rows": [{"arch": "x2", "compiler": "C 1", "compiled": 7, "failed": 0},
          {"arch": "x2", "compiler": "C 2", "compiled": 8, "failed": $4}]}
END
}

hardware='| Device One | a | hardware ([report](docs/reports/new.json), 2026-02-01): 1 passed, 0 failed |'
gates zz.json 2026-01-05 false 0
expect "$hardware" '| Device Two | a | untested |'
gates gates-2.json 2026-02-05 true 1
gates gates.json 2026-01-05 true 0
expect "$hardware" '| Device Two | a | compiled for x2 ([report](docs/reports/gates-2.json), 2026-02-05): 15 programs by C 1, C 2, 1 failed |'
