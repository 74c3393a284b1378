#!/usr/bin/env bash
# Sorts numbers by sleeping: one background process for each, which prints its number when it wakes.
#
#   children.sh SECONDS...
set -euo pipefail

for seconds in "$@"; do
  (
    sleep "$seconds"
    echo "$seconds"
  ) &
done
wait
