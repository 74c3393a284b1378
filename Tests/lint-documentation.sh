#!/usr/bin/env bash
# Checks that every declaration which other modules use is documented.
#
# swift-format has that rule for `public` alone, and nothing here is public: it reads a copy that says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

copy=$(mktemp --directory)
trap 'rm -rf "$copy"' EXIT
cp -R Sources "$copy"
find "$copy" -name '*.swift' -exec sed -i -E 's/^( *([a-z]+ )*)package /\1public /' {} +
cat > "$copy/rules.json" <<'END'
{
  "version": 1,
  "lineLength": 1000,
  "indentation": { "spaces": 2 },
  "rules": { "AllPublicDeclarationsHaveDocumentation": true }
}
END
# Only that rule counts here: what else the formatter would change has been said of the originals.
undocumented=$(swift format lint --configuration "$copy/rules.json" --parallel --recursive "$copy/Sources" 2>&1 |
  grep AllPublicDeclarationsHaveDocumentation | sed "s|^$copy/||" || true)
if [ -n "$undocumented" ]; then
  echo "$undocumented" >&2
  exit 1
fi
