#!/bin/sh
# The conformance suite on the simulated devices cuda:0 and hip:0: all cases pass, at least as many as
# wanted on each, the simulator finds nothing, and the report says that the devices are simulated.
#   check_suite.sh KEEL FOLDER WANTED ARGUMENTS...
set -eu
keel=$1 folder=$2 wanted=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sh "$(dirname "$0")/run_simulated.sh" "$folder" "$keel" conformance --device cuda:0 --device hip:0 \
  --jobs 2 --limit 300 --quiet --out "$work/out" "$@" # checks are slow
"$keel" report --format csv "$work/out/report.json" >"$work/csv"
for device in cuda:0 hip:0; do
  passed=$(grep -c "^\"$device\",.*,\"PASS\",.*,true.\$" "$work/csv" || true)
  echo "$device: $passed cases passed, as a simulated device; wanted $wanted"
  [ "$passed" -ge "$wanted" ]
done
