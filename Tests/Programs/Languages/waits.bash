#!/usr/bin/env bash
# The bash probe: makes the waits that it is asked for, one after the other, and tells how long each took.
#
#   waits.bash NAME=MILLISECONDS...
#
# One line for each; the times are those of /proc/uptime or EPOCHREALTIME, which is the finest that bash
# has: microseconds of the wall clock.
set -u

has_ended() { [ "$1" -eq "$2" ]; }

for word in "$@"; do
  name=${word%=*} length=${word##*=}
  seconds=$((length / 1000)).$(printf '%03d' $((length % 1000)))
  before=${EPOCHREALTIME/./}
  case $name in
    sleep) sleep "$seconds" ;;
    sleep-background)
      sleep "$seconds" &
      wait $!
      ;;
    # Silence that does not end: a FIFO's both ends would need a file, so a process keeps a pipe open.
    read-t)
      read -r -t "$seconds" < <(exec sleep infinity)
      [ $? -gt 128 ]
      ;;
    wait-n)
      sleep infinity &
      kept=$!
      sleep "$seconds" &
      wait -n
      ended=$?
      kill "$kept"
      has_ended "$ended" 0
      ;;
    coproc)
      coproc reader { sleep "$seconds"; echo done; }
      read -r answer <&"${reader[0]}"
      [ "$answer" = done ]
      ;;
    pipeline) sleep "$seconds" | cat ;;
    trap-exit) (trap 'sleep "$seconds"' EXIT) ;;
    SECONDS)
      SECONDS=0
      sleep "$seconds"
      has_ended "$SECONDS" $((length / 1000))
      ;;
    timeout)
      timeout "$seconds" sleep infinity
      has_ended $? 124
      ;;
    timeout-k)
      timeout -k "$seconds" "$seconds" bash -c 'trap "" TERM; while true; do sleep 1000; done'
      has_ended $? 137
      ;;
    *)
      echo "waits: there is no wait \"$word\"" >&2
      exit 2
      ;;
  esac || { echo "$name failed"; continue; }
  elapsed=$((${EPOCHREALTIME/./} - before))
  fraction=$((elapsed % 1000))
  if [ "$fraction" -eq 0 ]; then fraction=; else fraction=.$(printf '%03d' "$fraction"); fi
  echo "$name elapsed_ms=$((elapsed / 1000))$fraction"
done
