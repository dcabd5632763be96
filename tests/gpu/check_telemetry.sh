#!/bin/sh
# "keel info" shows what a simulated management library says of a simulated device, and no more.
#   check_telemetry.sh PROGRAM SIMULATOR_FOLDER MANAGEMENT_FOLDER
set -eu
program=$1 simulator=$2 management=$3
failed=0
unset LD_LIBRARY_PATH

# expect DEVICE VENDOR_DIR LINE: the line is in what is printed
expect() {
  if ! KEEL_VENDOR_DIR=$2 "$program" info "$1" 2>&1 | grep -qF -e "$3"; then
    echo "keel info $1 does not say: $3"
    KEEL_VENDOR_DIR=$2 "$program" info "$1" 2>&1 | tail -n 6
    failed=1
  fi
}

expect cuda:0 "$simulator:$management" 'clock              1755 MHz'
expect cuda:0 "$simulator:$management" 'power              301500 mW'
expect cuda:0 "$simulator:$management" 'throttle reasons   power limit'
expect cuda:0 "$simulator:$management" 'not offered        clock limit, memory clock, '
expect hip:0 "$simulator:$management" 'power              612000 mW'
expect hip:0 "$simulator:$management" 'hotspot            54000 mdegC'
expect hip:0 "$simulator:$management" 'not offered        clock, '
# Without it, or with a real one, there is nothing to say.
expect cuda:0 "$simulator" 'clocks and power   unknown: '
expect hip:0 "$simulator" 'clocks and power   unknown: '
exit "$failed"
