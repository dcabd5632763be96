#!/bin/sh
# clang-tidy over the compiled C files of core, ops, backends, compile, conformance, cli and tools. A
# file that was clean is looked at again only when it, a header or the configuration has changed.
#   check_tidy.sh ROOT BUILD CLANG_TIDY
set -eu
cd "$1"
build=$2 tidy=$3
clean=$build/tidy
mkdir -p "$clean"

common=$(find core ops backends compile conformance cli tools -name '*.h' -type f 2>/dev/null | LC_ALL=C sort |
  xargs cat .clang-tidy | sha256sum)
: >"$clean/todo"
sed -n 's/^ *"file": "\(.*\)".*/\1/p' "$build/compile_commands.json" | LC_ALL=C sort -u |
  while read -r file; do
    case $file in
      "$PWD"/core/*.c | "$PWD"/ops/*.c | "$PWD"/backends/*.c | "$PWD"/conformance/*.c | \
        "$PWD"/cli/*.c | "$PWD"/compile/*.c | "$PWD"/tools/*.c) ;;
      *) continue ;;
    esac
    key=$(echo "$common" | cat - "$file" | sha256sum | cut -c 1-40)
    [ -e "$clean/$key" ] || echo "$key $file" >>"$clean/todo"
  done

echo "$(wc -l <"$clean/todo") files to look at"
# shellcheck disable=SC2016 # expanded by the inner shell
xargs -r -P "$(nproc)" -L 1 sh -c '
  "$0" -p "$1" --quiet "$4" 2>/dev/null && : >"$2/$3"' "$tidy" "$build" "$clean" <"$clean/todo"
