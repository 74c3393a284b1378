#!/bin/sh
# Usage: embed.sh OUTPUT PAGE...
# Writes the pages to OUTPUT, as a Swift dictionary by the names of their files.
set -eu
output=$1
shift

{
  echo 'let explanationTexts: [String: String] = ['
  for page; do
    if grep -q '"""##' "$page"; then
      echo "error: $page holds what ends it" >&2
      exit 1
    fi
    printf '  "%s": ##"""\n' "$(basename "$page" .md)"
    cat "$page"
    printf '"""##,\n'
  done
  echo ']'
} >"$output.part"
mv "$output.part" "$output"
