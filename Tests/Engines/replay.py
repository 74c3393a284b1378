#!/usr/bin/env python3
"""Runs the recipes of Documentation/scale-out as their engines would, as far as one machine allows.

The commands are taken out of the recipes, and run with the variables that the engine sets: each shard, then the
merge. Bazel's protocol is replayed by what its Test Encyclopedia says; with --real, and where they are installed,
Bazel and Slurm themselves run the recipes.

    Tests/Engines/replay.py RUNNER [--real] [ENGINE...]

RUNNER is an executable, or the archive of a release, which the recipes then install as it is.
"""

import hashlib
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
    """A folder with scenarios, and a release, which the recipes have to install: no runner is on the path."""

    def __init__(self, runner, failing=()):
        self.holder = tempfile.TemporaryDirectory(prefix="scenario-engines-")
        self.folder = pathlib.Path(self.holder.name)
        (self.folder / "scenarios").mkdir()
        self.make_release(runner)
        self.write_scenarios(failing)

    def write_scenarios(self, failing=()):
        text = "version: 2\ntarget: { command: [echo, hi] }\nscenarios:\n"
        for name in NAMES:
            said = "ho" if name in failing else "hi"
            text += f"  - {{ name: {name}, expect: {{ stdout: {said} }} }}\n"
        (self.folder / "scenarios/all.yaml").write_text(text)

    def make_release(self, runner):
        """The archive of a release, or one that is laid as such; its program is then the one under test, which stays where it is."""
        self.archive = pathlib.Path(f"{self.folder}-release/scenario-0.0.0-linux-x86_64.tar.gz")
        program = self.archive.with_name("scenario-0.0.0-linux-x86_64") / "bin/scenario"
        program.parent.mkdir(parents=True)
        if runner.suffix == ".gz":
            shutil.copy(runner, self.archive)
            subprocess.run(
                ["tar", "-xzf", runner, "-C", program.parent.parent, "--strip-components", "1"], check=True)
        else:
            program.write_text(f'#!/bin/sh\nexec "{runner}" "$@"\n')
            program.chmod(0o755)
            subprocess.run(
                ["tar", "-czf", self.archive, "-C", self.archive.parent, program.parent.parent.name], check=True)
        self.checksum = hashlib.sha256(self.archive.read_bytes()).hexdigest()
        # Merges of engines that leave them to the user.
        self.installed = program.parent

    def __del__(self):
        shutil.rmtree(self.archive.parent, ignore_errors=True)

    def run(self, command, variables=None, shell="sh"):
        """Runs a command as a job of an engine would: with little else in its environment."""
        environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(self.folder), "SCENARIO_URL": f"file://{self.archive}",
            "SCENARIO_ARCHIVE": str(self.archive), "SCENARIO_SHA256": self.checksum}
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


def require_refusal(name, project, command, variables):
    """A release with another checksum is not installed, and nothing is run."""
    wrong = {**variables, "SCENARIO_SHA256": "0" * 64}
    outcome = project.run(command, wrong)
    require(outcome.returncode != 0, f"{name}: a release with a wrong checksum was installed", outcome)
    require(" passed" not in outcome.stdout, f"{name}: what was not checked was run", outcome)
    require("FAILED" in outcome.stdout + outcome.stderr, f"{name}: the checksum is not told of", outcome)


def check(name, project, shards, merge, engine, merge_variables=None, keeps=True):
    """Runs the shards and the merge; again without one shard, which must not go unnoticed; and again with a case that fails.

    An engine that keeps nothing of a shard that ended with an error takes its report away.
    """
    require_refusal(name, project, *shards[0])
    ran = 0
    for command, variables in shards:
        outcome = project.run(command, variables)
        require(outcome.returncode == 0, f"{name}: a shard ended with {outcome.returncode}", outcome)
        require(f"({engine}: " in outcome.stderr, f"{name}: not known as {engine}", outcome)
        require("warning" not in outcome.stderr, f"{name}: the recipe is warned of", outcome)
        ran += int(re.search(r"(\d+) passed, 0 failed", outcome.stdout).group(1))
    require(ran == len(NAMES), f"{name}: {ran} of {len(NAMES)} cases were run")
    outcome = project.run(merge, merge_variables)
    require(outcome.returncode == 0, f"{name}: the merge ended with {outcome.returncode}", outcome)
    report = project.folder / "reports/TEST-scenario.xml"
    require(cases_of(report) == NAMES, f"{name}: the report holds {cases_of(report)}")
    page = (project.folder / "reports/scenario.html").read_text()
    require(NAMES[0] in page, f"{name}: the page does not show {NAMES[0]}")
    first = sorted((project.folder / "blobs").iterdir())[0]
    first.unlink()
    outcome = project.run(merge, merge_variables)
    require(outcome.returncode == 3, f"{name}: a missing shard went unnoticed", outcome)
    require("did not report" in report.read_text(), f"{name}: no case for the missing shard")
    project.write_scenarios([NAMES[3]])
    failed = 0
    for command, variables in shards:
        before = {path: path.stat().st_mtime_ns for path in (project.folder / "blobs").iterdir()}
        outcome = project.run(command, variables)
        failed += int(re.search(r"(\d+) failed", outcome.stdout).group(1))
        if outcome.returncode and not keeps:
            for path in (project.folder / "blobs").iterdir():
                if before.get(path) != path.stat().st_mtime_ns:
                    path.unlink()
    require(failed == 1, f"{name}: {failed} cases failed")
    outcome = project.run(merge, merge_variables)
    require(outcome.returncode == 1, f"{name}: the merge of a failed case ended with {outcome.returncode}", outcome)
    require(cases_of(report) == NAMES, f"{name}: the report holds {cases_of(report)}")
    require("<failure" in report.read_text(), f"{name}: the report holds no failure")


