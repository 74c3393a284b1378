#!/usr/bin/env bash
# Runs the tests that were built, and repeats at the end what went wrong: thousands of lines scroll by.
#
#   Tests/run-tests.sh [OPTION OF swift test ...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
swift test --skip-build "$@" 2>&1 | tee "$log" || status=$?
if [ "$status" -ne 0 ]; then
  printf '\nwhat failed:\n'
  grep -E -A 3 'recorded an issue|error:|unexpected signal' "$log" |
    grep -v -E '^(◇|✔|--)' | cut -c 1-2000 | tail -n 60
fi
exit "$status"
