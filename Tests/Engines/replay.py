#!/usr/bin/env python3
"""Runs the recipes of Documentation/scale-out as their engines would, as far as one machine allows.

The commands are taken out of the recipes, and run with the variables that the engine sets: each shard, then the
merge, each job in a folder that has what the recipe lays there. Caches and artifacts are folders beside it. A second run
must divide by the times of the first. Bazel's protocol is replayed by what its Test Encyclopedia says; with --real, and where they are installed,
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


# What lays the times of the last run where the next one finds them; lost is a place where it does not.
TIMES = {
    "action": ("restore-keys: scenario-", "restore-keys: lost-"),
    "component": ("junit=.scenario/timings/", "junit=.scenario/lost/"),
    "github": ("junit=.scenario/timings/", "junit=.scenario/lost/"),
    "gitlab": ("junit=.scenario/timings/", "junit=.scenario/lost/"),
    "circleci": ("junit=.scenario/timings/", "junit=.scenario/lost/"),
    "buildkite": ("--step report", "--step lost"),
    "kubernetes": ("/blobs/reports/*.xml", "/blobs/lost/*.xml"),
    "slurm": ("reports/*.xml", "lost/*.xml"),
}


class Changed:
    """A text of the recipes is read as it is, or with a change that must be found."""

    change = ("", "")

    @classmethod
    def text(cls, path):
        return path.read_text().replace(*cls.change) if cls.change[0] else path.read_text()


def recipe(name):
    return YAML(typ="safe").load(Changed.text(RECIPES / name))


class Project:
    """A folder with scenarios, and a release, which the recipes have to install: no runner is on the path."""

    def __init__(self, runner, failing=()):
        self.holder = tempfile.TemporaryDirectory(prefix="scenario-engines-")
        self.folder = pathlib.Path(self.holder.name)
        (self.folder / "scenarios").mkdir()
        # What engines keep: artifacts of runs, and caches. And what they bring: their agents.
        self.store = pathlib.Path(f"{self.folder}-store")
        (self.store / "bin").mkdir(parents=True)
        self.caches_made = []
        self.number = 1
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
        shutil.rmtree(self.store, ignore_errors=True)

    def checkout(self):
        """Leaves nothing in the folder but what a checkout has."""
        for path in self.folder.iterdir():
            if path.name not in ("scenarios", "scenario.yml"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def artifact(self, name):
        return self.store / "artifacts" / str(self.number) / name

    def keep(self, source, place):
        """Keeps files and folders of a job. What is not there is passed over."""
        for path in sorted(self.folder.glob(source)):
            target = place / path.relative_to(self.folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                shutil.copytree(path, target, dirs_exist_ok=True)
            else:
                shutil.copy2(path, target)

    def lay(self, place, folder="."):
        """Lays what was kept into a folder of the job."""
        if place is not None and place.exists():
            shutil.copytree(place, self.folder / folder, dirs_exist_ok=True)

    def cached(self, prefix):
        """The newest cache whose key begins so."""
        found = [path for path in self.caches() if path.name.startswith(prefix)]
        return found[-1] / "files" if found else None

    def caches(self):
        return sorted((self.store / "caches").glob("*"), key=lambda path: (path / "number").read_text().zfill(9))

    def cache(self, key, paths):
        """Caches files under a key."""
        place = self.store / "caches" / key
        for path in paths:
            self.keep(path, place / "files")
        if place.exists():
            (place / "number").write_text(str(len(self.caches_made)))
            self.caches_made.append(key)

    def run(self, command, variables=None, shell="sh"):
        """Runs a command as a job of an engine would: with little else in its environment. A list of steps is run in turn."""
        if isinstance(command, Job):
            return command.run(self, variables, shell)
        environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(self.folder), "SCENARIO_URL": f"file://{self.archive}",
            "SCENARIO_ARCHIVE": str(self.archive), "SCENARIO_SHA256": self.checksum}
        environment.update(variables or {})
        words = [shell, "-ec", command] if isinstance(command, str) else command
        return subprocess.run(
            words, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300)


class Job:
    """The steps of a job: each a command for the shell, or a function that does what the engine does, given the exit code so far.

    Behind a step that failed, only those are run that always are.
    """

    def __init__(self, steps=()):
        self.steps = list(steps)

    def add(self, step, always=False):
        self.steps.append((step, always))

    def run(self, project, variables, shell):
        code, output, errors = 0, "", ""
        for step, always in self.steps:
            if code and not always:
                continue
            if callable(step):
                step(code)
                continue
            outcome = project.run(step, variables, shell)
            code, output, errors = code or outcome.returncode, output + outcome.stdout, errors + outcome.stderr
        return subprocess.CompletedProcess([step for step, _ in self.steps if isinstance(step, str)], code, output, errors)


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


def check(name, project, jobs, engine, kept, another=None, reports="reports"):
    """Runs a recipe's jobs: twice; without the report of one shard, which must not go unnoticed; and with a case that fails.

    `jobs` gives the jobs of a run, which are made anew for each: one that comes first or none, shards and merge, each with its
    variables. `kept` gives the streams that are kept of a run. `another` is what another run does meanwhile.
    """
    def shards(strategy, meanwhile=None):
        """The first job and the shards of a run; returns how many cases passed, and how many did not."""
        first, parts, merge = jobs()
        if first is not None:
            outcome = project.run(*first)
            require(outcome.returncode == 0, f"{name}: the first job ended with {outcome.returncode}", outcome)
        passed = failed = 0
        for place, (command, variables) in enumerate(parts):
            outcome = project.run(command, variables)
            found = re.search(r"(\d+) passed, (\d+) failed", outcome.stdout)
            require(found, f"{name}: a shard did not run", outcome)
            require(outcome.returncode == 0 or int(found.group(2)), f"{name}: a shard ended with {outcome.returncode}", outcome)
            require(f"({engine}: " in outcome.stderr, f"{name}: not known as {engine}", outcome)
            require(f") by {strategy}: " in outcome.stderr, f"{name}: cases are not divided by {strategy}", outcome)
            require("warning" not in outcome.stderr, f"{name}: the recipe is warned of", outcome)
            passed, failed = passed + int(found.group(1)), failed + int(found.group(2))
            if place == 0 and meanwhile is not None:
                meanwhile()
        return merge, passed, failed

    report = project.folder / reports / "TEST-scenario.xml"
    require_refusal(name, project, *jobs()[1][0])
    # Nothing is known of an earlier run, and then it is: even if another run ends between two shards of this one.
    for strategy in ("count", "time"):
        merge, passed, failed = shards(strategy, another if strategy == "time" else None)
        require((passed, failed) == (len(NAMES), 0), f"{name}: {passed} of {len(NAMES)} cases passed")
        outcome = project.run(*merge)
        require(outcome.returncode == 0, f"{name}: the merge ended with {outcome.returncode}", outcome)
        require(cases_of(report) == NAMES, f"{name}: the report holds {cases_of(report)}")
        page = (project.folder / reports / "scenario.html").read_text()
        require(NAMES[0] in page, f"{name}: the page does not show {NAMES[0]}")
        project.number += 1
    merge, _, _ = shards("time")
    kept()[0].unlink()
    outcome = project.run(*merge)
    require(outcome.returncode == 3, f"{name}: a missing shard went unnoticed", outcome)
    require("did not report" in report.read_text(), f"{name}: no case for the missing shard")
    project.number += 1
    project.write_scenarios([NAMES[3]])
    merge, _, failed = shards("time")
    require(failed == 1, f"{name}: {failed} cases failed")
    outcome = project.run(*merge)
    require(outcome.returncode == 1, f"{name}: the merge of a failed case ended with {outcome.returncode}", outcome)
    require(cases_of(report) == NAMES, f"{name}: the report holds {cases_of(report)}")
    require("<failure" in report.read_text(), f"{name}: the report holds no failure")


def slower(report):
    """Another run's report, by which cases are divided otherwise."""
    times = iter(range(1, 100))
    report.write_text(re.sub(r'(<testcase [^>]*?)time="[^"]*"', lambda found: f'{found.group(1)}time="{next(times) ** 3}"', report.read_text()))


