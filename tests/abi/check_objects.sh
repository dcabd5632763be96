#!/bin/sh
# Reads compiled objects (one path a line in $1) and refuses what the code of core, ops and backends
# must not have: calls that end the process, print, start another or read its environment (env.c
# may), mutable globals, and constructors.
set -eu
failed=0

forbidden='abort|exit|_exit|_Exit|quick_exit|atexit|on_exit|__assert_fail'
forbidden="$forbidden|printf|vprintf|puts|putchar|perror|__printf_chk|__vprintf_chk|stdout|stderr"
forbidden="$forbidden|fork|vfork|system|popen|posix_spawn|setenv|putenv|signal|sigaction"
environment='getenv|secure_getenv|environ|__environ'
mutable='\.data|\.bss|\.data\.rel|\.data\.rel\.local|\.tdata|\.tbss|\.init_array|\.ctors'

while read -r object; do
  if [ -z "$object" ]; then
    continue
  fi
  names=$forbidden
  case $object in
    */src/env.c.o) ;;
    *) names="$names|$environment" ;;
  esac
  found=$(nm -u "$object" | awk '{print $2}' | grep -Ex "$names" | tr '\n' ' ' || true)
  if [ -n "$found" ]; then
    echo "$object uses: $found"
    failed=1
  fi
  found=$(objdump -h "$object" | awk '$3 ~ /[1-9a-f]/ && $1 ~ /^[0-9]+$/ {print $2}' |
    grep -Ex "$mutable" | tr '\n' ' ' || true)
  if [ -n "$found" ]; then
    echo "$object has mutable globals or constructors in: $found"
    objdump -t "$object" | awk '$4 ~ /^\.(data|bss|tdata|tbss)/ || $3 ~ /^\.(data|bss|tbss)/' || true
    failed=1
  fi
done <"$1"
exit $failed
