#!/usr/bin/env bash
# Builds the client that gets URLs by AsyncHTTPClient, which is a package of its own: NIO and TLS are built with it.
#
#   Tests/Programs/Clients/AsyncHTTPClient/build.sh OUTDIR
#
# What was fetched and built stays below OUTDIR, so that only the first time takes minutes.
source "$(dirname "${BASH_SOURCE[0]}")/../../building.sh"

name=async-http-fetch
program=$output_folder/$name

is_current() {
  local source
  for source in "$source_folder"/Package.swift "$source_folder"/build.sh "$source_folder"/Sources/*/*.swift; do
    [ "$program" -nt "$source" ] || return 1
  done
}

is_current && exit
echo "$name"
scratch_folder=$output_folder/$name.build
# Nobody steps through it, and without what debuggers read it is built in less time.
swift build --quiet --package-path "$source_folder" --scratch-path "$scratch_folder" \
  --product "$name" -debug-info-format none
cp "$scratch_folder/debug/$name" "$program"
touch "$program"