def cached_by_another(project):
    """Another run has ended, and cached its report."""
    place = pathlib.Path(f"{project.caches()[-1]}9")
    shutil.copytree(project.caches()[-1], place)
    (place / "number").write_text(str(len(project.caches_made)))
    project.caches_made.append(place.name)
    for report in place.rglob("*.xml"):
        slower(report)


def github(runner, name="github.yml"):
    jobs = recipe(name)["jobs"]
    job = jobs["scenarios"]
    total = len(job["strategy"]["matrix"]["shard"])
    require(recipe(name)["env"] == {key: f"${{{{ vars.{key} }}}}" for key in ("SCENARIO_URL", "SCENARIO_SHA256")},
            "GitHub: the release is not named by variables")
    project = Project(runner)
    base = {"CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_PATH": f"{project.store}/github-path"}

    def expanded(text, index):
        values = {"strategy.job-index": str(index), "strategy.job-total": str(total), "github.run_id": str(project.number),
                  "github.run_attempt": "1"}
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values[found.group(1)], str(text))

    def steps(name, index=0):
        result = Job([(lambda code: fresh(project), False)])
        for step in jobs[name]["steps"]:
            given = {key: expanded(value, index) for key, value in step.get("with", {}).items()}
            command = f'PATH="$(paste -sd: "$GITHUB_PATH"):$PATH"\n{expanded(step["run"], index)}' if "run" in step else (
                github_step(project, step["uses"], given))
            result.add(command, step.get("if") == "always()")
        return result

    def run():
        require(job.get("needs") in jobs or "timings" not in jobs, "GitHub: the shards do not wait for the report of the last run")
        require(jobs["report"]["needs"] == "scenarios", "GitHub: the order of jobs")
        shards = [
            (steps("scenarios", index), {**base, **{key: expanded(value, index) for key, value in job["env"].items()}})
            for index in range(total)]
        return (steps("timings"), base) if "timings" in jobs else None, shards, (steps("report"), base)

    check("GitHub", project, run, "SCENARIO_SHARD_INDEX",
          lambda: sorted(project.artifact("").glob("blob-*/*")), lambda: cached_by_another(project))


