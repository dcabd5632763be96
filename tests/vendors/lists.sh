# shellcheck shell=sh disable=SC2034,SC2154 # cc and failed are those of the script that reads this
# Reading a backend's lists of a vendor's functions and numbers, for the checks in this folder.

complain() {
  printf '%s\n' "$*"
  failed=1
}

# expand LIST MACRO PARAMETERS TEXT [CC-OPTION...]: the text for each row of the list, a line each.
# Macros in the rows are not expanded, as they are without the vendor's headers.
expand() {
  list=$1 macro=$2 parameters=$3 text=$4
  shift 4
  printf '#define %s(%s) @ %s\n#include "%s"\n' "$macro" "$parameters" "$text" "$list" |
    "$cc" -E -P -x c "$@" - | tr '@' '\n' | awk 'NF {$1 = $1; print}'
}

# knows FILE NAME: whether the word is in the file.
knows() {
  grep -qw -e "$2" "$1"
}

# exports LIBRARY: names of the functions that it exports.
exports() {
  nm -D --defined-only "$1" | awk '{sub(/@.*/, "", $3); print $3}'
}

# without LIST NAME...: the list without the rows of those names. A row is a line.
without() {
  list=$1
  shift
  pattern='^$'
  for name in "$@"; do
    pattern="$pattern|[ ,(]${name}[,)]"
  done
  grep -vE "$pattern" "$list" || true
}

# declarations PREFIX FILE...: in C, of every function that bindings for Cython call: PREFIX and the
# name that the library exports.
declarations() {
  prefix=$1
  shift
  awk -v prefix="$prefix" '
    /^cdef .*\) .*nogil:$/ {
      sub(/^cdef /, "")
      match($0, /[a-zA-Z0-9_]+\(/)
      result = substr($0, 1, RSTART - 1)
      parameters = substr($0, RSTART + RLENGTH - 1)
      sub(/\)[^)]*$/, ")", parameters)
      sub(/^\(\)$/, "(void)", parameters)
    }
    match($0, /__init_symbol\(&[^,]*,"[^"]*"\)/) {
      split($0, parts, "\"")
      print result " " prefix parts[2] parameters ";"
    }' "$@"
}

# types FILE: in C, the types that declarations for Cython name. Of enums the type alone is right, not
# the numbers.
types() {
  awk '
    match($0, /^    (cdef|ctypedef) (struct|enum) /) {
      kind = $2
      name = $3
      sub(/:$/, "", name)
      if (kind == "enum") {
        print "typedef enum " name " { " name "_any } " name ";"
      } else {
        print "typedef struct " name " {"
      }
      open = kind == "struct"
      next
    }
    open && /^        / {sub(/^ +/, ""); print "    " $0 ";"; next}
    open && /^$/ {print "} " name ";"; open = 0}
    /^    ctypedef / {sub(/^    ctypedef /, "typedef "); print $0 ";"}' "$1"
}
