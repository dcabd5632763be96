#!/bin/sh
# Prints the support matrix of README.md from docs/reports/: the newest report of each device, then
# the devices in targets.txt that have none. Nothing is called hardware without a report.
set -eu
cd "$(dirname "$0")/../docs/reports"
tab=$(printf '\t')

# backend, device, simulated, date, passed, failed, file: a line per device and report, newest first
reports() {
  for report in *.json; do
    [ -e "$report" ] || continue
    jq -r --arg file "$report" '
      . as $all | .devices[] | select(.backend != "ref") | .id as $id |
      [$all.cases[] | select(.device == $id) | .verdict] as $verdicts |
      [.backend, .name, (.simulated // false), ($all.started | .[0:10]),
       ([$verdicts[] | select(. == "PASS")] | length),
       ([$verdicts[] | select(. == "FAIL" or . == "CRASH" or . == "TIMEOUT")] | length), $file] | @tsv' \
      "$report"
  done | LC_ALL=C sort -t "$tab" -k 1,2 -k 4,4r
}

found=$(reports)
echo '| device | backend | state |'
echo '|---|---|---|'
if [ -n "$found" ]; then
  echo "$found" | awk -F '\t' '!seen[$1, $2]++ {
    state = $3 == "true" ? "simulated" : "hardware"
    printf "| %s | %s | %s ([report](docs/reports/%s), %s): %d passed, %d failed |\n", $2, $1, state, $7, $4, $5, $6
  }'
fi
grep -v '^#' targets.txt | while IFS="$tab" read -r backend name; do
  case "$found" in
    *"$backend$tab$name"*) ;;
    *) echo "| $name | $backend | untested |" ;;
  esac
done