def fresh(project):
    """A job's machine of its own."""
    project.checkout()
    # What one step writes here, those behind it find in their path.
    (project.store / "github-path").write_text("")
    (project.store / "bash-env").write_text("")


def github_step(project, uses, given):
    """What an action of GitHub does."""
    def checkout(code):
        project.checkout()

    def restore(code):
        prefixes = [given["key"], *given.get("restore-keys", "").split()]
        project.lay(next(filter(None, map(project.cached, prefixes)), None))

    def save(code):
        project.cache(given["key"], [given["path"]])

    def upload(code):
        # Hidden files are left out unless they are asked for. A single folder is the artifact's root.
        paths = given["path"].split()
        require(given.get("include-hidden-files") == "True" or "/." not in f"/{given['path']}", "GitHub: a hidden file is not kept")
        for path in paths:
            place = project.artifact(given["name"])
            project.keep(path, place)
            if len(paths) == 1 and (place / path).is_dir():
                shutil.copytree(place / path, place, dirs_exist_ok=True)
                shutil.rmtree(place / path.split("/")[0])

    def download(code):
        require(given.get("merge-multiple") == "True", "GitHub: each artifact gets a folder of its own")
        for place in sorted(project.artifact("").glob(given["pattern"])):
            project.lay(place, given["path"])

    return {"actions/checkout@v4": checkout, "actions/cache/restore@v4": restore, "actions/cache/save@v4": save,
            "actions/upload-artifact@v4": upload, "actions/download-artifact@v4": download}[uses]


