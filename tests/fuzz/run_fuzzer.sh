#!/bin/sh
# Runs a fuzzer for some seconds, from the seeds of the source tree and files that were built.
#   run_fuzzer.sh PROGRAM SECONDS SEEDS DICTIONARY [FILE...]     (no words: /dev/null)
# What it finds on the way stays in the current folder; a broken input is called crash-*.
set -eu
program=$1 seconds=$2 seeds=$3 words=$4
shift 4
work=$(basename "$program").work
rm -rf "$work"
mkdir -p "$work/corpus" "$work/given"
for file in "$@" "$seeds"/*; do [ ! -e "$file" ] || cp "$file" "$work/given/"; done
cd "$work"
set -- -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=512 -max_len=16384 \
  -print_final_stats=1 -verbosity=0
[ ! -s "$words" ] || set -- "$@" -dict="$words" # an empty one is refused
exec "$program" "$@" corpus given
