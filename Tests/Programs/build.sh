#!/usr/bin/env bash
# Compiles the small target programs that the tests and the gallery run.
#
#   Tests/Programs/build.sh OUTDIR
#
# C with $CC, else cc, gcc or clang; Go with cgo off, so that the result is a static executable. What is newer than its
# source is left alone.
dependencies=demo
source "$(dirname "${BASH_SOURCE[0]}")/building.sh"

is_current() {
  [ "$2" -nt "$1" ] && [ "$2" -nt "$build_script" ]
}

compiler=${CC:-}
for candidate in cc gcc clang; do
  [ -n "$compiler" ] || ! command -v "$candidate" >/dev/null || compiler=$candidate
done
need "${compiler:-cc}"
for source in "$source_folder"/*.c; do
  program=$output_folder/$(basename "$source" .c)
  is_current "$source" "$program" && continue
  echo "cc  $(basename "$program")"
  "$compiler" -std=gnu17 -O2 -Wall -Wextra -Werror -pthread -o "$program" "$source" -lm
done
# Once more without a dynamic loader.
source=$source_folder/chaos_calls.c
if ! is_current "$source" "$output_folder/chaos_calls-static"; then
  echo "cc  chaos_calls-static"
  "$compiler" -std=gnu17 -O2 -Wall -Wextra -Werror -pthread -static \
    -o "$output_folder/chaos_calls-static" "$source"
fi
# A folder is one program.
for folder in "$source_folder"/*/; do
  [ -e "$folder/main.c" ] || continue
  program=$output_folder/$(basename "$folder")
  for source in "$folder"/*.[ch]; do
    is_current "$source" "$program" && continue
    echo "cc  $(basename "$program")"
    "$compiler" -std=gnu17 -O2 -Wall -Wextra -Werror -pthread -o "$program" "$folder"/*.c
    break
  done
done

# Programs whose functions are watched, linked in other ways.
variant() {
  local program=$output_folder/$1 source=$source_folder/$2
  shift 2
  command -v "$1" >/dev/null || return 0
  is_current "$source" "$program" && return
  echo "cc  $(basename "$program")"
  "$@" -O2 -Wall -Wextra -Werror -pthread -o "$program" "$source" -lm
}
variant functions-static functions.c "$compiler" -std=gnu17 -static -DSTATIC
variant functions-static-pie functions.c "$compiler" -std=gnu17 -static-pie -DSTATIC
variant functions-musl functions.c musl-gcc -std=gnu17 -static -DSTATIC
variant functions-musl-dynamic functions.c musl-gcc -std=gnu17 -DSTATIC
variant functions-stripped functions.c "$compiler" -std=gnu17 -s
variant outside_writes-static outside_writes.c "$compiler" -std=gnu17 -static
variant limits-static limits.c "$compiler" -std=gnu17 -static
variant entropy-static entropy.c "$compiler" -std=gnu17 -static
variant machine_time-static machine_time.c "$compiler" -std=gnu17 -static
variant branches-static branches.c "$compiler" -std=gnu17 -static
variant branches-musl branches.c musl-gcc -std=gnu17 -static
variant allocation_points-static allocation_points.c "$compiler" -std=gnu17 -static
variant allocation_points-musl allocation_points.c musl-gcc -std=gnu17
variant allocation allocation.cc g++ -std=c++17
variant allocation-static allocation.cc g++ -std=c++17 -static

need go
for source in "$source_folder"/*.go; do
  program=$output_folder/$(basename "$source" .go)
  is_current "$source" "$program" && continue
  echo "go  $(basename "$program")"
  # Named as a file, the program needs no module; outside of one, no go.mod is looked for either.
  (cd "$source_folder" && CGO_ENABLED=0 GOFLAGS=-trimpath GO111MODULE=off \
    go build -o "$program" "$(basename "$source")")
done