def gitlab_job(project, document, name, taken=(), instance=""):
    """A job of GitLab: what it takes from its cache and from other jobs, its commands, and what is kept of it."""
    job = {**document.get("default", {}), **document.get(document[name].get("extends"), {}), **document[name]}
    cache = job.get("cache", {})
    artifacts = job.get("artifacts", {})
    policy = cache.get("policy", "pull-push")
    result = Job([(lambda code: fresh(project), False)])

    def prepare(code):
        if cache and "pull" in policy:
            project.lay(project.cached(cache["key"]))
        for other in job.get("needs", taken):
            for place in sorted(project.artifact("").glob(f"{other}:*")):
                project.lay(place)

    def finish(code):
        if artifacts and (not code or artifacts.get("when") == "always"):
            for path in artifacts["paths"]:
                project.keep(path.rstrip("/"), project.artifact(f"{name}:{instance}"))
        if cache and "push" in policy and (not code or cache.get("when") == "always"):
            project.cache(f"{cache['key']}{len(project.caches_made)}", [path.rstrip("/") for path in cache["paths"]])

    result.add(prepare)
    scripts = [job.get(key, []) for key in ("before_script", "script")]
    result.add("\n".join(line for script in scripts for line in ([script] if isinstance(script, str) else script)))
    result.add(finish, True)
    return result


def gitlab(runner):
    project = Project(runner)
    check_gitlab("GitLab", project, recipe("gitlab.yml"), "timings", "scenarios", "report")


def check_gitlab(name, project, document, first, shards, last):
    base = {"CI": "true", "GITLAB_CI": "true"}
    total = document[shards]["parallel"]
    require(document.get(first, {"stage": ".pre"})["stage"] == ".pre" and document[last]["stage"] == ".post", f"{name}: the order of jobs")
    require(document[last]["when"] == "always", f"{name}: what fails is not merged")
    require(document[last]["artifacts"]["reports"]["junit"] == "reports/TEST-scenario.xml", f"{name}: no JUnit report")

    def run():
        parts = [
            (gitlab_job(project, document, shards, [first], index + 1),
             {**base, "CI_NODE_INDEX": str(index + 1), "CI_NODE_TOTAL": str(total)}) for index in range(total)]
        single = {**base, "CI_NODE_TOTAL": "1"}
        before = (gitlab_job(project, document, first), single) if first in document else None
        return before, parts, (gitlab_job(project, document, last), single)

    check(name, project, run, "GitLab", lambda: sorted(project.artifact("").glob(f"{shards}:*/blobs/*")),
          lambda: cached_by_another(project))