def github(runner, name="github.yml"):
    jobs = recipe(name)["jobs"]
    job = jobs["scenarios"]
    total = len(job["strategy"]["matrix"]["shard"])

    def expanded(text, index):
        values = {"strategy.job-index": str(index), "strategy.job-total": str(total)}
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values[found.group(1)], str(text))

    def commands(steps, index=0):
        return in_steps(expanded(step["run"], index) for step in steps if "run" in step)

    require(recipe(name)["env"] == {key: f"${{{{ vars.{key} }}}}" for key in ("SCENARIO_URL", "SCENARIO_SHA256")},
            "GitHub: the release is not named by variables")
    project = Project(runner)
    base = {"CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_PATH": f"{project.folder}/github-path"}
    shards = []
    for index in range(total):
        variables = {**base, **{key: expanded(value, index) for key, value in job["env"].items()}}
        shards.append((commands(job["steps"], index), variables))
    check("GitHub", project, shards, commands(jobs["report"]["steps"]), "SCENARIO_SHARD_INDEX", base)


def in_steps(commands):
    """Steps of one job of GitHub: what one of them writes to GITHUB_PATH, those behind it find."""
    return '\nPATH="$(paste -sd: "$GITHUB_PATH"):$PATH"\n'.join(['touch "$GITHUB_PATH"', *commands])


def gitlab(runner):
    document = recipe("gitlab.yml")
    total = document["scenarios"]["parallel"]
    before = document["default"]["before_script"]
    script = "\n".join(before + document["scenarios"]["script"])
    shards = [
        (script, {"CI": "true", "GITLAB_CI": "true", "CI_NODE_INDEX": str(index + 1),
                  "CI_NODE_TOTAL": str(total)}) for index in range(total)]
    check("GitLab", Project(runner), shards, "\n".join(before + document["report"]["script"]), "GitLab",
          {"CI": "true", "GITLAB_CI": "true", "CI_NODE_TOTAL": "1"})


def circleci(runner):
    document = recipe("circleci.yml")
    jobs = document["jobs"]

    def expanded(steps):
        for step in steps:
            if isinstance(step, str) and step in document["commands"]:
                yield from expanded(document["commands"][step]["steps"])
            elif isinstance(step, dict) and "run" in step:
                yield step["run"]

    def commands(job):
        # Each step is a shell of its own, which reads what earlier ones have written to BASH_ENV.
        return '\n. "$BASH_ENV"\n'.join(['touch "$BASH_ENV"', *expanded(jobs[job]["steps"])])

    project = Project(runner)
    base = {"CI": "true", "CIRCLECI": "true", "BASH_ENV": f"{project.folder}/bash-env"}
    total = jobs["scenarios"]["parallelism"]
    shards = [
        (commands("scenarios"), {**base, "CIRCLE_NODE_INDEX": str(index),
                                 "CIRCLE_NODE_TOTAL": str(total)}) for index in range(total)]
    # persist_to_workspace is a step as any other: behind one that failed it is not reached.
    check("CircleCI", project, shards, commands("report"), "CircleCI", base, keeps=False)


