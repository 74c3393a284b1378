#!/usr/bin/env python3
"""Runs a command as a container's runtime would: under a seccomp profile, with a container's capabilities.

    confine.py [--user NUMBER] [--add-capability NAME]... [--no-new-privileges] PROFILE COMMAND ARGUMENT...

PROFILE is a file in the form of the OCI runtimes' profiles: docker.json beside this program, or
/usr/share/containers/seccomp.json of Debian's golang-github-containers-common. The namespaces stay the
caller's: only what the kernel refuses is a container's. Without root the capabilities stay as they are.
Ends with 77 where the machine does not let a filter be installed.
"""

import argparse
import ctypes
import json
import os
import re
import struct
import sys

# capabilities(7), in the order of linux/capability.h.
CAPABILITIES = """
CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE
NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT
SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE
AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ
PERFMON BPF CHECKPOINT_RESTORE
""".split()

# What `docker run` leaves a container: the engine's documentation, "Runtime privilege and Linux capabilities".
DOCKER_CAPABILITIES = set("""
CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE
SYS_CHROOT KILL AUDIT_WRITE
""".split())

# Calls that are younger than the headers of a stable distribution (arch/x86/entry/syscalls/syscall_64.tbl).
YOUNG_CALLS = {
    "uretprobe": 335, "memfd_secret": 447, "process_mrelease": 448, "futex_waitv": 449,
    "set_mempolicy_home_node": 450, "cachestat": 451, "fchmodat2": 452, "map_shadow_stack": 453,
    "futex_wake": 454, "futex_wait": 455, "futex_requeue": 456, "statmount": 457, "listmount": 458,
    "lsm_get_self_attr": 459, "lsm_set_self_attr": 460, "lsm_list_modules": 461, "mseal": 462,
    "setxattrat": 463, "getxattrat": 464, "listxattrat": 465, "removexattrat": 466,
}

# linux/prctl.h, linux/seccomp.h, linux/audit.h
PR_SET_NO_NEW_PRIVS, PR_CAPBSET_DROP = 38, 24
SECCOMP_SET_MODE_FILTER, SYS_SECCOMP, SYS_CAPSET = 1, 317, 126
AUDIT_ARCH_X86_64 = 0xC000003E
ALLOW, ERRNO = 0x7FFF0000, 0x00050000

# linux/bpf_common.h
LOAD, EQUAL, AT_LEAST, ABOVE, AND, RETURN = 0x20, 0x15, 0x35, 0x25, 0x54, 0x06

libc = ctypes.CDLL(None, use_errno=True)


def call_numbers():
    """The numbers of the system calls of x86-64, by name."""
    numbers = dict(YOUNG_CALLS)
    for folder in ("/usr/include/x86_64-linux-gnu/asm", "/usr/include/asm"):
        path = f"{folder}/unistd_64.h"
        if os.path.exists(path):
            with open(path) as header:
                for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)", header.read()):
                    numbers[name] = int(number)
            return numbers
    sys.exit("confine.py: asm/unistd_64.h is missing: install linux-libc-dev")


def applies(rule, capabilities):
    """Whether a rule is for this architecture and these capabilities."""
    needs, bars = rule.get("includes") or {}, rule.get("excludes") or {}
    if "amd64" not in needs.get("arches", ["amd64"]) or "amd64" in bars.get("arches", []):
        return False
    held = {f"CAP_{name}" for name in capabilities}
    return held.issuperset(needs.get("caps", [])) and held.isdisjoint(bars.get("caps", []))


def action(rule, default):
    """What a rule has the kernel return."""
    if rule["action"] == "SCMP_ACT_ALLOW":
        return ALLOW
    if rule["action"] == "SCMP_ACT_ERRNO":
        return ERRNO | rule.get("errnoRet", default)
    sys.exit(f"confine.py: {rule['action']} is not known here")