def circleci(runner):
    document = recipe("circleci.yml")
    jobs = document["jobs"]
    order = {}
    for entry in document["workflows"]["scenarios"]["jobs"]:
        order.update({entry: {}} if isinstance(entry, str) else entry)
    require(order["scenarios"].get("requires", []) == [name for name in ("timings",) if name in jobs]
            and order["report"]["requires"] == [{"scenarios": ["success", "failed"]}], "CircleCI: the order of jobs")
    project = Project(runner)
    base = {"CI": "true", "CIRCLECI": "true", "BASH_ENV": f"{project.store}/bash-env"}

    def does(kind, given):
        def act(code):
            if kind == "restore_cache":
                project.lay(next(filter(None, map(project.cached, given["keys"])), None))
            elif kind == "save_cache":
                project.cache(given["key"].replace("{{ epoch }}", str(len(project.caches_made))), given["paths"])
            elif kind == "persist_to_workspace":
                for path in given["paths"]:
                    require(any((project.folder / path).iterdir()), "CircleCI: an empty folder is not kept")
                    project.keep(path, project.artifact("workspace"))
            elif kind == "attach_workspace":
                project.lay(project.artifact("workspace"), given["at"])
            else:
                require(kind in ("store_test_results", "store_artifacts"), f"CircleCI: {kind}")
        return act

    def steps(entries, job):
        for step in entries:
            if isinstance(step, str):
                if step in document["commands"]:
                    steps(document["commands"][step]["steps"], job)
                else:
                    require(step == "checkout", f"CircleCI: {step}")
                continue
            [(kind, given)] = step.items()
            # Each step is a shell of its own, which reads what earlier ones have written to BASH_ENV.
            job.add(f'. "$BASH_ENV"\n{given}' if kind == "run" else does(kind, given),
                    isinstance(given, dict) and given.get("when") == "always")
        return job

    def job(name):
        return steps(jobs[name]["steps"], Job([(lambda code: fresh(project), False)]))

    def run():
        total = jobs["scenarios"]["parallelism"]
        shards = [
            (job("scenarios"), {**base, "CIRCLE_NODE_INDEX": str(index), "CIRCLE_NODE_TOTAL": str(total)})
            for index in range(total)]
        return (job("timings"), base) if "timings" in jobs else None, shards, (job("report"), base)

    check("CircleCI", project, run, "CircleCI", lambda: sorted(project.artifact("workspace").glob("blobs/*")),
          lambda: cached_by_another(project))


# The agent only carries files from one machine to the other: `artifact download PATTERN FOLDER [--build ID] [--step KEY]`.
BUILDKITE_AGENT = """#!/usr/bin/env python3
import argparse, os, pathlib, shutil, sys
parser = argparse.ArgumentParser()
parser.add_argument("words", nargs=4)
parser.add_argument("--build", default=os.environ["BUILDKITE_BUILD_ID"])
parser.add_argument("--step", default="*")
given = parser.parse_args()
assert given.words[:2] == ["artifact", "download"]
found = 0
for step in pathlib.Path(os.environ["STORE"], "artifacts", given.build).glob(given.step + ":*"):
    for path in step.glob(given.words[2]):
        if path.is_file():
            target = pathlib.Path(given.words[3]) / path.relative_to(step)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
            found += 1
sys.exit(found == 0)
"""
# Buildkite's API, as far as it is asked which build passed last.
BUILDKITE_CURL = """#!/bin/sh
for word; do url=$word; done
case "$url" in
  https://api.buildkite.com/v2/organizations/o/pipelines/p/builds'?state=passed&per_page=1')
    case "$*" in *"Authorization: Bearer token"*) cat "$STORE/passed" ;; *) exit 22 ;; esac ;;
  https:*) exit 6 ;;
  *) exec /usr/bin/curl "$@" ;;
esac
"""


