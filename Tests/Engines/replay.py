#!/usr/bin/env python3
"""Runs the recipes of Documentation/scale-out as their engines would, as far as one machine allows.

The commands are taken out of the recipes, and run with the variables that the engine sets: each shard, then the
merge. Bazel's protocol is replayed by what its Test Encyclopedia says; with --real, and where they are installed,
Bazel and Slurm themselves run the recipes.

    Tests/Engines/replay.py RUNNER [--real] [ENGINE...]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from ruamel.yaml import YAML

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECIPES = ROOT / "Documentation/scale-out"
NAMES = [f"case {number}" for number in range(9)]
SHARDS = 4


def recipe(name):
    return YAML(typ="safe").load((RECIPES / name).read_text())


class Project:
    """A folder with scenarios, and the runner on the path."""

    def __init__(self, runner, failing=()):
        self.holder = tempfile.TemporaryDirectory(prefix="scenario-engines-")
        self.folder = pathlib.Path(self.holder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/scenario").symlink_to(runner)
        (self.folder / "scenarios").mkdir()
        text = "version: 2\ntarget: { command: [echo, hi] }\nscenarios:\n"
        for name in NAMES:
            said = "ho" if name in failing else "hi"
            text += f"  - {{ name: {name}, expect: {{ stdout: {said} }} }}\n"
        (self.folder / "scenarios/all.yaml").write_text(text)

    def run(self, command, variables=None, shell="sh"):
        """Runs a command as a job of an engine would: with little else in its environment."""
        environment = {"PATH": f"{self.folder}/bin:/usr/bin:/bin", "HOME": str(self.folder)}
        environment.update(variables or {})
        words = [shell, "-ec", command] if isinstance(command, str) else command
        return subprocess.run(
            words, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300)


def require(condition, text, outcome=None):
    if condition:
        return
    if outcome is not None:
        text += f"\n{outcome.args}\n{outcome.stdout}{outcome.stderr}"
    sys.exit(f"error: {text}")


def cases_of(report):
    root = xml.etree.ElementTree.parse(report).getroot()
    return [case.get("name") for case in root.iter("testcase")]


def check(name, project, shards, merge, engine, merge_variables=None):
    """Runs the shards and the merge; then again without one shard, which must not go unnoticed."""
    ran = 0
    for command, variables in shards:
        outcome = project.run(command, variables)
        require(outcome.returncode == 0, f"{name}: a shard ended with {outcome.returncode}", outcome)
        require(f"({engine}: " in outcome.stderr, f"{name}: not known as {engine}", outcome)
        ran += int(re.search(r"(\d+) passed, 0 failed", outcome.stdout).group(1))
    require(ran == len(NAMES), f"{name}: {ran} of {len(NAMES)} cases were run")
    outcome = project.run(merge, merge_variables)
    require(outcome.returncode == 0, f"{name}: the merge ended with {outcome.returncode}", outcome)
    report = project.folder / "reports/TEST-scenario.xml"
    require(cases_of(report) == NAMES, f"{name}: the report holds {cases_of(report)}")
    first = sorted((project.folder / "blobs").iterdir())[0]
    first.unlink()
    outcome = project.run(merge, merge_variables)
    require(outcome.returncode == 3, f"{name}: a missing shard went unnoticed", outcome)
    require("did not report" in report.read_text(), f"{name}: no case for the missing shard")


def github(runner, name="github.yml"):
    jobs = recipe(name)["jobs"]
    job = jobs["scenarios"]
    total = len(job["strategy"]["matrix"]["shard"])

    def expanded(text, index):
        values = {"strategy.job-index": str(index), "strategy.job-total": str(total)}
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values[found.group(1)], str(text))

    def commands(steps, index=0):
        return "\n".join(expanded(step["run"], index) for step in steps if "run" in step)

    shards = []
    for index in range(total):
        variables = {"CI": "true", "GITHUB_ACTIONS": "true"}
        variables.update({key: expanded(value, index) for key, value in job["env"].items()})
        shards.append((commands(job["steps"], index), variables))
    check("GitHub", Project(runner), shards, commands(jobs["report"]["steps"]),
          "SCENARIO_SHARD_INDEX", {"CI": "true"})


def gitlab(runner):
    document = recipe("gitlab.yml")
    total = document["scenarios"]["parallel"]
    script = "\n".join(document["scenarios"]["script"])
    shards = [
        (script, {"CI": "true", "GITLAB_CI": "true", "CI_NODE_INDEX": str(index + 1),
                  "CI_NODE_TOTAL": str(total)}) for index in range(total)]
    check("GitLab", Project(runner), shards, "\n".join(document["report"]["script"]), "GitLab",
          {"CI": "true", "GITLAB_CI": "true", "CI_NODE_TOTAL": "1"})


def circleci(runner):
    jobs = recipe("circleci.yml")["jobs"]

    def commands(job):
        return "\n".join(
            step["run"] for step in jobs[job]["steps"] if isinstance(step, dict) and "run" in step)

    total = jobs["scenarios"]["parallelism"]
    shards = [
        (commands("scenarios"), {"CI": "true", "CIRCLECI": "true", "CIRCLE_NODE_INDEX": str(index),
                                 "CIRCLE_NODE_TOTAL": str(total)}) for index in range(total)]
    check("CircleCI", Project(runner), shards, commands("report"), "CircleCI")


def buildkite(runner):
    first, second = recipe("buildkite.yml")["steps"]
    total = first["parallelism"]
    project = Project(runner)
    # The agent only carries files from one machine to the other.
    agent = project.folder / "bin/buildkite-agent"
    agent.write_text("#!/bin/sh\n[ \"$1 $2\" = 'artifact download' ]\n")
    agent.chmod(0o755)
    shards = [
        (first["command"], {"CI": "true", "BUILDKITE": "true", "BUILDKITE_PARALLEL_JOB": str(index),
                            "BUILDKITE_PARALLEL_JOB_COUNT": str(total)}) for index in range(total)]
    check("Buildkite", project, shards, "\n".join(second["command"]), "Buildkite")


def kubernetes(runner):
    document = recipe("kubernetes/job.yaml")
    spec = document["spec"]
    container = spec["template"]["spec"]["containers"][0]
    validate_job(document, container)
    project = Project(runner)
    (project.folder / "blobs").mkdir()
    command = [word.replace("/blobs/", f"{project.folder}/blobs/") for word in container["command"]]

    def pod(index, host):
        variables = {entry["name"]: entry["value"] for entry in container["env"]}
        return {**variables, "JOB_COMPLETION_INDEX": str(index), "HOSTNAME": f"scenarios-{index}-{host}"}

    merge = "scenario report merge blobs/* --attempts replace --report junit=reports/TEST-scenario.xml"
    shards = [(command, pod(index, "abcde")) for index in range(spec["completions"])]
    for arguments, variables in shards:
        outcome = project.run(arguments, variables)
        require("(Kubernetes: " in outcome.stderr, "Kubernetes: not known", outcome)
    # A pod that is made again has another name; without --attempts that is refused.
    project.run(command, pod(0, "fghij"))
    refused = project.run(merge.replace("--attempts replace ", ""))
    require(refused.returncode == 2, "Kubernetes: two reports of one index were merged", refused)
    outcome = project.run(merge)
    require(outcome.returncode == 0, "Kubernetes: the merge failed", outcome)
    require(cases_of(project.folder / "reports/TEST-scenario.xml") == NAMES, "Kubernetes: cases")
    # What the policy acts on: a failure is 1, a missing total is 2.
    outcome = Project(runner, failing=NAMES).run(
        [word.replace("/blobs/", "blobs/") for word in container["command"]], pod(0, "x"))
    require(outcome.returncode == 1, "Kubernetes: a failed case", outcome)
    outcome = project.run(command, {"JOB_COMPLETION_INDEX": "0", "HOSTNAME": "x"})
    require(outcome.returncode == 2 and "spec.completions" in outcome.stderr,
            "Kubernetes: a missing total", outcome)


def validate_job(document, container):
    """What the API server would refuse (batch/v1 Job), and the validator's opinion where there is one."""
    spec = document["spec"]
    require(spec["completionMode"] == "Indexed", "Kubernetes: only an Indexed Job has indices")
    require(spec["template"]["spec"]["restartPolicy"] == "Never",
            "Kubernetes: podFailurePolicy needs restartPolicy: Never")
    require("backoffLimitPerIndex" in spec, "Kubernetes: FailIndex needs backoffLimitPerIndex")
    total = {entry["name"]: entry["value"] for entry in container["env"]}["SCENARIO_SHARD_TOTAL"]
    require(total == str(spec["completions"]), "Kubernetes: the total is not spec.completions")
    actions = {
        code: rule["action"] for rule in spec["podFailurePolicy"]["rules"]
        for code in rule.get("onExitCodes", {}).get("values", [])}
    require(actions == {1: "FailIndex", 2: "FailIndex", 3: "Count"}, f"Kubernetes: {actions}")
    try:
        import kubernetes_validate
    except ImportError:
        return
    kubernetes_validate.validate(document, "1.29", strict=True)


