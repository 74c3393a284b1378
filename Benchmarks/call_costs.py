"""What a system call costs: bare, under the runner, under libfiu and under strace.

None of the entries ever fires. Costs are counted in processor cycles, as the runner decides what clocks
show, and told in nanoseconds.
"""

import shutil
import statistics
import subprocess

NEVER = 1_000_000_000

# What the runner is to do to a call, by what is called it in the table.
ENTRIES = {
    "untraced": "{ call: fsync, when: { after: %d }, provide: { error: EIO } }" % NEVER,
    "traced": "{ call: %%s, when: { after: %d }, provide: { error: EIO } }" % NEVER,
    "traced, args": '{ call: %s, where: { args: { 0: 99 } }, provide: { error: EIO } }',
    "traced, path": '{ call: %s, where: { path: "/nowhere/*" }, provide: { error: EIO } }',
    "traced, path met": '{ call: %%s, where: { path: "/**" }, when: { after: %d }, provide: { error: EIO } }'
    % NEVER,
}

# libfiu's point for a call; it has none for lseek(2).
POINTS = {"lseek": None, "write": "posix/io/rw/write", "pread64": "posix/io/rw/pread"}

# Numbers of the x86-64 calls, for the least tracer.
NUMBERS = {"lseek": 8, "write": 1, "pread64": 17}

FAMILIES = {"lseek": "lseek", "write": "write", "pread64": "read"}


def commands(program, call, folder, scenario):
    """The commands that make a call, by their names; those of the runner with their reports."""
    yield "bare", [program, call], None
    tracer = program.parent / "least_tracer"
    yield "any filter at all", [tracer, "none", program, call], None
    yield "any tracer at all", [tracer, NUMBERS[call], program, call], None
    for name, entry in ENTRIES.items():
        entry = entry % FAMILIES[call] if "%s" in entry else entry
        for clock in ["", "held"]:
            if clock and name not in ["untraced", "traced"]:
                continue
            stem = f"call-{call}-{name}-{clock}".replace(" ", "").replace(",", "-")
            report = folder / f"{stem}.jsonl"
            text = f"version: 1\ntarget: {{ command: [{program}, {call}] }}\nchaos:\n  - {entry}\n"
            if clock:
                text += f"clock: {{ flow: {clock} }}\n"
            command = scenario(folder, stem, text) + ["--report", f"jsonl={report}"]
            yield f"scenario {name}" + (f", {clock} clock" if clock else ""), command, report
    if shutil.which("fiu-run") and POINTS[call]:
        yield "libfiu, no point", ["fiu-run", "-x", program, call], None
        yield "libfiu, point off", [
            "fiu-run", "-x", "-c", f"enable_random name={POINTS[call]},probability=0", program, call,
        ], None
    if shutil.which("strace"):
        # It takes no number above 65535, which is beyond what the program calls.
        for name, other in [("untraced", "fsync"), ("traced", call)]:
            rule = ["-e", f"trace={other}", "-e", f"inject={other}:error=EIO:when=65535"]
            for filter in [[], ["--seccomp-bpf"]]:
                yield " ".join(["strace", name] + filter), [
                    "strace", "-f", *filter, "-o", "/dev/null", *rule, program, call,
                ], None


def output(command, report, standard_output):
    """What the program printed; that an entry never fires makes a case fail."""
    process = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        check=report is None)
    return standard_output(report) if report else process.stdout.decode()


def measure(program, folder, rounds, scenario, standard_output):
    """Prints a table for each call."""
    rate = float(subprocess.check_output([str(program), "cycles"]))
    for call in POINTS:
        costs = {}
        rows = list(commands(program, call, folder, scenario))
        for _ in range(rounds):
            for name, command, report in rows:
                words = output(command, report, standard_output).split()
                figures = float(words[1]) / rate, float(words[3]) / rate
                costs.setdefault(name, []).append(figures)
        bare = min(least for least, _ in costs["bare"])
        for name, figures in costs.items():
            least = min(least for least, _ in figures)
            middle = statistics.median(median for _, median in figures)
            print(f"{call:8} {name:30} least {least:9.1f} (+{least - bare:9.1f}, {least / bare:7.2f}x)"
                  f"   median {middle:9.1f}")
