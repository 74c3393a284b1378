"""The runner itself: what a case costs, beside the floor and beside other runners, and what it keeps of ten
thousand."""

import os
import pathlib
import resource
import shutil
import subprocess
import time

BUILD = pathlib.Path(__file__).resolve().parent.parent / ".build"

HEAD = "version: 1\ntarget: { command: [/bin/echo, hi] }\nexpect: { stdout: hi }\nscenarios:\n"


def cases(folder, count):
    """A file with so many cases of `/bin/echo hi`."""
    path = folder / f"runner-{count}.yaml"
    path.write_text(HEAD + "".join(f"  - name: case {number}\n" for number in range(count)))
    return path


def rich_cases(folder, count):
    """A file with so many cases, each with an environment, a command and two conditions of its own."""
    path = folder / f"rich-{count}.yaml"
    path.write_text("version: 2\nscenarios:\n" + "".join(
        f"  - name: case {number}\n"
        f"    target: {{ command: [sh, -c, 'echo \"$NUMBER of {number}\"'], "
        f"env: {{ NUMBER: \"{number}\", MODE: plain }} }}\n"
        f"    expect: {{ exit: 0, stdout: {{ contains: \"{number} of\" }} }}\n"
        for number in range(count)))
    return path


def others(folder, count):
    """Other runners that are installed, each with as many cases in one file."""
    commands = {}
    (folder / "cases.bats").write_text("".join(
        f'@test "case {number}" {{ run /bin/echo hi; [ "$status" = 0 ]; [ "$output" = hi ]; }}\n'
        for number in range(count // 20)))
    if shutil.which("bats"):
        commands[f"bats, {count // 20} cases"] = ["bats", folder / "cases.bats"]
    (folder / "cases.test").write_text("/bin/echo hi\n>>>\nhi\n>>>= 0\n\n" * count)
    if shutil.which("shelltest"):
        commands["shelltestrunner -j2"] = ["shelltest", "-j2", folder / "cases.test"]
    (folder / "cases.t").write_text("  $ /bin/echo hi\n  hi\n" * count)
    cram = shutil.which("cram3") or shutil.which("cram")
    if cram:
        commands["cram, one shell for all"] = [cram, folder / "cases.t"]
    (folder / "test_cases.py").write_text(
        "import subprocess, pytest\n"
        f"@pytest.mark.parametrize('number', range({count}))\n"
        "def test_case(number, tmp_path):\n"
        "    done = subprocess.run(['/bin/echo', 'hi'], capture_output=True, cwd=tmp_path)\n"
        "    assert done.returncode == 0 and done.stdout == b'hi\\n'\n")
    pytest = BUILD / "pytest/bin/python"
    if pytest.exists():
        commands["pytest"] = [pytest, "-m", "pytest", "-q", folder / "test_cases.py"]
    lit = BUILD / "lit/bin/lit"
    if lit.exists():
        suite = folder / "lit"
        suite.mkdir()
        (suite / "lit.cfg.py").write_text(
            "import lit.formats\nconfig.name = 'cases'\nconfig.suffixes = ['.sh']\n"
            "config.test_format = lit.formats.ShTest(False)\n")
        for number in range(count // 10):
            (suite / f"{number}.sh").write_text("# RUN: /bin/echo hi | grep -qx hi\n")
        commands[f"lit -j2, {count // 10} cases"] = [lit, "-q", "-j2", suite]
    return commands


def peak(command):
    """Wall seconds of a command, the most memory that it had, in MiB, and how it ended."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.perf_counter() - begin, usage.ru_maxrss / 1024, process.returncode


def descriptors(runner, path):
    """Runs with 256 descriptors at most; the exit code."""
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    return subprocess.run(
        [str(runner), "run", str(path), "-j8"], preexec_fn=limit, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).returncode


def measure(folder, runner, programs, interleaved):
    """Everything, printed."""
    count = 1_000
    path = cases(folder, count)
    commands = {
        "C, posix_spawn and mkdir, 2 at once": [programs / "spawn_folders", count, 2],
        "scenario -j2": [runner, "run", path, "-j2"],
        "C, one after the other": [programs / "spawn_folders", count, 1],
        "scenario -j1": [runner, "run", path, "-j1"],
    } | others(folder, count)
    results = interleaved(commands)
    floor = min(results["C, posix_spawn and mkdir, 2 at once"][0])
    for name, (walls, cpu) in results.items():
        print(f"{name:40} {min(walls):7.2f} s wall {min(cpu):7.2f} s CPU {min(walls) / floor:6.2f}x")
    single = min(results["scenario -j1"][0]) - min(results["C, one after the other"][0])
    print(f"{'a supervised case beyond the floor':40} {single / count * 1e3:7.2f} ms (asked: 3 ms)")
    print(f"\n{'cases':>10} {'wall':>9} {'memory':>10}")
    for number in [1_000, 5_000, 10_000]:
        wall, memory, code = peak([runner, "run", cases(folder, number), "-j2"])
        print(f"{number:10} {wall:7.2f} s {memory:6.0f} MiB   exit {code}")
    path = rich_cases(folder, 10_000)
    print("\n10,000 cases with an environment, a command and two conditions each (asked: 150 MB)")
    for command in [["check", path], ["list", path], ["run", path, "-j2"]]:
        wall, memory, code = peak([runner] + command)
        print(f"{command[0]:>10} {wall:7.2f} s {memory:6.0f} MiB   exit {code}")
    print(f"\n8 at once with 256 descriptors: exit {descriptors(runner, cases(folder, 1_000))}")
    walls = [peak([runner, "--version"])[0] for _ in range(20)]
    print(f"scenario --version: {min(walls) * 1e3:.1f} ms (asked: 10 ms)")
