internal import Glibc
internal import Supervisor

/// The confinement of this process, as far as /proc and the environment show it.
struct Confinement: Sendable, Hashable {
  /// The container that the runner runs in.
  enum Container: String, Sendable, Hashable {
    case docker
    case podman
    case kubernetes
  }

  /// The process that traces this one already; 0 for none.
  var tracer: Int = 0
  /// Its program's name; empty where it cannot be read.
  var tracerName = ""
  /// /proc/sys/kernel/yama/ptrace_scope; `nil` where Yama is not there.
  var ptraceScope: Int?
  /// True if a seccomp filter rules over this process.
  var isFiltered = false
  /// True if it has root's user, but not CAP_SYS_PTRACE.
  var isRootWithoutTracing = false
  /// True if it may become another user for a moment: CAP_SETUID and CAP_SETGID.
  var mayChangeUser = true
  /// The container.
  var container: Container?
  /// The emulator, if the processor is an emulated one without tracing: user emulation translates the calls of one
  /// program, and has no ptrace(2).
  var emulator: String?

  /// Advice that lets processes be traced.
  var tracingHelp: [String] {
    var lines: [String] = []
    if let emulator { return Self.emulationHelp(emulator) }
    if tracer != 0 {
      let name = tracerName.isEmpty ? "" : " (\(tracerName))"
      // Then that is the reason, whatever else confines it.
      return ["process \(tracer)\(name) traces this process: run outside of it"]
    }
    // Scope 2 asks for CAP_SYS_PTRACE, 3 forbids all; 1 allows what this program does, its children.
    if let ptraceScope, ptraceScope >= 2 {
      lines.append(
        ptraceScope == 2
          ? "/proc/sys/kernel/yama/ptrace_scope is 2: set it to 1, or run with CAP_SYS_PTRACE"
          : "/proc/sys/kernel/yama/ptrace_scope is \(ptraceScope): set kernel.yama.ptrace_scope=1"
            + " in /etc/sysctl.d and reboot")
    }
    lines += containerHelp("ptrace", isPrivilege: true)
    return lines
  }

  /// Advice that gives CAP_SYS_PTRACE.
  var capabilityHelp: [String] {
    switch container {
    case .kubernetes: containerHelp("ptrace", isPrivilege: true)
    case .docker, .podman: ["\(container?.rawValue ?? "docker") run --cap-add SYS_PTRACE …"]
    case nil: ["run with CAP_SYS_PTRACE, or as the user that the target becomes"]
    }
  }

  /// Advice that lets calls be filtered.
  var filterHelp: [String] { callHelp("seccomp") }

  /// Advice for a program that an emulator runs.
  static func emulationHelp(_ emulator: String) -> [String] {
    [
      "this program runs under user emulation (\(emulator)), which has no ptrace: run it on an x86-64"
        + " machine, or in a virtual machine with a kernel of its own"
    ]
  }

  /// Advice that lets a system call be made.
  func callHelp(_ call: String) -> [String] { containerHelp(call, isPrivilege: false) }

  private func containerHelp(_ call: String, isPrivilege: Bool) -> [String] {
    if let emulator { return Self.emulationHelp(emulator) }
    guard container != nil || isFiltered else {
      return ["a security module (SELinux, AppArmor) may forbid it: see the kernel's log"]
    }
    switch container {
    case .kubernetes:
      return [
        isPrivilege
          ? "in the pod's securityContext set capabilities: { add: [SYS_PTRACE] }"
          : "in the pod's securityContext set seccompProfile: { type: Unconfined }"
      ]
    case .docker, .podman:
      let name = container?.rawValue ?? "docker"
      return isPrivilege
        ? ["\(name) run --cap-add SYS_PTRACE …", "or: \(name) run \(Self.unconfined) …"]
        : ["\(name) run \(Self.unconfined) …"]
    case nil:
      return [
        "a seccomp filter applies to this process, and may forbid \(call)",
        "in a container: docker or podman run "
          + (isPrivilege ? "--cap-add SYS_PTRACE, or \(Self.unconfined)" : Self.unconfined),
        isPrivilege
          ? "in Kubernetes: securityContext: { capabilities: { add: [SYS_PTRACE] } }"
          : "in Kubernetes: securityContext: { seccompProfile: { type: Unconfined } }",
      ]
    }
  }

  private static let unconfined = "--security-opt seccomp=unconfined"
}

extension Confinement {
  /// Examines this process.
  ///
  /// - Parameter probe: the permitted operations.
  static func current(_ probe: MachineProbe) -> Confinement {
    var confinement = Confinement()
    let processor = MachineProbe.processorName
    if probe.lacksTracing, MachineProbe.isEmulated(processor: processor) {
      confinement.emulator = processor.split(separator: " ").first.map(String.init)
    }
    let status = SystemFile.text("/proc/self/status") ?? ""
    confinement.tracer = number(after: "TracerPid:", in: status) ?? 0
    confinement.isFiltered = number(after: "Seccomp:", in: status) == 2
    // Capabilities are hexadecimal digits; CAP_SYS_PTRACE is bit 19 (`linux/capability.h`).
    let capabilities = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
      .flatMap { UInt64($0.dropFirst(7).filter(\.isHexDigit), radix: 16) }
    confinement.isRootWithoutTracing =
      geteuid() == 0 && (capabilities ?? .max) & (1 << 19) == 0
    // CAP_SETGID is bit 6, CAP_SETUID bit 7.
    confinement.mayChangeUser = (capabilities ?? .max) & 0xC0 == 0xC0
    if confinement.tracer != 0 {
      confinement.tracerName = SystemFile.line("/proc/\(confinement.tracer)/comm") ?? ""
    }
    confinement.ptraceScope = SystemFile.line("/proc/sys/kernel/yama/ptrace_scope")
      .flatMap { Int($0) }
    if getenv("KUBERNETES_SERVICE_HOST") != nil {
      confinement.container = .kubernetes
    } else if access("/run/.containerenv", F_OK) == 0 {
      confinement.container = .podman
    } else if access("/.dockerenv", F_OK) == 0 {
      confinement.container = .docker
    }
    return confinement
  }

  /// The number behind a name in /proc/PID/status.
  private static func number(after name: String, in status: String) -> Int? {
    status.split(separator: "\n").first { $0.hasPrefix(name) }
      .flatMap { Int($0.dropFirst(name.count).filter(\.isNumber)) }
  }
}

/// Small files of the system.
enum SystemFile {
  /// The file's text; `nil` if it cannot be read.
  static func text(_ path: String) -> String? {
    (try? FileTree.read(path)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The file's first line; `nil` if it cannot be read or is empty.
  static func line(_ path: String) -> String? {
    text(path)?.split(separator: "\n").first.map(String.init)
  }
}
