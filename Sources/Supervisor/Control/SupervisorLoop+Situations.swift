internal import CSupervisor
internal import Glibc
internal import ScenarioModel

extension SupervisorLoop {
  // MARK: - Who may end a wait

  /// Whether some thread sleeps in a call that the world outside may end: then nothing is stuck, it
  /// may only be slow.
  var mayBeWokenFromOutside: Bool {
    tracees.values.contains { tracee in
      switch tracee.state {
      case .running, .completing, .restoring, .repeating: break
      case .waiting, .startingProgram, .stoppedWithGroup, .waitingForChild, .parked: return false
      }
      guard let call = tracee.sampler.blockedCall() else { return true }
      return mayBeEndedFromOutside(call, of: tracee)
    }
  }

  private static let callsThatOthersEnd: Set<String> = [
    "open", "openat", "openat2", "pause", "rt_sigsuspend", "rt_sigtimedwait", "semtimedop", "semop",
    "mq_timedsend", "mq_timedreceive", "io_getevents", "nanosleep", "clock_nanosleep", "msgrcv",
    "msgsnd", "futex_wait", "io_pgetevents",
  ]

  private func mayBeEndedFromOutside(_ call: BlockedCall, of tracee: Tracee) -> Bool {
    let table = DescriptorTable(of: tracee)
    switch call.awaited(tracee.process.memory, members: { table.members(of: $0) }) {
    case .descriptors(let descriptors):
      return descriptors.isEmpty
        || descriptors.contains { reachesOutside($0, in: table) }
    case .fileLock:
      let holders = lockHolders(for: tracee)
      return holders.isEmpty || holders.contains { processes[ThreadIdentifier($0)] == nil }
    case .lock, .child: return false
    case .unknown: return Self.callsThatOthersEnd.contains(call.name)
    }
  }

  /// Whether somebody who is not of the tree may act on a descriptor.
  ///
  /// A pipe without a name has been made by the tree, or is one of the target's three streams, at whose
  /// other end sits the runner, which sends nothing while it waits.
  private func reachesOutside(_ descriptor: Int32, in table: DescriptorTable) -> Bool {
    switch table[descriptor] {
    case .pipe: return false
    case .anonymous(let name): return !["[eventfd]", "[pidfd]", "[eventpoll]"].contains(name)
    case .socket:
      guard case .local(let peer) = table.peer(of: descriptor) else { return true }
      return processes[ThreadIdentifier(peer)] == nil
    case .path, nil: return true
    }
  }

  private func lockHolders(for tracee: Tracee) -> [Int32] {
    FileLocks.holders(
      blocking: tracee.process.identifier.number, in: SmallFile.read("/proc/locks") ?? "")
  }

  // MARK: - What threads do

  /// What every thread of the target is doing.
  func situations() -> [ThreadSituation] {
    tracees.values.sorted { $0.identifier < $1.identifier }.map { tracee in
      ThreadSituation(
        process: tracee.process.identifier.number, thread: tracee.identifier.number,
        program: tracee.process.arguments.joined(separator: " "), activity: activity(of: tracee))
    }
  }

  private func activity(of tracee: Tracee) -> String {
    switch tracee.state {
    case .waiting(let active):
      let call = BlockedCall(active.wait.entry)
      let rest = rest(of: active.wait).description
      return "sleeps in \(call.name)\(subject(of: call, tracee)), \(rest) of virtual time to go"
    case .stoppedWithGroup:
      return "stopped by a signal"
    case .waitingForChild:
      return "waits in vfork for its child"
    case .parked(let parking):
      return parking.activity
    case .running, .restoring, .completing, .repeating, .startingProgram:
      if let description = describeSocketWait(of: tracee) { return description }
      guard tracee.sampler.state() != .busy, let call = tracee.sampler.blockedCall() else {
        return "runs"
      }
      return "sleeps in \(call.name)\(subject(of: call, tracee))"
    }
  }

  /// What a call waits for, behind "sleeps in NAME".
  private func subject(of call: BlockedCall, _ tracee: Tracee) -> String {
    let table = DescriptorTable(of: tracee)
    switch call.awaited(tracee.process.memory, members: { table.members(of: $0) }) {
    case .descriptors(let descriptors):
      guard !descriptors.isEmpty else { return "" }
      let named = descriptors.prefix(4).map { description(of: $0, in: table, tracee) }
      let rest = descriptors.count > 4 ? " and \(descriptors.count - 4) more" : ""
      return " on " + named.joined(separator: ", ") + rest
    case .lock: return " for a lock or a condition of its own process"
    case .child: return " for its child"
    case .fileLock:
      let holders = lockHolders(for: tracee).map { name(ofProcess: $0) }
      return holders.isEmpty ? "" : " for a lock that \(holders.joined(separator: ", ")) holds"
    case .unknown: return ""
    }
  }

  private func description(
    of descriptor: Int32, in table: DescriptorTable, _ tracee: Tracee
  ) -> String {
    let streams: [Int32: String] = [0: "standard input", 1: "standard output", 2: "standard error"]
    let name = streams[descriptor] ?? "descriptor \(descriptor)"
    switch table[descriptor] {
    case nil: return name
    case .path(let path): return "\(name) (\(path))"
    case .anonymous(let kind): return "\(name) (\(kind.filter { $0 != "[" && $0 != "]" }))"
    case .pipe(let inode):
      let others = otherProcesses(at: .pipe(inode), than: tracee.process)
      let more = others.isEmpty ? "" : " with " + others.joined(separator: ", ")
      return descriptor <= 2 && others.isEmpty ? name : "\(name) (a pipe\(more))"
    case .socket:
      switch table.peer(of: descriptor) {
      case .internet(let address):
        return "\(name) (the connection to \(destination(of: address)))"
      case .local(let process): return "\(name) (a socket with \(self.name(ofProcess: process)))"
      case .none: return "\(name) (a socket)"
      }
    }
  }

  /// The processes of the tree that hold the same pipe, four at most.
  private func otherProcesses(
    at wanted: OpenDescriptor, than process: TargetProcess
  ) -> [String] {
    var names: [String] = []
    for other in processes.values.sorted(by: { $0.identifier < $1.identifier })
    where other !== process && names.count < 4 {
      let folder = "/proc/\(other.identifier.number)/fd"
      let holds = SmallFile.names(in: folder).contains { entry in
        SmallFile.link("\(folder)/\(entry)").map(OpenDescriptor.init(link:)) == wanted
      }
      if holds { names.append(name(ofProcess: other.identifier.number)) }
    }
    return names
  }

  private func name(ofProcess number: Int32) -> String {
    guard let process = processes[ThreadIdentifier(number)] else { return "process \(number)" }
    return "\(process.programName) (process \(number))"
  }

  /// Where a connection was to go, before it was sent elsewhere.
  private func destination(of address: InternetAddress) -> String {
    if address.unmapped.isLoopback, let name = redirections[address.port] { return name }
    return "\(address.unmapped.text):\(address.port)"
  }

  /// Takes note of what a port of the stand-in stands for.
  func noteRedirection(of address: InternetAddress, to port: UInt16) {
    guard redirections[port] == nil else { return }
    let name = configuration.router?.hostName(of: address) ?? address.unmapped.text
    redirections[port] = "\(name):\(address.port)"
  }
}
