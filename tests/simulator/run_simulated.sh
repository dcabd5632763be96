#!/bin/sh
# Runs a command with the simulated vendor runtimes in front of any real ones, and fails if it succeeds
# although the simulator found something: what is left at the end of a process fails no case.
#   run_simulated.sh FOLDER COMMAND...
# KEEL_SIMULATOR and KEEL_VENDOR_DIR of the caller are kept, behind what is set here.
set -eu
folder=$(cd "$1" && pwd)
shift
images=$folder/images # compiled kernels, kept for the next time
findings=$(mktemp)
trap 'rm -f "$findings"' EXIT

status=0
KEEL_VENDOR_DIR=$folder${KEEL_VENDOR_DIR:+:$KEEL_VENDOR_DIR} \
  KEEL_SIMULATOR=cache=$images,log=$findings${KEEL_SIMULATOR:+,$KEEL_SIMULATOR} "$@" || status=$?

if [ -s "$findings" ]; then
  echo "$(wc -l <"$findings") findings of the simulator; the first ones:"
  head -n 20 "$findings"
  [ "$status" != 0 ] || status=1
fi
exit "$status"
