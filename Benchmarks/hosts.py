"""What Benchmarks/run measures of hosts and the links between them."""

import json
import os
import pathlib
import shutil
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
REAL = ROOT / "Tests/RealPrograms"
HOSTS = 50
SEEDED_RUNS = int(os.environ.get("SEEDED_RUNS", "100"))


def judged(value, wanted, unit, at_least=False):
    """A figure beside the wanted one, and whether it is met."""
    is_met = value >= wanted if at_least else value <= wanted
    return (f"{value:8.2f} {unit} (wanted: {'at least' if at_least else 'at most'} {wanted:g}"
            f"{'' if is_met else '; MISSED'})")


def spent(command):
    """Wall seconds, CPU seconds of the runner with all that it ran, and how it ended."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = process.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        print(f"{command} ended with {process.returncode}:\n{output[-2000:]}")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, process.returncode


def two_hosts(program, size, output, steps):
    return (
        "version: 2\nclock: { flow: real }\ntimeout: 5m\ntargets:\n"
        f"  there: {{ host: there.test, command: [{program}, serve, '80'], ready: {{ port: 80 }} }}\n"
        f"  here: {{ host: here.test, command: [sh, -c, '{program} send there.test 80 {size} > {output}'] }}\n"
        f"scenarios:\n  - name: bytes\n    steps:\n      - start: there\n      - run: here\n{steps}")


def stream(folder, program, scenario, rounds):
    """Bytes between two hosts, directly and by the relay, which any partition of the case makes necessary."""
    size, output = 1 << 30, folder / "stream"
    cut = "      - partition: [[here], [there]]\n      - heal: all\n"
    commands = {
        "directly": scenario(folder, "stream-direct", two_hosts(program, size, output, "")),
        "relayed": scenario(folder, "stream-relayed", two_hosts(program, size, output, cut)),
    }
    rates = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            if spent(command)[2] != 0:
                return
            rates[name].append(float(output.read_text()))
    for name, values in rates.items():
        best = max(values)
        text = judged(best, 300, "MB/s", at_least=True) if name == "relayed" else f"{best:8.2f} MB/s"
        print(f"a stream of 1 GiB, {name:9} {text}   slowest round {min(values):8.2f}")


def crowd(folder, program, scenario):
    """A case with many hosts, each of which listens on one port, and one of which asks all the others."""
    names = [f"h{number}" for number in range(1, HOSTS)]
    sends = "; ".join(f"{program} send {name}.test 80 1 || exit 1" for name in names)
    text = "version: 2\ntimeout: 5m\ntargets:\n" + "".join(
        f"  {name}: {{ host: {name}.test, command: [{program}, serve, '80'], ready: {{ port: 80 }} }}\n"
        for name in names)
    text += f"  visitor: {{ host: visitor.test, command: [sh, -c, '{sends}'] }}\n"
    text += "scenarios:\n  - name: all\n    steps:\n"
    text += "".join(f"      - start: {name}\n" for name in names) + "      - run: visitor\n"
    wall, cpu, code = spent(scenario(folder, "crowd", text))
    print(f"{HOSTS} hosts in one case: exit {code} (wanted: 0), {wall:.2f} s wall, {cpu:.2f} s CPU")


def clusters(folder, scenario, runner):
    """Three nodes of etcd: an hour at rest, exact and with slack, and a leader that is cut off."""
    if not shutil.which("etcd"):
        print("etcd: skipped: it is not installed")
        return
    text = (REAL / "etcd.yaml").read_text().replace("tick: 10s", "tick: 1h")
    text = "timeout: 10m\n" + text
    slack = text.replace("flow: auto }", "flow: auto, slack: 100ms }", 1)
    for name, text, wanted in [("exact", text, 60), ("slack 100 ms", slack, 20)]:
        wall, cpu, code = spent(scenario(folder, f"etcd-{wanted}", text))
        print(f"etcd x 3, an hour at rest, {name:12} CPU {judged(cpu, wanted, 's')}, {wall:.2f} s wall, exit {code}")
    walls = [spent([runner, "run", REAL / "partition-etcd.yaml", "-j1"]) for _ in range(3)]
    wall, cpu, code = min(walls)
    print(f"etcd x 3, its leader cut off, wall {judged(wall, 3, 's')}, {cpu:.2f} s CPU, exit {code}")


def seeded(folder, scenario):
    """How many runs of three nodes of etcd have the order of the first one."""
    if not shutil.which("etcd"):
        print("etcd: skipped: it is not installed")
        return
    report = folder / "order.jsonl"
    text = "order: seeded\nentropy: seeded\ntimeout: 5m\n" + (REAL / "etcd.yaml").read_text()
    command = scenario(folder, "etcd-seeded", text) + ["--report", f"jsonl={report}"]
    first, same = None, 0
    for _ in range(SEEDED_RUNS):
        code = spent(command)[2]
        account = order(report)
        first = first or account
        same += code == 0 and account is not None and account == first
    print(f"etcd x 3, the same order: {same} of {SEEDED_RUNS} (wanted: all{'' if same == SEEDED_RUNS else '; MISSED'})")


def order(report):
    """The account of the order in a stream of events; `None` without one."""
    for line in report.read_text().splitlines():
        event = json.loads(line)
        if event["event"] == "timeAccount":
            return event["data"].get("order")
    return None