def test(condition):
    """Instructions for one condition; each fails by a jump of which the length is still None."""
    offset = 16 + 8 * condition["index"]
    value, second = condition["value"], condition.get("valueTwo", 0)
    low, high = value & 0xFFFFFFFF, value >> 32
    operator = condition["op"]
    if operator == "SCMP_CMP_EQ":
        return [(LOAD, 0, 0, offset), (EQUAL, 0, None, low),
                (LOAD, 0, 0, offset + 4), (EQUAL, 0, None, high)]
    if operator == "SCMP_CMP_MASKED_EQ":
        return [(LOAD, 0, 0, offset), (AND, 0, 0, low), (EQUAL, 0, None, second & 0xFFFFFFFF)]
    if operator == "SCMP_CMP_LT":
        return [(LOAD, 0, 0, offset + 4), (EQUAL, 0, None, 0),
                (LOAD, 0, 0, offset), (AT_LEAST, None, 0, low)]
    if operator == "SCMP_CMP_GT":
        return [(LOAD, 0, 0, offset), (ABOVE, 0, None, low)]
    if operator == "SCMP_CMP_NE":
        return [(LOAD, 0, 0, offset), (EQUAL, None, 0, low)]
    sys.exit(f"confine.py: {operator} is not known here")


def block(number, conditions, result):
    """Instructions that return a result for a call whose arguments meet all conditions."""
    body = [item for condition in conditions for item in test(condition)] + [(RETURN, 0, 0, result)]
    after = len(body)

    def distance(length, index):
        return after - index - 1 if length is None else length

    body = [(code, distance(yes, index), distance(no, index), value)
            for index, (code, yes, no, value) in enumerate(body)]
    return [(LOAD, 0, 0, 0), (EQUAL, 0, len(body), number)] + body


def program(profile, capabilities):
    """The profile as a program for the kernel, and how many instructions it has."""
    default = profile.get("defaultErrnoRet", 1)
    numbers = call_numbers()
    instructions = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, AUDIT_ARCH_X86_64), (RETURN, 0, 0, ERRNO | 38)]
    rules = [rule for rule in profile["syscalls"] if applies(rule, capabilities)]
    # As libseccomp does it, rules without conditions stand behind those with some.
    for rule in sorted(rules, key=lambda rule: not rule.get("args")):
        for name in rule["names"]:
            if name in numbers:
                instructions += block(numbers[name], rule.get("args") or [], action(rule, default))
    instructions.append((RETURN, 0, 0, ERRNO | default))
    return b"".join(struct.pack("HBBI", *item) for item in instructions), len(instructions)


def install(profile, capabilities):
    code, count = program(profile, capabilities)
    memory = ctypes.create_string_buffer(code, len(code))
    head = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", count, ctypes.addressof(memory)))
    if libc.syscall(SYS_SECCOMP, SECCOMP_SET_MODE_FILTER, 0, head) != 0:
        print(f"confine.py: seccomp(2): {os.strerror(ctypes.get_errno())}", file=sys.stderr)
        sys.exit(77)


def keep_only(capabilities, user):
    """Drops all other capabilities, and becomes a user."""
    bits = sum(1 << CAPABILITIES.index(name) for name in capabilities)
    if user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        return
    # _LINUX_CAPABILITY_VERSION_3; effective, permitted and inheritable, of each the low and the high half.
    header = ctypes.create_string_buffer(struct.pack("Ii", 0x20080522, 0))
    low, high = bits & 0xFFFFFFFF, bits >> 32
    data = ctypes.create_string_buffer(struct.pack("IIIIII", low, low, 0, high, high, 0))
    if libc.syscall(SYS_CAPSET, header, data) != 0:
        sys.exit(f"confine.py: capset(2): {os.strerror(ctypes.get_errno())}")


def main():
    parser = argparse.ArgumentParser(prog="confine.py")
    parser.add_argument("--user", type=int, default=0)
    parser.add_argument("--add-capability", action="append", default=[])
    parser.add_argument("--no-new-privileges", action="store_true")
    parser.add_argument("profile")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    with open(options.profile) as file:
        profile = json.load(file)
    is_root = os.geteuid() == 0
    capabilities = DOCKER_CAPABILITIES | set(options.add_capability)
    if is_root:
        for number, name in enumerate(CAPABILITIES):
            if name not in capabilities:
                libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)
    if options.no_new_privileges or not is_root:
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    install(profile, capabilities)
    if is_root:
        keep_only(capabilities, options.user)
    os.execvp(options.command[0], options.command)


if __name__ == "__main__":
    main()