def buildkite(runner):
    first, second = recipe("buildkite.yml")["steps"]
    total = first["parallelism"]
    project = Project(runner)
    # The agent only carries files from one machine to the other.
    (project.folder / "bin").mkdir()
    agent = project.folder / "bin/buildkite-agent"
    agent.write_text("#!/bin/sh\n[ \"$1 $2\" = 'artifact download' ]\n")
    agent.chmod(0o755)

    def commands(step):
        # The upload of a pipeline makes $ of $$, and replaces what has one.
        text = "\n".join(step["command"])
        require(not re.search(r"(?<!\$)\$(?!\$)", text), "Buildkite: the upload would replace a variable")
        return text.replace("$$", "$")

    base = {"CI": "true", "BUILDKITE": "true", "PATH": f"{project.folder}/bin:/usr/bin:/bin"}
    shards = [
        (commands(first), {**base, "BUILDKITE_PARALLEL_JOB": str(index),
                           "BUILDKITE_PARALLEL_JOB_COUNT": str(total)}) for index in range(total)]
    check("Buildkite", project, shards, commands(second), "Buildkite", base)


def kubernetes(runner):
    document = recipe("kubernetes/job.yaml")
    spec = document["spec"]
    container = spec["template"]["spec"]["containers"][0]
    validate_job(document, container)
    project = Project(runner)
    (project.folder / "blobs").mkdir()
    (project.folder / "release").mkdir()

    def placed(words, project):
        """The volumes are folders of the project."""
        return [re.sub(r"(?<=[ =\n\"])/(blobs|scenario)(?=/|\n)", lambda found: str(project.folder) + {
            "blobs": "/blobs", "scenario": "/release"}[found.group(1)], word) for word in words]

    install = placed(spec["template"]["spec"]["initContainers"][0]["command"], project)
    require_refusal("Kubernetes", project, install, {})
    outcome = project.run(install)
    require(outcome.returncode == 0, "Kubernetes: the release is not installed", outcome)
    command = placed(container["command"], project)

    def pod(index, host):
        variables = {entry["name"]: entry["value"] for entry in container["env"]}
        return {**variables, "JOB_COMPLETION_INDEX": str(index), "HOSTNAME": f"scenarios-{index}-{host}"}

    joined = recipe("kubernetes/merge.yaml")
    validate(joined)
    last = joined["spec"]["template"]["spec"]
    require(last["initContainers"] == spec["template"]["spec"]["initContainers"], "Kubernetes: the merge installs otherwise")
    merge = placed(last["containers"][0]["command"], project)
    shards = [(command, pod(index, "abcde")) for index in range(spec["completions"])]
    for arguments, variables in shards:
        outcome = project.run(arguments, variables)
        require("(Kubernetes: " in outcome.stderr, "Kubernetes: not known", outcome)
    # A pod that is made again has another name; without --attempts that is refused.
    project.run(command, pod(0, "fghij"))
    refused = project.run([word.replace("--attempts replace ", "") for word in merge])
    require(refused.returncode == 2, "Kubernetes: two reports of one index were merged", refused)
    outcome = project.run(merge)
    require(outcome.returncode == 0, "Kubernetes: the merge failed", outcome)
    require(cases_of(project.folder / "blobs/reports/TEST-scenario.xml") == NAMES, "Kubernetes: cases")
    require(NAMES[0] in (project.folder / "blobs/reports/scenario.html").read_text(), "Kubernetes: the page")
    # What the policy acts on: a failure is 1, a missing total is 2.
    failing = Project(runner, failing=NAMES)
    (failing.folder / "release").mkdir()
    failing.run(placed(spec["template"]["spec"]["initContainers"][0]["command"], failing))
    outcome = failing.run(placed(container["command"], failing), pod(0, "x"))
    require(outcome.returncode == 1, "Kubernetes: a failed case", outcome)
    outcome = project.run(command, {"JOB_COMPLETION_INDEX": "0", "HOSTNAME": "x"})
    require(outcome.returncode == 2 and "spec.completions" in outcome.stderr,
            "Kubernetes: a missing total", outcome)


def validate_job(document, container):
    """What the API server would refuse (batch/v1 Job)."""
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
    validate(document)


def validate(document):
    """The validator's opinion of a manifest, where there is one."""
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
    check("Slurm", project, shards, (RECIPES / "slurm/merge.sbatch").read_text(), "Slurm")


