#!/usr/bin/env bash
# Compiles the clients that get URLs: one for each library that is compiled in.
#
#   Tests/Programs/Clients/build.sh OUTDIR
#
# What is newer than its source is left alone.
dependencies=test
source "$(dirname "${BASH_SOURCE[0]}")/../building.sh"

# build NAME SOURCE COMMAND...: runs the command, unless what it makes is newer than the source.
build() {
  local program=$output_folder/$1 source=$source_folder/$2
  shift 2
  if [ "$program" -nt "$source" ] && [ "$program" -nt "$build_script" ]; then return; fi
  need "$1"
  echo "$(basename "$program")"
  (cd "$source_folder" && "$@" "$program")
}

go_build() {
  CGO_ENABLED=0 GOFLAGS=-trimpath GO111MODULE=off go build -o "$1" fetch.go
}

# With cgo, and with libc's resolver whatever nsswitch.conf says.
go_build_with_libc() {
  CGO_ENABLED=1 GOFLAGS=-trimpath GO111MODULE=off go build -tags netcgo -o "$1" fetch.go
}

swift_build() {
  swiftc -swift-version 6 -warnings-as-errors -parse-as-library -Onone -o "$1" fetch.swift
}

c_flags=(-std=gnu17 -O2 -Wall -Wextra -Werror)
build go-fetch fetch.go go_build
build go-fetch-cgo fetch.go go_build_with_libc
build swift-fetch fetch.swift swift_build
build c-fetch fetch.c gcc "${c_flags[@]}" fetch.c -o
build c-fetch-musl fetch.c musl-gcc "${c_flags[@]}" -static fetch.c -o
