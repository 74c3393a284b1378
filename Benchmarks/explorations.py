"""Explorations: how long a point takes by a fork and by a run of its own, and what Debian's programs make of
failing allocations."""

import json
import os
import re
import shutil
import subprocess
import time

# What each program is asked to do with the file "words", and whether it is installed is asked first.
PROGRAMS = {
    "awk": ["awk", "{ n += length($1) } END { print n }", "words"],
    "bash": ["bash", "-c", "n=0; while read -r w; do n=$((n+1)); done < words; echo $n"],
    "bzip2": ["bzip2", "-k", "words"],
    "cp": ["cp", "words", "copy"],
    "curl": ["curl", "-s", "file:///etc/hostname"],
    "dash": ["dash", "-c", "for i in 1 2 3; do echo $i; done > out; cat < out"],
    "diff": ["diff", "words", "words"],
    "find": ["find", ".", "-name", "words"],
    "git": ["git", "hash-object", "words"],
    "gpg": ["gpg", "--version"],
    "grep": ["grep", "-c", "a", "words"],
    "gzip": ["gzip", "-k", "words"],
    "ls": ["ls", "-l"],
    "make": ["make", "-n", "-f", "/dev/null", "words"],
    "openssl": ["openssl", "dgst", "-sha256", "words"],
    "perl": ["perl", "-e", 'print join(",", sort qw(c a b)), "\\n"'],
    "python3": ["/usr/bin/python3", "-S", "-E", "-c", "print(sum([1, 2, 3]))"],
    "sed": ["sed", "s/1/2/", "words"],
    "sort": ["sort", "-o", "sorted", "words"],
    "sqlite3": ["sqlite3", ":memory:",
                "create table t(a); insert into t values(1),(2),(3); select sum(a) from t;"],
    "tar": ["tar", "cf", "words.tar", "words"],
    "xz": ["xz", "-k", "words"],
}


def file(folder, name, command):
    """A scenario that explores the allocations of a program."""
    path = folder / f"{name}.yaml"
    path.write_text(
        "version: 1\n"
        f"target: {{ command: {json.dumps(command)}, env: {{ LC_ALL: C }}, "
        'files: { words: "1 a\\n2 b\\n10 c\\n" } }\n'
        'explore: { points: ["@alloc"], modes: [once] }\n')
    return path


def explore(runner, folder, name, command, *options):
    """Explores; wall seconds, the sums of the table's columns, and the line behind it."""
    path = file(folder, name, command)
    begin = time.perf_counter()
    process = subprocess.run(
        [runner, "explore", "--fresh", "--color", "never", "--save", folder / f"{name}.found",
         *options, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    wall = time.perf_counter() - begin
    rows = re.findall(r"^  (\S+) +(\d[\d ]*)$", process.stdout, re.MULTILINE)
    columns = zip(*([int(word) for word in numbers.split()] for call, numbers in rows if call != "all"))
    sums = [sum(column) for column in columns]
    tried = re.search(r"^(\d+) of (\d+) faults tried.*$", process.stdout, re.MULTILINE)
    if process.returncode not in (0, 1, 3) or not sums or not tried:
        return wall, None, f"exit code {process.returncode}"
    return wall, sums, tried.group(0)


def measure(runner, folder, rounds):
    """All allocations of sqlite3, by forks and by runs of their own, in turn."""
    command = PROGRAMS["sqlite3"]
    walls = {"auto": [], "rerun": []}
    points = {}
    for _ in range(min(rounds, 3)):
        for engine in walls:
            wall, counts, _ = explore(
                runner, folder, "sqlite3", command, "--engine", engine)
            if counts is None:
                print(f"{engine}: failed")
                return
            walls[engine].append(wall)
            points[engine] = counts[0]
    for engine, name in [("auto", "by forks"), ("rerun", "by runs of their own")]:
        least = min(walls[engine])
        print(f"{name:22} {points[engine]:5} points   {least:6.2f} s   "
              f"{1000 * least / points[engine]:6.2f} ms a point   "
              f"({max(walls[engine]):.2f} s at most)")


def sweep(runner, folder):
    """What each program makes of it."""
    limit = os.environ.get("SWEEP_TIME", "20s")
    print(f"{'program':8} {'points':>6} {'tried':>6} {'same':>5} {'clean':>5} {'silent':>6} "
          f"{'crash':>5} {'hang':>5} {'leak':>5} {'forks':>6} {'seconds':>8}")
    for name, command in PROGRAMS.items():
        if not shutil.which(command[0]):
            print(f"{name:8} is not installed")
            continue
        wall, counts, line = explore(
            runner, folder, name, command, "--budget-time", limit)
        if counts is None:
            print(f"{name:8} {line}")
            continue
        reached, fired, _, same, clean, silent, crash, hang, leak = counts
        forks = re.search(r"(\d+) of them by forks", line)
        print(f"{name:8} {reached:6} {fired:6} {same:5} {clean:5} {silent:6} {crash:5} {hang:5} "
              f"{leak:5} {forks.group(1) if forks else 0:>6} {wall:8.1f}")
