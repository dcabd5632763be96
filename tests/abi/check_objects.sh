#!/bin/sh
# Reads compiled objects (one path a line in $1) and refuses what the code of core, ops and backends
# must not have: calls that end the process, print, start another or read its environment (env.c
# may), mutable globals, and constructors.
set -eu

forbidden='abort|exit|_exit|_Exit|quick_exit|atexit|on_exit|__assert_fail'
forbidden="$forbidden|printf|vprintf|puts|putchar|perror|__printf_chk|__vprintf_chk|stdout|stderr"
forbidden="$forbidden|fork|vfork|system|popen|posix_spawn|setenv|putenv|signal|sigaction"
environment='getenv|secure_getenv|environ|__environ'
mutable='\.data|\.bss|\.data\.rel|\.data\.rel\.local|\.tdata|\.tbss|\.init_array|\.ctors'

violations=$(
  # "path/x.c.o:    U name"
  xargs nm -A -u <"$1" | awk -v forbidden="^($forbidden)$" -v environment="^($environment)$" '
    {object = $1; sub(/:$/, "", object)}
    $NF ~ forbidden || ($NF ~ environment && object !~ /\/src\/env\.c\.o$/) {
      print object " uses " $NF
    }'
  # "path/x.c.o:     file format elf64-x86-64", then "  3 .bss  00000001 ..."
  xargs objdump -h <"$1" | awk -v mutable="^($mutable)$" '
    /file format/ {object = $1; sub(/:$/, "", object)}
    $1 ~ /^[0-9]+$/ && $2 ~ mutable && $3 ~ /[1-9a-f]/ {
      print object " has a mutable global or a constructor: " $2 " of 0x" $3 " bytes"
    }'
)
if [ -n "$violations" ]; then
  echo "$violations"
  exit 1
fi
