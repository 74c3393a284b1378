internal import CSupervisor
internal import Glibc

// Births and deaths of threads and processes, and new programs.

extension TracerLoop {
  func addFirst(_ process: TargetProcess) {
    tree.add(process)
    _ = add(process.identifier, to: process)
    output.reporter.reportBirth(of: process, from: nil)
  }

  func addCopy(_ process: TargetProcess) -> Tracee {
    tree.add(process)
    let tracee = Tracee(process.identifier, of: process)
    tree.add(tracee)
    quiescence.sleepWatch.add(tracee)
    process.threads = [process.identifier]
    return tracee
  }

  /// A thread that was announced has stopped for the first time.
  func beginLife(of tracee: Tracee) {
    interceptors.find(CloneWatch.self)?.restoreBirth(of: tracee)
    publishClock(to: tracee.process)
    faults.processes.recordBirth(of: tracee)
  }

  /// A thread has made another one, or a process.
  func announce(childOf parent: Tracee, by kind: scenario_stop_kind) {
    var message: UInt64 = 0
    _ = scenario_trace_event_message(parent.identifier.number, &message)
    let thread = ThreadIdentifier(Int32(truncatingIfNeeded: message))
    if kind == SCENARIO_STOP_VFORK {
      parent.state = .waitingForChild(then: parent.state)
    }
    placement.release()
    scenario_copy_place(parent.identifier.number, thread.number)
    if thread.number > 0, tracees[thread] == nil {
      let isThread =
        kind == SCENARIO_STOP_CLONE
        && access("/proc/\(parent.process.identifier.number)/task/\(thread.number)", F_OK) == 0
      let process = isThread ? parent.process : child(thread, of: parent.process)
      let tracee = add(thread, to: process)
      tree.recordPath(of: thread, madeBy: parent.identifier)
      for interceptor in interceptors.all {
        interceptor.threadStarted(thread, by: parent.identifier)
      }
      if !isThread { process.isBorrower = kind == SCENARIO_STOP_VFORK }
      if tree.endUnannounced(thread) {
        beginLife(of: tracee)
        resume(tracee)
      } else {
        tree.recordUnborn(thread)
      }
    }
    resume(parent)
  }

  private func add(_ thread: ThreadIdentifier, to process: TargetProcess) -> Tracee {
    let tracee = Tracee(
      thread, of: process, keepsFilesOpen: tracees.count < tree.openLimit)
    tree.add(tracee)
    quiescence.sleepWatch.add(tracee)
    configuration.census.record(tracees.count)
    process.threads.insert(thread)
    return tracee
  }

  /// Adopts children of a process that was killed before their clone events.
  private func adoptOrphans(of process: TargetProcess) {
    for thread in tree.unannounced {
      let stat = SmallFile.read("/proc/\(thread.number)/stat")?.split(separator: ")").last
      let fields = stat?.split(separator: " ") ?? []
      guard fields.count > 1, let parent = Int32(fields[1]),
        processes[ThreadIdentifier(parent)] == nil
      else { continue }
      tree.endUnannounced(thread)
      let tracee = add(thread, to: child(thread, of: process))
      tree.setPath(of: thread, .unknown)
      publishClock(to: tracee.process)
      if targets[process.target]?.endsNewcomers ?? false { kill(thread.number, SIGKILL) }
      resume(tracee)
    }
  }

  private func child(_ identifier: ThreadIdentifier, of parent: TargetProcess) -> TargetProcess {
    let process = TargetProcess(identifier, forkedFrom: parent, memories: tree.memories)
    process.ordinal = tree.nextOrdinal()
    process.birth = clock.boot(real: RealClock.monotonic())
    process.target = parent.target
    process.parent = parent.identifier
    tree.add(process)
    output.reporter.reportBirth(of: process, from: parent)
    return process
  }

