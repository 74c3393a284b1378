#!/usr/bin/env bash
# Compiles the probes: one program for each language that is compiled, which makes every wait that the
# language knows. Those that are not compiled are run from their source.
#
#   Tests/Programs/Languages/build.sh OUTDIR
#
# What is newer than its source is left alone.
dependencies=test
source "$(dirname "${BASH_SOURCE[0]}")/../building.sh"

# build NAME SOURCE... -- COMMAND...: runs the command, unless what it makes is newer than the sources.
build() {
  local program=$output_folder/$1 sources=("$build_script") source
  shift
  while [ "$1" != -- ]; do
    sources+=("$1")
    shift
  done
  shift
  need "$1"
  for source in "${sources[@]}"; do
    [ "$program" -nt "$source" ] && continue
    echo "$1  $(basename "$program")"
    (cd "$source_folder" && "$@" "$program")
    # A folder, such as javac fills, keeps the time of its making.
    touch "$program"
    return
  done
}

go_build() {
  need go
  CGO_ENABLED=0 GOFLAGS=-trimpath GO111MODULE=off go build -o "$1" waits.go
}

swift_build() {
  need swiftc
  swiftc -swift-version 6 -warnings-as-errors -Onone -o "$1" waits.swift
}

java_build() {
  need javac
  mkdir -p "$1"
  javac -Xlint:all -Werror -d "$1" Waits.java
}

c_sources=("$source_folder"/C/*.c)
c_flags=(-std=gnu17 -O2 -Wall -Wextra -Werror -pthread)
build c-waits "${c_sources[@]}" "$source_folder/C/probe.h" -- gcc "${c_flags[@]}" "${c_sources[@]}" -o
build c-waits-static "${c_sources[@]}" "$source_folder/C/probe.h" -- gcc "${c_flags[@]}" -static "${c_sources[@]}" -o
build c-waits-musl "${c_sources[@]}" "$source_folder/C/probe.h" -- musl-gcc "${c_flags[@]}" -static "${c_sources[@]}" -o
build cpp-waits "$source_folder/waits.cpp" -- \
  g++ -std=c++20 -O1 -Wall -Wextra -Werror -pthread waits.cpp -o
build rust-waits "$source_folder/waits.rs" -- rustc --edition 2021 -D warnings waits.rs -o
build go-waits "$source_folder/waits.go" -- go_build
build swift-waits "$source_folder/waits.swift" -- swift_build
build java "$source_folder/Waits.java" -- java_build
