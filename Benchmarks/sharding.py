"""Shards: how evenly a million cases are dealt out to a thousand workers, and how long the dealing takes."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = [(10_000, 8), (100_000, 100), (1_000_000, 1_000)]


def build(folder):
    """The runner's own partition, compiled alone: the whole of it would take minutes."""
    foundations = ROOT / "Sources/Foundations/Time/Nanoseconds.swift"
    sharding = sorted((ROOT / "Sources/ScenarioCompiler/Sharding").glob("Shard*.swift"))
    sources = [path for path in sharding if "En" not in path.stem]
    common = ["swiftc", "-O", "-swift-version", "6", "-package-name", "scenario"]
    subprocess.run(
        [*common, "-parse-as-library", "-emit-module", "-emit-library", "-static",
         "-module-name", "Foundations", "-o", folder / "libFoundations.a",
         "-emit-module-path", folder / "Foundations.swiftmodule", foundations], check=True)
    program = folder / "shards"
    subprocess.run(
        [*common, "-I", folder, "-L", folder, "-lFoundations", "-o", program,
         ROOT / "Benchmarks/shards/main.swift", *sources], check=True)
    return program


def measure(folder):
    program = build(folder)
    for cases, shards in SIZES:
        print(f"\n{cases:,} cases, {shards:,} shards: the busiest shard against the ideal")
        output = subprocess.run(
            [program, str(cases), str(shards), "1"], check=True, capture_output=True, text=True)
        for line in output.stdout.splitlines():
            name, makespan, took, memory = line.split("\t")
            print(f"  {name:28} {float(makespan):6.3f} ×   {float(took) * 1000:8.1f} ms"
                  f"   {int(memory):5} MiB at the peak")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        sys.exit(measure(pathlib.Path(name)))
