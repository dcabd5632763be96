#!/bin/sh
# The generated keel/ops.h can be read: no line is longer than 100 columns.
set -eu
awk 'length > 100 {print FILENAME ":" FNR ": " length " columns"; bad = 1} END {exit bad}' "$1"
