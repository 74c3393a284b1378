"""Bazel and Slurm themselves run the recipes, where they are installed; each is told when it is left out."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECIPES = ROOT / "Documentation/scale-out"


def run(runner, Project, require, cases_of, names):
    for name, programs, measure in [
            ("slurm", ["munged", "slurmctld", "slurmd", "sbatch"], slurm), ("bazel", ["bazel"], bazel)]:
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        missing = [program for program in programs if not shutil.which(program, path=path)]
        if missing:
            print(f"{name}: left out, because there is no {', '.join(missing)}")
            continue
        measure(runner, Project, require, cases_of, names)
        print(f"{name}: the recipe works under {name} itself")


# MARK: Slurm


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def slurm(runner, Project, require, cases_of, names):
    project = Project(runner)
    folder = project.folder / "slurm"
    folder.mkdir(mode=0o700)
    host = socket.gethostname().split(".")[0]
    control, daemon = free_ports(2)
    (folder / "slurm.conf").write_text(f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={daemon}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
ReturnToService=2
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP MaxTime=INFINITE
""".replace("CryptoType=crypto/munge\n", ""))
    (folder / "key").write_bytes(os.urandom(128))
    (folder / "key").chmod(0o400)
    (project.folder / "blobs").mkdir()
    environment = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(project.folder),
        "SCENARIO_ARCHIVE": str(project.archive), "SCENARIO_SHA256": project.checksum,
        "SLURM_CONF": str(folder / "slurm.conf")}
    daemons = []

    def start(*words):
        log = open(folder / f"{words[0]}.out", "wb")
        daemons.append(subprocess.Popen(
            words, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL))

    def ask(*words, timeout=120):
        return subprocess.run(
            words, env=environment, cwd=project.folder, capture_output=True, text=True,
            timeout=timeout)

    try:
        start("munged", "--foreground", "--force", f"--socket={folder}/munge.socket",
              f"--key-file={folder}/key", f"--pid-file={folder}/munge.pid",
              f"--log-file={folder}/munge.log", f"--seed-file={folder}/munge.seed")
        wait(lambda: (folder / "munge.socket").exists(), "munged does not answer", require)
        start("slurmctld", "-D", "-c")
        start("slurmd", "-D", "-N", host)
        wait(lambda: "idle" in ask("sinfo", "-h", "-o", "%T").stdout, "the node does not come up", require,
             folder)
        outcome = ask(
            "sbatch", "--wait", "--array=10-16:2", "--chdir", str(project.folder), "--export=ALL",
            str(RECIPES / "slurm/shards.sbatch"), timeout=240)
        logs = "".join(path.read_text() for path in project.folder.glob("shard-*.log"))
        require(outcome.returncode == 0, f"Slurm: the array failed\n{logs}", outcome)
        require(logs.count("(Slurm: ") == 4, f"Slurm: not known\n{logs}")
        outcome = ask(
            "sbatch", "--wait", "--chdir", str(project.folder), "--export=ALL", str(RECIPES / "slurm/merge.sbatch"),
            timeout=240)
        require(outcome.returncode == 0, "Slurm: the merge failed", outcome)
        report = project.folder / "reports/TEST-scenario.xml"
        require(cases_of(report) == names, f"Slurm: the report holds {cases_of(report)}")
    finally:
        for process in reversed(daemons):
            process.terminate()
        for process in reversed(daemons):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def wait(condition, text, require, folder=None):
    """Asks again until it holds; the engine's own start takes seconds."""
    end = time.monotonic() + 60
    while not condition():
        logs = ""
        if time.monotonic() > end and folder:
            logs = "".join(path.read_text()[-2000:] for path in folder.glob("*.log"))
        require(time.monotonic() < end, f"{text}\n{logs}")
        time.sleep(0.2)


# MARK: Bazel


def bazel(runner, Project, require, cases_of, names):
    project = Project(runner)
    # The block of the page, with this release's address and checksum.
    block = re.search(r"```python\n(.*?)```", (RECIPES / "bazel/README.md").read_text(), re.DOTALL).group(1)
    block = re.sub(r'url = ".*"', f'url = "file://{project.archive}"', block).replace("…", project.checksum)
    workspace = project.folder / "WORKSPACE"
    workspace.write_text(re.sub(r"scenario-[0-9.]+-linux", "scenario-0.0.0-linux", block))
    shutil.copy(RECIPES / "bazel/scenario.bzl", project.folder)
    shutil.copy(RECIPES / "bazel/BUILD.bazel", project.folder)
    # Bazel would download these, though nobody asks for coverage.
    coverage = pathlib.Path(f"{project.folder}-coverage")
    coverage.mkdir()
    (coverage / "WORKSPACE").write_text("")
    (coverage / "none.bzl").write_text("""def _none(ctx):
    file = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(file, "#!/bin/sh\\n", is_executable = True)
    return [DefaultInfo(executable = file)]

none = rule(implementation = _none, executable = True)
""")
    (coverage / "BUILD").write_text('load(":none.bzl", "none")\n' + "".join(
        f'none(name = "{name}", visibility = ["//visibility:public"])\n'
        for name in ["coverage_report_generator", "lcov_merger"]))
    base = f"--output_user_root={project.folder}-bazel"
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(project.folder)}
    (project.folder / ".bazelignore").write_text("slurm\n")

    def ask(command, *words):
        if command == "test":
            words = (f"--override_repository=remote_coverage_tools={coverage}", "--jobs=2", *words)
        return subprocess.run(
            ["bazel", base, "--max_idle_secs=5", command, *words], cwd=project.folder, env=environment,
            capture_output=True, text=True, timeout=900)

    try:
        outcome = ask("test", "//:scenarios", "--test_output=errors")
        require(outcome.returncode == 0, "Bazel: the test failed", outcome)
        logs = project.folder / "bazel-testlogs/scenarios"
        reports = sorted(logs.glob("shard_*_of_4/test.xml"))
        require(len(reports) == 4, f"Bazel: {len(reports)} reports of 4 shards", outcome)
        found = sorted(name for report in reports for name in cases_of(report))
        require(found == names, f"Bazel: the reports hold {found}")
        outcome = ask("test", "//:scenarios", "--test_filter=case 3", "--test_output=all")
        require(outcome.returncode == 0, "Bazel: the filtered test failed", outcome)
        passed = sum(int(number) for number in re.findall(r"(\d+) passed, 0 failed", outcome.stdout))
        require(passed == 1, f"Bazel: the filter let {passed} cases through", outcome)
        workspace.write_text(workspace.read_text().replace(project.checksum, "0" * 64))
        outcome = ask("test", "//:scenarios")
        require(outcome.returncode != 0 and "hecksum" in outcome.stderr, "Bazel: a wrong checksum", outcome)
        workspace.write_text(workspace.read_text().replace("0" * 64, project.checksum))
        text = (project.folder / "scenarios/all.yaml").read_text()
        (project.folder / "scenarios/all.yaml").write_text(text.replace("stdout: hi", "stdout: ho", 1))
        outcome = ask("test", "//:scenarios")
        require(outcome.returncode == 3, "Bazel: a failed case is no failed test", outcome)
    finally:
        ask("shutdown")
        subprocess.run(["chmod", "-R", "u+w", f"{project.folder}-bazel"], check=False)
        shutil.rmtree(f"{project.folder}-bazel", ignore_errors=True)
        shutil.rmtree(coverage)
