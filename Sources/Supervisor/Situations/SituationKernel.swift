internal import CSupervisor
internal import Foundations
internal import Glibc

/// The services that a report on threads needs of the tracing loop.
protocol SituationKernel: TraceKernel {
  /// The state of the target's clocks.
  var clock: VirtualClock { get }
  /// The targets.
  var targets: LaunchedTargets { get }
  /// The timeouts of the target's sockets.
  var sockets: SocketTimeouts { get }
  /// True if what answers the target in this process may speak without being asked.
  var relaysOthers: Bool { get }
  /// The case's folder.
  var ownFolder: String? { get }
  /// The next deadline that is filed.
  var nextDeadline: Nanoseconds? { get }
  /// True if a signal may come from outside of the target, or from the kernel at a time that nobody sees.
  var maySignalsCome: Bool { get }
  /// The injector of faults into the target.
  var faults: FaultInjector { get }

  /// Returns the virtual time that a wait has left.
  func rest(of wait: TimedWait) -> Nanoseconds
}

extension SituationKernel {
  // MARK: - What threads do

  /// Returns the situation of every thread of the target.
  func situations() -> [ThreadSituation] {
    let look = DeadlockCheck(of: processes, targets, relaysOthers: relaysOthers)
    return tracees.values.sorted { $0.identifier < $1.identifier }.map { tracee in
      ThreadSituation(
        process: tracee.process.identifier.number, thread: tracee.identifier.number,
        program: tracee.process.program.arguments.joined(separator: " "),
        activity: activity(of: tracee, look), standing: standing(of: tracee),
        delay: tracee.sampler.scheduleStatistics().delay)
    }
  }

  private func standing(of tracee: Tracee) -> ThreadSituation.Standing {
    switch tracee.state {
    case .waiting(let active):
      if case .delay = active.wait.kind { return .waits }
      if active.isJoin { return .idle(call: BlockedCall(active.wait.entry).name) }
      if active.ticket != nil || active.isDue { return .awaitsTime }
      return active.wait.isEndless(in: tracee.process.memory) ? .waits : .awaitsEndOfTime
    case .stoppedWithGroup, .waitingForChild: return .waits
    case .parked(let parking): return parking.readsClock ? .spins : .polls
    case .running, .pausing, .restoring, .completing, .repeating, .startingProgram:
      if sockets.describeWait(of: tracee) != nil { return .awaitsTime }
      guard tracee.sampler.state() != .busy, let call = tracee.sampler.blockedCall() else {
        return .computes
      }
      if case .lock = call.awaited(tracee.process.memory, members: { _ in [] }) {
        return .idle(call: call.name)
      }
      return NativeWait(call) == nil ? .waits : .awaitsRealTime
    }
  }

  private func activity(of tracee: Tracee, _ look: DeadlockCheck) -> String {
    switch tracee.state {
    case .waiting(let active):
      let call = BlockedCall(active.wait.entry)
      if case .delay = active.wait.kind {
        return faults.heldActivity(of: tracee, active, call.name + subject(of: call, tracee, look))
      }
      if let activity = faults.functions?.heldActivity(of: tracee, active) { return activity }
      let activity = "sleeps in \(call.name)\(subject(of: call, tracee, look))"
      if active.isJoin { return activity }
      guard active.ticket != nil || active.isDue else {
        return active.wait.isEndless(in: tracee.process.memory)
          ? "\(activity) forever"
          : "\(activity) until after \(endOfTime), where 64-bit clocks end"
      }
      return "\(activity), \(rest(of: active.wait)) of virtual time left"
    case .stoppedWithGroup:
      return "stopped by a signal"
    case .waitingForChild:
      return "waits in vfork for its child"
    case .parked(let parking):
      return parking.activity
    case .running, .pausing, .restoring, .completing, .repeating, .startingProgram:
      if let description = sockets.describeWait(of: tracee) { return description }
      guard tracee.sampler.state() != .busy, let call = tracee.sampler.blockedCall() else {
        return "runs"
      }
      return "sleeps in \(call.name)\(subject(of: call, tracee, look))"
    }
  }

  /// The length of virtual time that a monotonic clock can show, as a report says it.
  private var endOfTime: String {
    "\(Nanoseconds.forever.count / (365 * 86_400 * 1_000_000_000)) years of uptime"
  }