def buildkite(runner):
    steps = {step["label"]: step for step in recipe("buildkite.yml")["steps"]}
    require(steps["scenarios"].get("depends_on", "timings") == "timings"
            and steps["report"]["depends_on"] == [{"step": "scenarios", "allow_failure": True}], "Buildkite: the order of steps")
    total = steps["scenarios"]["parallelism"]
    project = Project(runner)
    for name, text in (("buildkite-agent", BUILDKITE_AGENT), ("curl", BUILDKITE_CURL)):
        (project.store / "bin" / name).write_text(text)
        (project.store / "bin" / name).chmod(0o755)
    (project.store / "passed").write_text("[]")

    def job(name, instance=""):
        # The upload of a pipeline makes $ of $$, and replaces what has one.
        text = "\n".join(steps[name]["command"])
        require(not re.search(r"(?<!\$)\$(?!\$)", text), "Buildkite: the upload would replace a variable")

        def finish(code):
            # Of each artifact the name is its path. Folders are none.
            place = project.artifact(f"{name}:{instance}")
            for path in sorted(project.folder.glob(steps[name]["artifact_paths"])):
                if path.is_file():
                    project.keep(str(path.relative_to(project.folder)), place)
            if name == "report" and not code:
                (project.store / "passed").write_text(f'[{{"id": "{project.number}", "state": "passed"}}]')

        return Job([(lambda code: fresh(project), False), (text.replace("$$", "$"), False), (finish, True)])

    def run():
        base = {"CI": "true", "BUILDKITE": "true", "PATH": f"{project.store}/bin:/usr/bin:/bin", "STORE": str(project.store),
                "BUILDKITE_BUILD_ID": str(project.number), "BUILDKITE_ORGANIZATION_SLUG": "o", "BUILDKITE_PIPELINE_SLUG": "p",
                "SCENARIO_API_TOKEN": "token"}
        shards = [
            (job("scenarios", index), {**base, "BUILDKITE_PARALLEL_JOB": str(index), "BUILDKITE_PARALLEL_JOB_COUNT": str(total)})
            for index in range(total)]
        return (job("timings"), base) if "timings" in steps else None, shards, (job("report"), base)

    def another():
        # Another build has passed.
        shutil.copytree(project.store / "artifacts/1", project.store / "artifacts/other")
        for report in (project.store / "artifacts/other").rglob("*.xml"):
            slower(report)
        (project.store / "passed").write_text('[{"id": "other"}]')

    check("Buildkite", project, run, "Buildkite", lambda: sorted(project.artifact("").glob("scenarios:*/blobs/*")), another)
    # Without a token nothing is known, and everything is run.
    project.number += 1
    first, shards, _ = run()
    outcome = project.run(first[0], {**first[1], "SCENARIO_API_TOKEN": ""})
    require(outcome.returncode == 0, "Buildkite: the recipe needs a token", outcome)
    outcome = project.run(*shards[0])
    require(") by count: " in outcome.stderr, "Buildkite: where are the times from?", outcome)


