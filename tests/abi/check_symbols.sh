#!/bin/sh
# libkeel exports exactly the names in abi/keel.symbols, one a line, sorted bytewise.
set -eu
LC_ALL=C
export LC_ALL
nm -D --defined-only "$1" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort | diff "$2" -
