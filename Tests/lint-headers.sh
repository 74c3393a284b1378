#!/usr/bin/env bash
# Checks that no header of this package has the name of one of the C library's: folders of headers are searched before
# the system's, so that whoever includes <limits.h> would get ours.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

status=0
for header in Sources/*/include/*.h; do
  name=$(basename "$header")
  for folder in /usr/include "/usr/include/$(uname -m)-linux-gnu"; do
    if [ -e "$folder/$name" ]; then
      echo "$header: hides $folder/$name"
      status=1
    fi
  done
done
exit "$status"