  /// Returns the subject that a call waits for, to follow "sleeps in NAME".
  private func subject(
    of call: BlockedCall, _ tracee: Tracee, _ look: DeadlockCheck
  ) -> String {
    let table = DescriptorTable(of: tracee)
    switch call.awaited(tracee.process.memory, members: { table.members(of: $0) }) {
    case .descriptors(let descriptors):
      guard !descriptors.isEmpty else { return "" }
      let named = descriptors.prefix(4).map { description(of: $0, in: table, tracee, look) }
      let rest = descriptors.count > 4 ? " and \(descriptors.count - 4) more" : ""
      return " on " + named.joined(separator: ", ") + rest
    case .lock: return " for a lock or a condition variable of its own process"
    case .child: return " for its child"
    case .signal: return " for a signal"
    case .fileLock:
      let holders = look.lockHolders(for: call, of: tracee).prefix(4).map { name(ofProcess: $0) }
      let verb = holders.count > 1 ? "hold" : "holds"
      return holders.isEmpty
        ? "" : " for a lock that \(holders.joined(separator: ", ")) \(verb)"
    case .opening(let place):
      guard let fifo = look.fifo(at: place, for: tracee) else { return "" }
      return " for the other end of the fifo \(String(decoding: fifo.path, as: UTF8.self))"
    case .unknown: return ""
    }
  }

  private func description(
    of descriptor: Int32, in table: DescriptorTable, _ tracee: Tracee, _ look: DeadlockCheck
  ) -> String {
    let streams: [Int32: String] = [0: "standard input", 1: "standard output", 2: "standard error"]
    let name = streams[descriptor] ?? "descriptor \(descriptor)"
    switch table[descriptor] {
    case nil: return name
    case .path(let path): return "\(name) (\(path))"
    case .anonymous(let kind): return "\(name) (\(kind.filter { $0 != "[" && $0 != "]" }))"
    case .pipe(let inode):
      let others = look.descriptors.holders(of: .pipe(inode)).filter {
        $0 != tracee.process.identifier.number
      }.prefix(4).map { self.name(ofProcess: $0) }
      let more = others.isEmpty ? "" : " with " + others.joined(separator: ", ")
      return descriptor <= 2 && others.isEmpty ? name : "\(name) (a pipe\(more))"
    case .socket(let socket):
      switch table.peer(of: descriptor) {
      case .internet(let address):
        let peers = look.peers(of: socket, tracee).prefix(4).map { self.name(ofProcess: $0) }
        guard peers.isEmpty else {
          return "\(name) (the connection with \(peers.joined(separator: ", ")))"
        }
        return "\(name) (the connection to \(destination(of: address)))"
      case .local(let process): return "\(name) (a socket with \(self.name(ofProcess: process)))"
      case .none: return "\(name) (a socket)"
      }
    }
  }

  private func name(ofProcess number: Int32) -> String {
    guard let process = processes[ThreadIdentifier(number)] else { return "process \(number)" }
    return "\(process.programName) (process \(number))"
  }

  /// Returns the destination of a connection before it was redirected.
  private func destination(of address: InternetAddress) -> String {
    if address.unmapped.isLoopback,
      let name = destinations?.destination(of: address.port)
    {
      return name
    }
    let meant = (destinations?.original(of: address) ?? address).unmapped
    return "\(meant.text):\(meant.port)"
  }

  /// True if some thread sleeps in a call that a process outside of the tree may end, or that time
  /// ends which flows by itself.
  var mayBeWokenFromOutside: Bool {
    guard !clock.flows else { return mayBeWokenWhileTimeFlows }
    let look = DeadlockCheck(of: processes, targets, relaysOthers: relaysOthers)
    return tracees.values.contains { tracee in
      switch tracee.state {
      case .running, .pausing, .completing, .restoring, .repeating: break
      case .waiting, .startingProgram, .stoppedWithGroup, .waitingForChild, .parked: return false
      }
      guard let call = tracee.sampler.blockedCall() else { return true }
      return look.mayBeEndedFromOutside(call, of: tracee)
    }
  }

  /// False only if every thread sleeps in a call that none but another thread of the target can end.
  ///
  /// The kernel's own timers are not seen, those of sockets and terminals neither.
  private var mayBeWokenWhileTimeFlows: Bool {
    guard nextDeadline == nil, !maySignalsCome else { return true }
    let look = DeadlockCheck(
      of: processes, targets, relaysOthers: relaysOthers, timeFlows: true, ownFolder: ownFolder)
    return tracees.values.contains { tracee in
      switch tracee.state {
      case .waitingForChild: return false
      case .running: break
      case .pausing, .completing, .restoring, .repeating, .waiting, .startingProgram,
        .stoppedWithGroup, .parked:
        return true
      }
      guard tracee.sampler.state() == .asleep, let call = tracee.sampler.blockedCall(),
        NativeWait(call) == nil
      else { return true }
      return look.mayBeEndedFromOutside(call, of: tracee)
    }
  }
}
