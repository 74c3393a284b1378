#!/usr/bin/env bash
# Links the debug build's objects into an executable that needs no shared library: OUTPUT, unless it is up to date.
#
#   Tests/link-static.sh OUTPUT
#
# For tests in roots where no library is, or other ones; `make release` writes the executable that is given away.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

output=$1
list=.build/debug/scenario.product/Objects.LinkFileList
mkdir -p "$(dirname "$output")"
# Tests run side by side.
exec 9> "$output.lock"
flock 9
if [ -e "$output" ] && [ "$output" -nt "$list" ] && [ "$output" -nt .build/debug/scenario ]; then
  exit 0
fi
# The build renames main so that tests can be linked with the program.
if ! swiftc -static-executable -o "$output.new" "@$list" -Xlinker --defsym=main=scenario_main \
  -lFoundationEssentials -l_FoundationCollections -l_FoundationCShims -lswiftSynchronization \
  -lyaml -l:libbrotlienc.a -l:libbrotlidec.a -l:libbrotlicommon.a -l:libzstd.a -l:libz.a -l:libcares.a \
  -lm -lstdc++ > "$output.txt" 2>&1; then
  grep error "$output.txt" >&2 || cat "$output.txt" >&2
  exit 3
fi
strip "$output.new"
mv "$output.new" "$output"