def kubernetes(runner):
    document = recipe("kubernetes/job.yaml")
    spec = document["spec"]
    container = spec["template"]["spec"]["containers"][0]
    validate_job(document, container)
    project = Project(runner)
    for name in ("blobs", "release"):
        (project.folder / name).mkdir()

    def placed(words, project):
        """The volumes are folders of the project."""
        return [re.sub(r"(?<![\w/.])/(blobs|scenario)(?=[/\s])", lambda found: str(project.folder) + {
            "blobs": "/blobs", "scenario": "/release"}[found.group(1)], word) for word in words]

    install = placed(spec["template"]["spec"]["initContainers"][0]["command"], project)
    command = placed(container["command"], project)

    def pod(index, host):
        variables = {entry["name"]: entry["value"] for entry in container["env"]}
        return {**variables, "JOB_COMPLETION_INDEX": str(index), "HOSTNAME": f"scenarios-{index}-{host}"}

    joined = recipe("kubernetes/merge.yaml")
    validate(joined)
    last = joined["spec"]["template"]["spec"]
    require(last["initContainers"] == spec["template"]["spec"]["initContainers"], "Kubernetes: the merge installs otherwise")
    merge = placed(last["containers"][0]["command"], project)
    blobs = project.folder / "blobs"

    def run():
        # A pod's name is its own in each run.
        shards = [(Job([(install, False), (command, False)]), pod(index, f"run{project.number}"))
                  for index in range(spec["completions"])]
        return None, shards, (Job([(install, False), (merge, False)]), {})

    check("Kubernetes", project, run, "Kubernetes", lambda: sorted(blobs.glob("*.jsonl")), reports="blobs/reports")
    # A pod that is made again has another name; without --attempts that is refused.
    project.write_scenarios()
    for shard in run()[1]:
        project.run(*shard)
    project.run(command, pod(0, "fghij"))
    refused = project.run([word.replace("--attempts replace ", "") for word in merge])
    require(refused.returncode == 2, "Kubernetes: two reports of one index were merged", refused)
    for stream in (blobs / "last").iterdir():
        stream.rename(blobs / stream.name)
    outcome = project.run(merge)
    require(outcome.returncode == 0, "Kubernetes: the merge failed", outcome)
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
    script = Changed.text(RECIPES / "slurm/shards.sbatch")
    project = Project(runner)
    before = re.search(r"^# (.*); export SCENARIO_ARCHIVE=", script, re.MULTILINE).group(1)

    def run():
        shards = [
            (script, {"SLURM_ARRAY_TASK_ID": str(10 + 2 * index), "SLURM_ARRAY_TASK_MIN": "10",
                      "SLURM_ARRAY_TASK_MAX": "16", "SLURM_ARRAY_TASK_STEP": "2",
                      "SLURM_ARRAY_TASK_COUNT": str(SHARDS)}) for index in range(SHARDS)]
        return (before, {}), shards, (Changed.text(RECIPES / "slurm/merge.sbatch"), {})

    check("Slurm", project, run, "Slurm", lambda: sorted((project.folder / "blobs").iterdir()))


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
        require(") by count: " in outcome.stderr, "Bazel: cases are not divided in turn", outcome)
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
    document = YAML(typ="safe").load(Changed.text(ROOT / "action.yml"))
    require(document["runs"]["using"] == "composite", "action: it is not composite")
    defaults = {name: str(entry.get("default", "")) for name, entry in document["inputs"].items()}

    def perform(project, checksum, **inputs):
        inputs = {"version": version, "url": f"file://{project.archive}", "sha256": checksum, **inputs}
        values = {**defaults, **inputs}

        def value(expression):
            named = re.fullmatch(r"inputs\.artifact \|\| format\('(.*)', github\.job, strategy\.job-index\)", expression)
            if named:
                return values["artifact"] or named.group(1).format("job", 0)
            return {"github.run_id": str(project.number), "github.run_attempt": "1"}.get(expression) or values[expression.removeprefix("inputs.")]

        def expanded(text):
            return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: value(found.group(1)), str(text))

        fresh(project)
        (project.folder / ".git").mkdir()
        job = Job()
        for step in document["runs"]["steps"]:
            always = step.get("if") == "always()"
            if "uses" in step:
                job.add(github_step(project, step["uses"], {key: expanded(text) for key, text in step["with"].items()}), always)
                continue
            require(step["shell"] == "bash", "action: a step names no shell")
            exports = "".join(f"export {name}='{expanded(text)}'\n" for name, text in step["env"].items())
            job.add(f'PATH="$(paste -sd: "$GITHUB_PATH"):$PATH"\n{exports}{step["run"]}', always)
        variables = {
            "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(ROOT),
            "RUNNER_TEMP": f"{project.store}/temp", "GITHUB_PATH": f"{project.store}/github-path"}
        (project.store / "temp").mkdir(exist_ok=True)
        outcome = project.run(job, variables, shell="bash")
        project.number += 1
        # Annotations are on standard output, where GitHub reads them, and what people read beside them.
        return outcome, outcome.stdout + outcome.stderr

    project = Project(runner)
    version = project.run([str(project.installed / "scenario"), "--version"]).stdout.strip()
    outcome, said = perform(project, "0" * 64)
    require(outcome.returncode == 3 and " passed" not in said, "action: a wrong checksum", outcome)
    outcome, said = perform(project, project.checksum, arguments="--shard 1/2")
    require(outcome.returncode == 0 and ") by count: " in said, "action: where are the times from?", outcome)
    outcome, said = perform(project, project.checksum)
    require(outcome.returncode == 0 and "9 passed, 0 failed" in said, "action: it fails", outcome)
    require(cases_of(project.folder / "reports/TEST-scenario.xml") == NAMES, "action: the JUnit report")
    require(NAMES[0] in (project.folder / "reports/scenario.html").read_text(), "action: the page")
    require(list((project.store / "artifacts").glob("*/*/.scenario/timings.json")), "action: timings are not kept")
    again, words = perform(project, project.checksum, arguments="--shard 1/2")
    require(again.returncode == 0 and ") by time: " in words, "action: cases are not divided by time", again)
    other, words = perform(project, project.checksum, version="9.9.9")
    require(other.returncode == 2 and " passed" not in words and "9.9.9" in words, "action: another release", other)
    require("::error" not in outcome.stdout, "action: it annotates what passes", outcome)
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
    head, text = Changed.text(ROOT / "Packaging/gitlab/template.yml").split("\n---\n")
    inputs = YAML(typ="safe").load(head)["spec"]["inputs"]

    def document(**given):
        values = {name: str(entry.get("default")) for name, entry in inputs.items()}
        values.update({"url": "$SCENARIO_URL", "sha256": "$SCENARIO_SHA256", **given})
        return YAML(typ="safe").load(re.sub(r"\$\[\[ inputs\.(.*?) \]\]", lambda found: values[found.group(1)], text))

    jobs = ("scenario-timings", "scenario", "scenario-report")
    check_gitlab("component", Project(runner), document(shards=str(SHARDS)), *jobs)
    own = document(image="registry.example/image", stage="check", paths="scenarios/all.yaml", arguments="--filter 'case [34]'")
    for name in jobs:
        job = {**own.get(own[name].get("extends"), {}), **own[name]}
        require(job["image"] == "registry.example/image", f"component: {name} runs elsewhere")
    require(own["scenario"]["stage"] == "check" and own["scenario"]["parallel"] == 1, "component: stage or number of shards")
    project = Project(runner)
    variables = {"CI": "true", "GITLAB_CI": "true", "CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "1"}
    outcome = project.run(gitlab_job(project, own, "scenario"), variables)
    require(outcome.returncode == 0 and "2 passed, 0 failed" in outcome.stdout, "component: one shard", outcome)
    outcome = project.run(gitlab_job(project, own, "scenario-report"), variables)
    require(outcome.returncode == 0, "component: the report of one shard", outcome)
    require(cases_of(project.folder / "reports/TEST-scenario.xml") == NAMES[3:5], "component: the JUnit report of one shard")


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
    # Files without scenarios are part of a folder of scenarios.
    (project.folder / "scenarios/shared.yaml").write_text("version: 2\nblocks: { a: { steps: [{ run: [] }] } }\n")
    recordings = project.folder / "scenarios/__recordings__"
    recordings.mkdir()
    (recordings / "all.yaml").write_text("version: 2\nresponses: [{ GET http://a.test/: { text: x } }]\n")
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


def require_loss_found(name, runner):
    """The same recipe fails where the times of the last run are lost."""
    Changed.change = TIMES[name]
    try:
        ENGINES[name](runner)
    except SystemExit as failure:
        require("cases are not divided by time" in str(failure), f"{name}: it fails otherwise when times are lost: {failure}")
    else:
        require(False, f"{name}: that times are lost goes unnoticed")
    finally:
        Changed.change = ("", "")


def main():
    arguments = sys.argv[1:]
    isReal = "--real" in arguments
    arguments = [word for word in arguments if word != "--real"]
    if not arguments or not pathlib.Path(arguments[0]).exists():
        sys.exit(__doc__)
    runner = pathlib.Path(arguments[0]).resolve()
    for name in arguments[1:] or ENGINES:
        skipped = ENGINES[name](runner)
        # Of the recipes, not of a release, whose archive each job unpacks.
        if name in TIMES and runner.suffix != ".gz":
            require_loss_found(name, runner)
        print(f"{name}: skipped: {skipped}" if skipped else f"{name}: the recipe works")
    if isReal:
        import real

        real.run(runner, Project, require, cases_of, NAMES)


if __name__ == "__main__":
    main()