def slurm(runner):
    script = (RECIPES / "slurm/shards.sbatch").read_text()
    project = Project(runner)
    (project.folder / "blobs").mkdir()
    shards = [
        (script, {"SLURM_ARRAY_TASK_ID": str(10 + 2 * index), "SLURM_ARRAY_TASK_MIN": "10",
                  "SLURM_ARRAY_TASK_MAX": "16", "SLURM_ARRAY_TASK_STEP": "2",
                  "SLURM_ARRAY_TASK_COUNT": str(SHARDS)}) for index in range(SHARDS)]
    merge = re.search(r"scenario report merge .*", script).group(0)
    check("Slurm", project, shards, merge, "Slurm")


def bazel(runner):
    """Bazel's side of the protocol: test-setup.sh and the Test Encyclopedia."""
    project = Project(runner, failing=[NAMES[3]])
    codes = []
    names = []
    for index in range(SHARDS):
        folder = project.folder / f"shard{index}"
        outputs = folder / "test.outputs"
        outputs.mkdir(parents=True)
        (folder / "tmp").mkdir()
        status = folder / "status"
        variables = {
            "BAZEL_TEST": "1", "TZ": "UTC", "TEST_TARGET": "//:scenarios", "TEST_SIZE": "small",
            "TEST_TIMEOUT": "60", "TEST_SRCDIR": str(project.folder), "TEST_WORKSPACE": "w",
            "TEST_TMPDIR": str(folder / "tmp"), "TEST_TOTAL_SHARDS": str(SHARDS),
            "TEST_SHARD_INDEX": str(index), "TEST_SHARD_STATUS_FILE": str(status),
            "GTEST_SHARD_INDEX": str(index), "GTEST_TOTAL_SHARDS": str(SHARDS),
            "GTEST_SHARD_STATUS_FILE": str(status), "XML_OUTPUT_FILE": str(folder / "test.xml"),
            "TEST_UNDECLARED_OUTPUTS_DIR": str(outputs),
            "TEST_PREMATURE_EXIT_FILE": str(folder / "premature"),
            "TEST_INFRASTRUCTURE_FAILURE_FILE": str(folder / "infrastructure"),
            "TEST_WARNINGS_OUTPUT_FILE": str(folder / "warnings"),
        }
        outcome = project.run("scenario run scenarios/all.yaml --shard auto", variables)
        codes.append(outcome.returncode)
        require(status.exists(), "Bazel: the test does not say that it knows of shards", outcome)
        require(not (folder / "premature").exists(), "Bazel: it seems to have ended early", outcome)
        require(not list((folder / "tmp").iterdir()), "Bazel: something is left in TEST_TMPDIR")
        names += cases_of(folder / "test.xml")
    require(sorted(codes) == [0, 0, 0, 1], f"Bazel: the shards ended with {codes}")
    require(sorted(names) == NAMES, f"Bazel: the reports hold {names}")
    outcome = project.run("scenario report merge shard*/test.outputs/*.jsonl")
    require(outcome.returncode == 1 and "8 passed, 1 failed" in outcome.stdout, "Bazel: merge", outcome)


ENGINES = {
    "github": github, "gitlab": gitlab, "circleci": circleci, "buildkite": buildkite,
    "kubernetes": kubernetes, "slurm": slurm, "bazel": bazel}


def main():
    arguments = sys.argv[1:]
    isReal = "--real" in arguments
    arguments = [word for word in arguments if word != "--real"]
    if not arguments or not pathlib.Path(arguments[0]).exists():
        sys.exit(__doc__)
    runner = pathlib.Path(arguments[0]).resolve()
    for name in arguments[1:] or ENGINES:
        ENGINES[name](runner)
        print(f"{name}: the recipe works")
    if isReal:
        import real

        real.run(runner, Project, require, cases_of, NAMES)


if __name__ == "__main__":
    main()
