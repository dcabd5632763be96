#!/bin/sh
# Fetches the sources of the libraries that a bundle brings along, from Debian's source packages, with
# Debian's patches applied: FOLDER/jansson and FOLDER/libxml2, which the program keel is linked with, and
# FOLDER/xz-utils, which libkeel reads compressed packs with.
#   sources.sh FOLDER
set -eu
folder=$1

# Source package, SHA-256 of its upstream archive.
list() {
  cat <<'END'
jansson c739578bf6b764aa0752db9a2fdadcfe921c78f1228c7ec0bb47fa804c55d17b
libxml2 4fe913dec8b1ab89d13b489b419a8203176ea39e931eaa0d25b17eafb9c279e9
xz-utils 5d9827aa1875b21c288f78864bb26d2650b436ea8d2cad364e4921eb6266a5a5
END
}

# apt with an own configuration: this machine's sources of Debian, asked for source packages.
apt() {
  apt-get -qq -o Dir::Etc::SourceList="$folder/apt/sources.list" -o Dir::Etc::SourceParts=- \
    -o Dir::State::Lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" \
    -o APT::Sandbox::User=root -o Acquire::Languages=none "$@"
}

configure_apt() {
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache"
  # shellcheck disable=SC2016 # apt's own variables
  apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Identifier: Packages' 'ORIGIN: Debian' | sort -u >"$folder/apt/sources.list"
  [ -s "$folder/apt/sources.list" ] || {
    echo "sources: apt has no source of Debian's packages" >&2
    exit 1
  }
  apt update
}

# fetch NAME HASH: unpacked in one step seen from outside.
fetch() {
  rm -rf "$folder/$1.new"
  mkdir "$folder/$1.new"
  (cd "$folder/$1.new" && apt source "$1" >log 2>&1) || {
    cat "$folder/$1.new/log" >&2
    exit 1
  }
  found=$(sha256sum "$folder/$1.new"/*.orig.tar.* | cut -d ' ' -f 1)
  [ "$found" = "$2" ] || {
    echo "sources: the archive of $1 has the SHA-256 $found, not $2: another Debian release?" >&2
    exit 1
  }
  sed -n 's/^Version: //p' "$folder/$1.new"/*.dsc | head -n 1 >"$folder/$1.version"
  mv "$folder/$1.new"/"$1"-*/ "$folder/$1"
  rm -rf "$folder/$1.new"
}

mkdir -p "$folder"
list | while read -r name hash; do
  [ ! -d "$folder/$name" ] || continue
  [ -s "$folder/apt/sources.list" ] || configure_apt
  fetch "$name" "$hash"
done