  /// A thread has ended.
  func remove(_ thread: ThreadIdentifier, status: ExitStatus) {
    tree.endUnannounced(thread)
    guard let tracee = forget(thread) else { return }
    quiescence.suspect(after: thread, of: tracee.process)
    guard thread == tracee.process.identifier else { return }
    // The first thread is reported last: its process has ended.
    tree.removeProcess(thread)
    record.forgetEscapes(of: thread)
    launcher.recordEndBeforeEntry(of: tracee.process)
    for other in tracee.process.threads {
      forget(other)
    }
    for interceptor in interceptors.all { interceptor.processEnded(thread) }
    adoptOrphans(of: tracee.process)
    branch?.recordEnd(of: tracee.process, status)
    output.reporter.writers?.recordEnd(of: tracee.process)
    output.reporter.reportWritten()
    report(.processEnded(process: thread.number, status))
    launcher.finish(thread, status: status)
    if let target = targets.begun(by: thread) {
      _ = target.transfer()
      output.reporter.reportOutput()
      if !target.awaitsRestart {
        target.end = TargetEnd(
          status: status, time: clock.elapsed(real: RealClock.monotonic()))
      }
    }
    faults.processes.recordEnd(of: thread)
    faults.processes.restartInTime(tracee.process.target)
  }

  /// Forgets a thread that is gone, and all that is known of it; returns what it was.
  @discardableResult
  func forget(_ thread: ThreadIdentifier) -> Tracee? {
    for interceptor in interceptors.all { interceptor.threadEnded(thread) }
    guard let tracee = tree.removeThread(thread) else { return nil }
    quiescence.sleepWatch.remove(thread)
    tracee.leaveProcess()
    placement.remove(thread)
    output.reporter.reportWait(of: tracee, .gone)
    if thread != tracee.process.identifier {
      output.reporter.writers?.recordEndOfThread(in: tracee.process)
    }
    configuration.census.record(tracees.count)
    if case .waiting(let active) = tracee.state { scheduler.cancel(active.ticket) }
    waits.sockets.forgetWait(of: tracee)
    tracee.watches.end(nil)
    return tracee
  }

  // MARK: - Programs

  /// A process runs a new program: its address space is fresh, its other threads are gone.
  func startProgram(in tracee: Tracee) {
    let process = tracee.process
    var former: UInt64 = 0
    _ = scenario_trace_event_message(tracee.identifier.number, &former)
    let caller = ThreadIdentifier(Int32(truncatingIfNeeded: former))
    if caller != tracee.identifier, tracees[caller] != nil {
      for interceptor in interceptors.all {
        interceptor.threadRenamed(caller, to: tracee.identifier)
      }
    }
    // execve(2) from another thread than the first: the caller takes the first one's number.
    for other in process.threads where other != tracee.identifier {
      // The caller's own number ends without a word.
      forget(other)
    }
    process.threads = [tracee.identifier]
    let isTold = process.program.trust.isTold
    if case .waiting(let active) = tracee.state { scheduler.cancel(active.ticket) }
    tracee.watches.stopObserving()
    tracee.following = nil
    tracee.spin = SpinRecord()
    waits.sockets.forgetWait(of: tracee)
    process.start(commandLine(of: process.identifier))
    record.forgetEscapes(of: process.identifier)
    for interceptor in interceptors.all { interceptor.programStarted(in: process.identifier) }
    output.reporter.reportWritten()
    report(
      .processStarted(
        process: process.identifier.number, arguments: process.program.arguments,
        trustVariables: configuration.trustByKind?.tell(
          tracee, isTold: isTold, configuration.fileReplacements) ?? []))
    pending.livelock.countProgram()
    launcher.finish(process.identifier, status: nil)

    guard let registers = try? Registers.read(from: tracee.identifier) else { return }
    guard registers.isNative else {
      reportOutOfReach(process, reason: "\(process.programName) is not a 64-bit program")
      kill(process.identifier.number, SIGKILL)
      return
    }
    process.readStartPath(stackPointer: registers.stackPointer)
    if launcher.filter != nil { record.reportLostPrivileges(of: process) }
    let watchesEntry =
      !faults.rules.isEmpty || faults.functions != nil || configuration.limits != nil
      || faults.rules.hasProcessEntries
    let needsPreparation = launcher.programs.template != nil || watchesEntry
    process.program.hasEntered = !watchesEntry
    tracee.state = needsPreparation ? .startingProgram : .running
    resume(tracee)
  }

  private func commandLine(of process: ThreadIdentifier) -> [String] {
    let text = SmallFile.read("/proc/\(process.number)/cmdline") ?? ""
    return text.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}
