#!/bin/sh
# Usage: embed.sh OUTPUT STYLE SCRIPT...
# Writes the style and the joined scripts to OUTPUT, as Swift constants, each with its SHA-256 in base64.
set -eu
output=$1 style=$2
shift 2

# digest: the SHA-256 of standard input in base64, as a Content-Security-Policy has it.
digest() {
  sha256sum | cut -c1-64 | sed 's/../&\n/g' | while read -r byte; do
    [ -z "$byte" ] || printf "\\$(printf '%03o' "0x$byte")"
  done | base64
}

# constant NAME TEXT: two constants, the text and its digest.
constant() {
  case $2 in
    *'"""##'*)
      echo "error: the text of $1 holds what ends it" >&2
      exit 1
      ;;
  esac
  printf 'let %s = ##"""\n%s\n"""##\n' "$1" "$2"
  printf 'let %sDigest = "%s"\n' "$1" "$(printf '%s' "$2" | digest)"
}

{
  constant reportPageStyle "$(cat "$style")"
  constant reportPageScript "(() => {
'use strict';
$(cat "$@")
})();"
} >"$output.part"
mv "$output.part" "$output"
