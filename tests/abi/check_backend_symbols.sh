#!/bin/sh
# A backend exports one symbol, asks libkeel for none and calls nothing that the host table offers
# or that would end, print from or depend on the surroundings of the process.
set -eu
exported=$(nm -D --defined-only "$1" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort)
if [ "$exported" != keel_backend_entry ]; then
  echo "$1 exports, besides keel_backend_entry: $(echo "$exported" | tr "\n" " ")"
  exit 1
fi
undefined=$(nm -D --undefined-only "$1" | awk '{sub(/@.*/, "", $2); print $2}')
wanted=$(echo "$undefined" | grep -E '^keel|^(abort|exit|_exit|getenv|secure_getenv|dlopen|dlsym|printf|fprintf|puts|perror|__printf_chk|__fprintf_chk)$' || true)
if [ -n "$wanted" ]; then
  echo "$1 must not use: $(echo "$wanted" | tr "\n" " ")"
  exit 1
fi
