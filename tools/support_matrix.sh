#!/bin/sh
# Prints the support matrix of README.md from docs/reports/: the newest report of each device, then
# the devices in targets.txt that have none: what the newest complete report of the gates
# ("./run gates --all --out FILE") says of their architecture. Nothing is called hardware without a report.
set -eu
cd "$(dirname "$0")/../docs/reports"
tab=$(printf '\t')

# backend, device, simulated, date, passed, failed, file: a line per device and report, newest first
reports() {
  for report in *.json; do
    [ -e "$report" ] || continue
    jq -r --arg file "$report" '
      . as $all | select(.devices) | .devices[] | select(.backend != "ref") | .id as $id |
      [$all.cases[] | select(.device == $id) | .verdict] as $verdicts |
      [.backend, .name, (.simulated // false), ($all.started | .[0:10]),
       ([$verdicts[] | select(. == "PASS")] | length),
       ([$verdicts[] | select(. == "FAIL" or . == "CRASH" or . == "TIMEOUT")] | length), $file] | @tsv' \
      "$report"
  done | LC_ALL=C sort -t "$tab" -k 1,2 -k 4,4r
}

# compiled ARCH: what the gates say of it, or nothing
compiled() {
  for report in *.json; do
    [ -e "$report" ] || continue
    jq -r --arg file "$report" --arg arch "$1" '
      select(.schema == "keel.gates/1" and .all and .filter == "*") | (.finished | .[0:10]) as $date |
      [.rows[] | select(.arch == $arch)] | select(length > 0) |
      "\($date)\tcompiled for \($arch) ([report](docs/reports/\($file)), \($date)): " +
      "\([.[].compiled] | add) programs by \([.[].compiler] | join(", ")), \([.[].failed] | add) failed"' "$report"
  done | LC_ALL=C sort | tail -n 1 | cut -f 2
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
grep -v '^#' targets.txt | while IFS="$tab" read -r backend name arch; do
  case "$found" in
    *"$backend$tab$name"*) continue ;;
  esac
  state=$(compiled "$arch")
  echo "| $name | $backend | ${state:-untested} |"
done
