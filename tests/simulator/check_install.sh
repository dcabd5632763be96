#!/bin/sh
# The component "simulator" works where it is installed, of every version; without asking for it
# nothing of it is installed.
#   check_install.sh CMAKE BUILD WORK KEEL
set -eu
cmake=$1 build=$2 work=$3 keel=$4
rm -rf "$work"
"$cmake" --install "$build" --prefix "$work/plain" >/dev/null
if find "$work/plain" -name '*simulator*' | grep .; then
  echo 'the simulator is in a plain installation'
  exit 1
fi
"$cmake" --install "$build" --component simulator --prefix "$work/simulator" >/dev/null
folder=$(dirname "$(find "$work/simulator" -name libkeel_simulator.so)")
for versions in '' cuda-12/rocm-6 cuda-11/rocm-5; do
  path=''
  for part in $(echo "$versions" | tr / ' '); do path=$path$folder/$part:; done
  found=$(KEEL_VENDOR_DIR=$path$folder "$keel" devices | grep -c 'Simulated .*, simulated' || true)
  if [ "$found" != 2 ]; then
    echo "$found simulated devices with KEEL_VENDOR_DIR=$path$folder"
    exit 1
  fi
done
