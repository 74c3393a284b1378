#!/bin/sh
# Usage: embed.sh IMAGE OUTPUT LINK-COMMAND...
# Links the shared object IMAGE, then writes its bytes, in base64, as a Swift constant to OUTPUT.
set -eu
image=$1 output=$2
shift 2
"$@" -o "$image"
{
  printf 'let virtualClockImageBase64: StaticString = """\n'
  base64 --wrap=96 "$image" | sed 's/$/\\/'
  printf '\n"""\n'
} >"$output.part"
mv "$output.part" "$output"
