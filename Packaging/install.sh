#!/usr/bin/env bash
# Installs a release: install.sh URL-OR-FILE SHA256 FOLDER
#
# Nothing is unpacked whose checksum is another one.
set -euo pipefail
if [ $# -ne 3 ]; then
  echo "usage: $0 URL-OR-FILE SHA256 FOLDER" >&2
  exit 2
fi
source=$1
expected=${2,,}
folder=$3
file=$(mktemp)
trap 'rm -f "$file"' EXIT
case $source in
  http://* | https://* | file://*) curl --fail --silent --show-error --location --retry 3 --output "$file" "$source" ;;
  *) cp "$source" "$file" ;;
esac
actual=$(sha256sum "$file" | cut -d ' ' -f 1)
if [ "$actual" != "$expected" ]; then
  echo "error: \"$source\" has the checksum $actual instead of $expected" >&2
  echo "help: the URL and the checksum must be of the same release" >&2
  exit 3
fi
mkdir -p "$folder"
tar -xzf "$file" -C "$folder" --strip-components 1
"$folder/bin/scenario" --version
