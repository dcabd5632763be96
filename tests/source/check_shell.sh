#!/bin/sh
# Shell scripts are free of what shellcheck warns about.
set -eu
cd "$1"
find run .ci/run tests tools scripts -type f \( -name "*.sh" -o -name run -o -path 'scripts/*' \) -exec "$2" {} +
