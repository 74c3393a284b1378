#!/usr/bin/env python3
"""Runs a command in a container that an OCI runtime makes, as Docker's engine would ask the runtime for it.

    runtime.py [--user NUMBER] [--profile FILE] RUNTIME COMMAND ARGUMENT...

RUNTIME is runc or crun. The container has namespaces, mounts, devices and capabilities of its own, an interface
of loopback and nothing else, and the profile of seccomp(2) (docker.json beside this program). Its root is the
machine's, read-only, with /tmp, /run and /dev of its own; the current folder is written to as it is outside.
Ends with 77 where the machine does not let the runtime make a container.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from confine import DOCKER_CAPABILITIES, applies

FOLDERS = ("bin", "boot", "etc", "home", "lib", "lib32", "lib64", "media", "mnt", "opt", "root", "sbin", "srv",
           "usr", "var")


def folded(profile, capabilities):
    """A profile of Docker's engine as the runtimes' own: what is for these capabilities."""
    rules = []
    for rule in profile["syscalls"]:
        if applies(rule, capabilities):
            rules.append({key: rule[key] for key in ("names", "action", "args", "errnoRet") if rule.get(key)})
    return {
        "defaultAction": profile["defaultAction"], "defaultErrnoRet": profile.get("defaultErrnoRet", 1),
        "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"], "syscalls": rules,
    }


def mounts(here):
    """What the container sees: the machine's programs, and folders of its own."""
    def own(place, kind, source, *options):
        return {"destination": place, "type": kind, "source": source, "options": list(options)}

    def bound(place, *options):
        return {"destination": place, "type": "none", "source": place, "options": ["rbind", *options]}

    shared = [bound(f"/{name}", "ro") for name in FOLDERS
              if os.path.isdir(f"/{name}") and not os.path.islink(f"/{name}")]
    return shared + [
        own("/proc", "proc", "proc"),
        own("/dev", "tmpfs", "tmpfs", "nosuid", "strictatime", "mode=755", "size=65536k"),
        own("/dev/pts", "devpts", "devpts", "nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"),
        own("/dev/shm", "tmpfs", "shm", "nosuid", "noexec", "nodev", "mode=1777", "size=67108864"),
        own("/sys", "sysfs", "sysfs", "nosuid", "noexec", "nodev", "ro"),
        own("/tmp", "tmpfs", "tmpfs", "nosuid", "nodev", "mode=1777"),
        own("/run", "tmpfs", "tmpfs", "nosuid", "nodev", "mode=755"),
        bound(here, "rw"),
    ]


def configuration(options, command, here, bundle):
    names = sorted(f"CAP_{name}" for name in DOCKER_CAPABILITIES)
    held = [] if options.user else names
    with open(options.profile) as file:
        profile = json.load(file)
    return {
        "ociVersion": "1.0.2",
        "hostname": "container",
        "root": {"path": f"{bundle}/root", "readonly": True},
        "process": {
            "terminal": False, "cwd": here, "args": command,
            "user": {"uid": options.user, "gid": options.user},
            # The folder for temporary files is the container's own.
            "env": [f"{name}={value}" for name, value in os.environ.items() if name != "TMPDIR"],
            "capabilities": {"bounding": names, "effective": held, "permitted": held},
            "noNewPrivileges": False,
        },
        "mounts": mounts(here),
        "linux": {
            "namespaces": [{"type": kind} for kind in ("pid", "network", "ipc", "uts", "mount")],
            "seccomp": folded(profile, DOCKER_CAPABILITIES),
            # The engine's documentation, "masked paths".
            "maskedPaths": ["/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys", "/proc/latency_stats",
                            "/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi",
                            "/sys/firmware"],
            "readonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
        },
    }


def fill(root, here):
    """Makes what the mounts stand on, and the links of a root whose /bin is one."""
    for name in os.listdir("/"):
        if os.path.islink(f"/{name}"):
            os.symlink(os.readlink(f"/{name}"), f"{root}/{name}")
    for mount in mounts(here):
        os.makedirs(root + mount["destination"], exist_ok=True)
    # runc gives a file system in memory the mode of the folder below it.
    for place in ("/tmp", "/dev/shm"):
        os.makedirs(root + place, exist_ok=True)
        os.chmod(root + place, 0o1777)


def main():
    parser = argparse.ArgumentParser(prog="runtime.py")
    parser.add_argument("--user", type=int, default=0)
    parser.add_argument("--profile", default=os.path.join(os.path.dirname(os.path.realpath(__file__)), "docker.json"))
    parser.add_argument("runtime")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    here = os.path.realpath(os.getcwd())
    if not shutil.which(options.runtime):
        print(f"runtime.py: {options.runtime} is not installed", file=sys.stderr)
        sys.exit(77)
    bundle = tempfile.mkdtemp(prefix="scenario-container-")
    name = os.path.basename(bundle)

    def write(description):
        with open(f"{bundle}/config.json", "w") as file:
            json.dump(description, file)

    runtime = [options.runtime, "--root", f"{bundle}/state"]
    if os.path.basename(options.runtime) == "crun" and os.path.ismount("/sys/fs/cgroup/unified"):
        # It knows no machine that has both hierarchies of control groups.
        runtime = ["unshare", "--mount", "sh", "-c", 'umount /sys/fs/cgroup/unified; exec "$@"', "sh"] + runtime
    runs = runtime + ["run", "--bundle", bundle, name]
    try:
        os.makedirs(f"{bundle}/root")
        fill(f"{bundle}/root", here)
        write(configuration(options, ["true"], here, bundle))
        trial = subprocess.run(runs, capture_output=True, text=True)
        if trial.returncode != 0:
            print(f"runtime.py: {options.runtime}: {trial.stderr.strip()}", file=sys.stderr)
            sys.exit(77)
        write(configuration(options, options.command, here, bundle))
        status = subprocess.run(runs).returncode
    finally:
        subprocess.run(runtime + ["delete", "--force", name], stderr=subprocess.DEVNULL)
        shutil.rmtree(bundle, ignore_errors=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
