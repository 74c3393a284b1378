#!/bin/sh
# Fuzzes the reader, the expressions and the factories: run.sh SECONDS. Ends by itself, and with an error if
# an input traps, hangs or takes too much memory; that input is then kept in .build/fuzz.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
scratch=.build/fuzz
swift build --ignore-lock --scratch-path "$scratch" -c release --target ScenarioCompiler -Xswiftc -sanitize=fuzzer
modules=$(find "$scratch"/*/release -maxdepth 1 -name Modules | head -n 1)
products=$(dirname "$modules")
# Whatever the compiler is built from, its dependencies among it, in one archive: then no order of archives counts.
archive=$scratch/modules.a
rm -f "$archive"
# Names of objects have spaces.
find "$products"/*.build -name '*.o' -exec ar qcs "$archive" {} +
# What the modules share is open to their package alone, which SwiftPM calls after its folder.
swiftc -O -sanitize=fuzzer -parse-as-library -I "$modules" -I Sources/CYAML \
  -package-name "$(basename "$PWD" | tr '[:upper:]' '[:lower:]')" \
  $(pkg-config --cflags yaml-0.1 | sed 's/-I/-Xcc -I/g') \
  -o "$scratch/fuzz" Tests/Fuzz/FuzzTarget.swift "$archive" $(pkg-config --libs yaml-0.1)
mkdir -p "$scratch/corpus"
# A trap must reach libFuzzer, which keeps the input, and not Swift's own handler.
export SWIFT_BACKTRACE=enable=no
exec "$scratch/fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=16384 \
  -dict=Tests/Fuzz/scenario.dict -artifact_prefix="$scratch/" -print_final_stats=1 -verbosity=1 \
  "$scratch/corpus" scenarios
