#!/bin/sh
# "keel devices --why" says why a GPU backend is not there, in words that help, for everything that can
# be missing on a machine.
#   check_why.sh PROGRAM SIMULATOR_FOLDER
set -eu
program=$1 simulator=$2
failed=0
unset LD_LIBRARY_PATH

# expect BACKEND VENDOR_DIR OPTIONS TEXT: the line of the backend, or the one below it, has the text
expect() {
  if ! KEEL_BACKENDS=$1 KEEL_VENDOR_DIR=$2 KEEL_SIMULATOR=$3 "$program" devices --why 2>&1 |
    grep -A1 " backend  $1 " | grep -qF "$4"; then
    echo "$1 with '$3' does not say: $4"
    KEEL_BACKENDS=$1 KEEL_VENDOR_DIR=$2 KEEL_SIMULATOR=$3 "$program" devices --why 2>&1 |
      grep -A1 " backend  $1 " || true
    failed=1
  fi
}

expect cuda "$simulator" '' '1 device'
expect cuda "$simulator" devices=3 '3 devices'
expect cuda "$simulator" no_driver=1 'the NVIDIA driver (libcuda.so.1) is not: cudaGetDeviceCount answered cudaErrorInsufficientDriver (35)'
expect cuda "$simulator" stub=1 "a toolkit's stub was found in place of the NVIDIA driver"
expect cuda "$simulator" devices=0 'the NVIDIA driver shows no device'
expect cuda "$simulator" driver=11040 'serves CUDA up to 11.4, libcudart is 13.0'
expect cuda "$simulator" hide=cuLaunchKernel 'the NVIDIA driver has no cuLaunchKernel'
expect cuda "$simulator" hide=cudaStreamWaitEvent 'libcudart has no cudaStreamWaitEvent'
expect cuda "$simulator" 'hide=cudaGetDriverEntryPoint/cudaGetDriverEntryPointByVersion' 'gives no access to the driver'
expect cuda "$simulator/cuda-12:$simulator" '' '1 device'
expect cuda "$simulator/cuda-11:$simulator" '' '1 device'
# Of two runtimes in one folder, the one that the driver serves.
both=$(mktemp -d)
trap 'rm -rf "$both"' EXIT
ln -s "$simulator"/*.so* "$simulator"/cuda-12/*.so* "$both"
expect cuda "$both" driver=12020 '1 device'
expect hip "$simulator" '' '1 device'
expect hip "$simulator" devices=0 'shows no device (is the amdgpu driver loaded'
expect hip "$simulator" hide=hipModuleLaunchKernel 'libamdhip64 has no hipModuleLaunchKernel'
expect hip "$simulator/rocm-6:$simulator" '' '1 device'
expect hip "$simulator/rocm-5:$simulator" '' '1 device'
exit $failed
