internal import Foundations
internal import Supervisor

/// Findings about what holds the target: ptrace(2), seccomp(2), and its memory.
struct TracingFindings {
  let probe: MachineProbe
  let confinement: Confinement

  /// The finding for each mechanism that the probe tried.
  var findings: [DoctorFinding] {
    [
      finding(
        "make a process", "fork", probe.makesProcess,
        help: [
          "raise the process limit of this user or container"
        ]),
      finding("hold a process", "PTRACE_SEIZE", probe.traces, help: confinement.tracingHelp),
      finding("give up privileges", "PR_SET_NO_NEW_PRIVS", probe.dropsPrivileges),
      finding("filter calls", "seccomp(2)", probe.filters, help: confinement.filterHelp),
      finding(
        "stop at a call", "SECCOMP_RET_TRACE", probe.stopsAtCall,
        help: [
          "a sandbox such as gVisor does not stop at filtered calls: use a runtime on the host's kernel"
        ]),
      finding("answer a call", "PTRACE_SETREGS", probe.answersCall),
      finding("read its memory", "/proc/PID/mem", probe.readsMemory, help: confinement.tracingHelp),
      finding("write its memory", "/proc/PID/mem", probe.writesMemory, help: Self.memoryHelp),
      finding(
        "write as the process", "process_vm_writev", probe.writesAsProcess,
        help: confinement.callHelp("process_vm_writev")),
      descriptors,
      refusedCalls, addresses,
      finding(
        "see its sleeping threads", "/proc/PID/task/TID/{syscall,stat,schedstat}", threads,
        help: Self.threadHelp),
      finding(
        "map executable pages", "mmap", probe.mapsExecutable,
        help: [
          "SELinux may forbid it (execmem): allow it for this domain, or run in another one"
        ]),
      vDSO, users,
    ]
  }

  /// The process sends its descriptors itself where they cannot be copied.
  private var descriptors: DoctorFinding {
    let subject = "copy its descriptors"
    let copying =
      probe.opensProcess == .works ? probe.copiesDescriptor : probe.opensProcess
    guard case .fails(let number) = copying else {
      return finding(subject, "pidfd_open, pidfd_getfd", copying)
    }
    let refusal = "pidfd_getfd: \(SystemText.error(number))"
    guard case .fails(let other) = probe.sendsDescriptor else {
      return DoctorFinding(.ok, subject, "\(refusal); the process sends them itself")
    }
    return DoctorFinding(
      .fail, subject, "\(refusal); sendmsg: \(SystemText.error(other))",
      help: LimitFindings.help(for: number) ?? confinement.capabilityHelp
        + confinement.callHelp("pidfd_getfd"))
  }

  /// The finding on refused calls, of which only those that set clocks, and those that chaos names,
  /// matter.
  private var refusedCalls: DoctorFinding {
    dispensable(
      "answer refused calls", "SECCOMP_RET_TRAP", probe.answersRefusedCall,
      otherwise: "calls that this machine refuses remain refused", call: "clock_settime")
  }

  /// Seeded cases want to find the same addresses in each run.
  private var addresses: DoctorFinding {
    dispensable(
      "fix its addresses", "personality", probe.fixesAddresses,
      otherwise: "addresses of seeded cases differ from run to run", call: "personality")
  }

  private var threads: MachineProbe.Outcome {
    [probe.seesThreadCall, probe.seesThreadState, probe.seesThreadSchedule].first { $0 != .works }
      ?? .works
  }

  /// Memory of another user's process needs the capability, which containers take away.
  private var users: DoctorFinding {
    let subject = "follow other users"
    guard confinement.isRootWithoutTracing else {
      return DoctorFinding(.ok, subject, "as far as targets can become another user")
    }
    guard !confinement.mayChangeUser else {
      return DoctorFinding(.ok, subject, "as the user that a target becomes: no CAP_SYS_PTRACE")
    }
    return DoctorFinding(
      .warn, subject,
      "root without CAP_SYS_PTRACE and CAP_SETUID: targets that change their user are out of reach",
      help: confinement.capabilityHelp)
  }

  private var vDSO: DoctorFinding {
    probe.hasReplaceableVDSO
      ? DoctorFinding(.ok, "replace its vDSO", "the kernel maps one")
      : DoctorFinding(
        .fail, "replace its vDSO", "the kernel maps none into this process",
        help: ["boot without vdso=0, and run outside of sandboxes that hide it"])
  }

  private func finding(
    _ subject: String, _ mechanism: String, _ outcome: MachineProbe.Outcome,
    help: [String] = []
  ) -> DoctorFinding {
    switch outcome {
    case .works:
      DoctorFinding(.ok, subject, mechanism)
    case .fails(let number):
      DoctorFinding(
        .fail, subject, "\(mechanism): \(SystemText.error(number))",
        help: LimitFindings.help(for: number) ?? help)
    case .notReached:
      DoctorFinding(.skip, subject, "\(mechanism): depends on a check that failed above")
    }
  }

  /// Returns the finding about a mechanism without which most scenarios run: a warning where it
  /// fails.
  private func dispensable(
    _ subject: String, _ mechanism: String, _ outcome: MachineProbe.Outcome,
    otherwise consequence: String, call: String
  ) -> DoctorFinding {
    guard case .fails(let number) = outcome else { return finding(subject, mechanism, outcome) }
    return DoctorFinding(
      .warn, subject, "\(mechanism): \(SystemText.error(number)); \(consequence)",
      help: confinement.callHelp(call))
  }

  private static let memoryHelp = [
    "Linux 6.12 and later can disable this: boot with proc_mem.force_override=ptrace",
    "or build the kernel with CONFIG_PROC_MEM_ALWAYS_FORCE or CONFIG_PROC_MEM_FORCE_PTRACE",
  ]

  private static let threadHelp = [
    "the kernel needs CONFIG_HAVE_ARCH_TRACEHOOK and CONFIG_SCHED_INFO",
    "/proc must be mounted, and its option hidepid must not hide this user's own processes",
  ]
}