def bazel(runner):
    """Bazel's side of the protocol: test-setup.sh and the Test Encyclopedia."""
    project = Project(runner, failing=[NAMES[3]])
    path = {"PATH": f"{project.installed}:/usr/bin:/bin"}
    # The script that the rule writes.
    launcher = re.search(r'content = "(.*)"\.format', (RECIPES / "bazel/scenario.bzl").read_text()).group(1)
    launcher = launcher.replace("\\n", "\n").replace('\\"', '"')
    codes = []
    names = []
    for index in range(SHARDS):
        folder = project.folder / f"shard{index}"
        outputs = folder / "test.outputs"
        outputs.mkdir(parents=True)
        (folder / "tmp").mkdir()
        status = folder / "status"
        variables = {
            **path, "BAZEL_TEST": "1", "TZ": "UTC", "TEST_TARGET": "//:scenarios", "TEST_SIZE": "small",
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
        outcome = project.run(launcher.replace("{}", "scenario run scenarios/all.yaml"), variables)
        codes.append(outcome.returncode)
        require(status.exists(), "Bazel: the test does not say that it knows of shards", outcome)
        require(not (folder / "premature").exists(), "Bazel: it seems to have ended early", outcome)
        require(not list((folder / "tmp").iterdir()), "Bazel: something is left in TEST_TMPDIR")
        names += cases_of(folder / "test.xml")
        require((outputs / "scenario.html").exists(), "Bazel: no page", outcome)
    require(sorted(codes) == [0, 0, 0, 1], f"Bazel: the shards ended with {codes}")
    require(sorted(names) == NAMES, f"Bazel: the reports hold {names}")
    outcome = project.run("scenario report merge shard*/test.outputs/*.jsonl", path)
    require(outcome.returncode == 1 and "8 passed, 1 failed" in outcome.stdout, "Bazel: merge", outcome)


def action(runner):
    """The action at the top of the repository: its steps, as GitHub runs those of a composite action."""
    document = YAML(typ="safe").load((ROOT / "action.yml").read_text())
    require(document["runs"]["using"] == "composite", "action: it is not composite")
    defaults = {name: str(entry.get("default", "")) for name, entry in document["inputs"].items()}

    def steps(inputs):
        values = {**defaults, **inputs}
        for step in document["runs"]["steps"]:
            if "run" not in step:
                continue
            require(step["shell"] == "bash", "action: a step names no shell")
            for name, value in step["env"].items():
                filled = re.sub(r"\$\{\{ inputs\.(.*?) \}\}", lambda found: values[found.group(1)], value)
                yield f"export {name}='{filled}'"
            yield step["run"]

    def perform(project, checksum, **inputs):
        inputs = {"version": version, "url": f"file://{project.archive}", "sha256": checksum, **inputs}
        variables = {
            "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(ROOT),
            "RUNNER_TEMP": f"{project.folder}/temp", "GITHUB_PATH": f"{project.folder}/github-path"}
        (project.folder / "temp").mkdir(exist_ok=True)
        outcome = project.run(in_steps(steps(inputs)), variables, shell="bash")
        # Annotations are on standard output, where GitHub reads them, and what people read beside them.
        return outcome, outcome.stdout + outcome.stderr

    project = Project(runner)
    version = project.run([str(project.installed / "scenario"), "--version"]).stdout.strip()
    outcome, said = perform(project, "0" * 64)
    require(outcome.returncode == 3 and " passed" not in said, "action: a wrong checksum", outcome)
    outcome, said = perform(project, project.checksum)
    require(outcome.returncode == 0 and "9 passed, 0 failed" in said, "action: it fails", outcome)
    other, words = perform(project, project.checksum, version="9.9.9")
    require(other.returncode == 2 and " passed" not in words and "9.9.9" in words, "action: another release", other)
    require("::error" not in outcome.stdout, "action: it annotates what passes", outcome)
    require(cases_of(project.folder / "reports/TEST-scenario.xml") == NAMES, "action: the JUnit report")
    require(NAMES[0] in (project.folder / "reports/scenario.html").read_text(), "action: the page")
    kept = next(step for step in document["runs"]["steps"] if "upload-artifact" in step.get("uses", ""))
    where = "${{ inputs.working-directory }}"
    require([f"{where}/${{{{ inputs.reports }}}}", f"{where}/.scenario/timings.json"] == kept["with"]["path"].split("\n")[:2],
            "action: reports and timings are not kept")
    require(kept["if"] == "always()", "action: what fails has no reports")
    wrong = Project(runner, failing=[NAMES[3]])
    outcome, said = perform(wrong, wrong.checksum, reports="found", arguments="--retries 0")
    require(outcome.returncode == 1 and "8 passed, 1 failed" in said, "action: it passes", outcome)
    require("::error file=scenarios/all.yaml,line=" in outcome.stdout, "action: nothing is annotated", outcome)
    require(cases_of(wrong.folder / "found/TEST-scenario.xml") == NAMES, "action: the JUnit report of a failure")


def component(runner):
    """The component for GitLab, whose inputs GitLab puts in."""
    specification, job = YAML(typ="safe").load_all((ROOT / "Packaging/gitlab/template.yml").read_text())
    job = job["scenario"]

    def script(project, checksum, **inputs):
        values = {name: str(entry.get("default")) for name, entry in specification["spec"]["inputs"].items()}
        values.update({"url": f"file://{project.archive}", "sha256": checksum, **inputs})
        return re.sub(r"\$\[\[ inputs\.(.*?) \]\]", lambda found: values[found.group(1)], "\n".join(job["script"]))

    variables = {"CI": "true", "GITLAB_CI": "true", "CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "1"}
    project = Project(runner)
    require_refusal("component", project, script(project, "0" * 64), variables)
    outcome = project.run(script(project, project.checksum), variables)
    require(outcome.returncode == 0 and "9 passed, 0 failed" in outcome.stdout, "component: it fails", outcome)
    require(job["artifacts"]["reports"]["junit"] == "reports/TEST-scenario.xml", "component: no JUnit report")
    require(cases_of(project.folder / "reports/TEST-scenario.xml") == NAMES, "component: the JUnit report")
    require(NAMES[0] in (project.folder / "reports/scenario.html").read_text(), "component: the page")
    halves = [project.run(script(project, project.checksum), {
        **variables, "CI_NODE_INDEX": str(index), "CI_NODE_TOTAL": "2"}) for index in (1, 2)]
    ran = [int(re.search(r"(\d+) passed, 0 failed", half.stdout).group(1)) for half in halves]
    require(sum(ran) == len(NAMES) and max(ran) < len(NAMES), f"component: two shards ran {ran}")
    wrong = Project(runner, failing=[NAMES[3]])
    outcome = wrong.run(script(wrong, wrong.checksum, paths="scenarios/all.yaml"), variables)
    require(outcome.returncode == 1, "component: it passes", outcome)


def precommit(runner):
    """The hooks, by pre-commit itself. Returns why they are skipped, where it is missing."""
    program = ROOT / ".build/python/bin/pre-commit"
    if not program.exists():
        return f"there is no {program.relative_to(ROOT)}; Tests/install-dependencies.sh test installs it"
    project = Project(runner)
    hooks = pathlib.Path(f"{project.folder}-release/hooks")
    hooks.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
    variables = {
        "PATH": f"{project.installed}:/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
        **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
           for what, value in (("NAME", "T"), ("EMAIL", "t@example.com"))}}
    commit = "git init --quiet && git add --all && git commit --quiet --message X"
    outcome = project.run(f"cd {hooks} && {commit} && git rev-parse HEAD", variables)
    require(outcome.returncode == 0, "pre-commit: git", outcome)
    (project.folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {hooks}\n    rev: {outcome.stdout.strip()}\n"
        "    hooks: [{ id: scenario-check }, { id: scenario-fmt }]\n")
    file = project.folder / "scenarios/all.yaml"
    project.run(["scenario", "fmt", "scenarios"], variables)
    project.run(commit, variables)
    outcome = project.run([str(program), "run", "--all-files"], variables)
    require(outcome.returncode == 0 and outcome.stdout.count("Passed") == 2, "pre-commit: a good file", outcome)
    good = file.read_text()
    file.write_text(good.replace("expect", "expct"))
    outcome = project.run([str(program), "run", "--all-files"], variables)
    require(outcome.returncode == 1 and 'unknown key "expct"' in outcome.stdout, "pre-commit: a mistake", outcome)
    file.write_text(good.replace("scenarios:", "scenarios:\n\n\n\n"))
    outcome = project.run([str(program), "run", "--all-files"], variables)
    require(outcome.returncode == 1, "pre-commit: another layout", outcome)
    require(file.read_text() == good, "pre-commit: the file is not laid out", outcome)


ENGINES = {
    "action": action, "component": component, "precommit": precommit, "github": github, "gitlab": gitlab, "circleci": circleci, "buildkite": buildkite,
    "kubernetes": kubernetes, "slurm": slurm, "bazel": bazel}


def main():
    arguments = sys.argv[1:]
    isReal = "--real" in arguments
    arguments = [word for word in arguments if word != "--real"]
    if not arguments or not pathlib.Path(arguments[0]).exists():
        sys.exit(__doc__)
    runner = pathlib.Path(arguments[0]).resolve()
    for name in arguments[1:] or ENGINES:
        skipped = ENGINES[name](runner)
        print(f"{name}: skipped: {skipped}" if skipped else f"{name}: the recipe works")
    if isReal:
        import real

        real.run(runner, Project, require, cases_of, NAMES)


if __name__ == "__main__":
    main()
