#!/usr/bin/env bash
# Runs the gallery, the real programs and what hangs on the kernel's own haste, on a machine that has no processor to spare.
#
#   Tests/Stress/run.sh [ROUNDS]
#
# A round runs scenarios/ and Tests/RealPrograms once, and each file of Tests/Stress REPEATS times (50), with four
# times as many cases at once as there are processors, beside BURNERS busy loops (two for each processor); the real
# programs, which take most of the time, stand in the first PROGRAM_ROUNDS rounds (all). The figures of each round are a
# line of .build/stress/rounds.tsv, and the output of a round that failed is kept beside it. A run that was interrupted
# goes on where it stopped; a complete one, or another executable, begins anew.
#
# SCENARIO is the executable (.build/debug/scenario). Exit code 1 if any case of any round did not pass.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

rounds=${1:-5}
repeats=${REPEATS:-50}
program_rounds=${PROGRAM_ROUNDS:-$rounds}
scenario=$(realpath "${SCENARIO:-.build/debug/scenario}")
processors=$(nproc)
jobs=$((processors * 4))
burners=${BURNERS:-$((processors * 2))}
folder=.build/stress
record=$folder/rounds.tsv

mkdir -p "$folder"
identity="$rounds $repeats $program_rounds $jobs $burners $(sha256sum "$scenario" | cut -d ' ' -f 1)"
if [ "$(cat "$folder/identity" 2>/dev/null)" != "$identity" ] ||
  [ "$(wc -l < "$record" 2>/dev/null || echo 0)" -ge "$rounds" ]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  echo "$identity" > "$folder/identity"
  : > "$record"
fi

burning=()
runner=
stop_all() {
  [ ${#burning[@]} -eq 0 ] || kill "${burning[@]}" 2>/dev/null
  [ -z "$runner" ] || kill "$runner" 2>/dev/null
}
trap stop_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for _ in $(seq "$burners"); do
  # Ends with its parent's time even if nobody ends it.
  timeout 86400 sh -c 'while :; do :; done' &
  burning+=($!)
done

# run_part NAME PATH... [-- OPTION...]: adds what became of its cases to passed and failed.
run_part() {
  local name=$1 log="$folder/round-$round-$1.txt" status counts
  shift
  # A machine that has no processor to spare is no reason to give up.
  "$scenario" run "$@" -j "$jobs" --timeout 10m --ui quiet --show-output failed > "$log" 2>&1 < /dev/null &
  # In the background: a shell acts on a signal only once the command in front of it is over.
  runner=$!
  wait "$runner"
  status=$?
  runner=
  counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
  if [ -z "$counts" ]; then
    echo "round $round, $name: exit code $status without counts; see $log" >&2
    failed=$((failed + 1))
    return
  fi
  passed=$((passed + ${counts%% *}))
  if [ "$status" -eq 0 ]; then
    rm -f "$log"
    return
  fi
  # What did not pass, whatever it is called: failed, errored.
  local bad
  bad=$(tr ',' '\n' <<< "$counts" | awk '/failed|errored/ { sum += $1 } END { print sum + 0 }')
  failed=$((failed + (bad > 0 ? bad : 1)))
  echo "round $round, $name: $counts; see $log" >&2
}

while [ "$(wc -l < "$record")" -lt "$rounds" ]; do
  round=$(($(wc -l < "$record") + 1))
  passed=0
  failed=0
  begin=$(date +%s)
  run_part gallery scenarios
  [ "$round" -gt "$program_rounds" ] || run_part programs Tests/RealPrograms
  run_part haste Tests/Stress --repeat "$repeats"
  printf '%s\t%s\t%s\t%s\n' "$round" "$passed" "$failed" "$(($(date +%s) - begin))" >> "$record"
  echo "round $round of $rounds: $passed passed, $failed failed, $(($(date +%s) - begin)) s"
done

awk -v jobs="$jobs" -v burners="$burners" '
  { passed += $2; failed += $3; seconds += $4 }
  END {
    printf "%d rounds with -j %d beside %d busy loops: %d seconds\n", NR, jobs, burners, seconds
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0
  }' "$record"
