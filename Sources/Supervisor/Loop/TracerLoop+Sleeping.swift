internal import CSupervisor
internal import Foundations
internal import Glibc

extension TracerLoop {
  /// Sleeps until a tracee stops, a pipe has bytes, a message comes, or a clock says so.
  func sleepUntilNews() {
    // A transfer may have left a stop to be heard, of which no signal tells any more.
    if DescriptorTransfer.isNeeded, scenario_has_stop() == 1 { return }
    var descriptors = [pollfd(fd: mailbox.bell, events: Int16(POLLIN), revents: 0)]
    for target in targets.all { descriptors += target.pollDescriptors() }
    if let branch { descriptors.append(branch.trunkBell) }
    let length = sleepLength().count
    let isLent = isDeserted
    if isLent { mailbox.resting.lend(self) }
    runCompletions()
    _ = descriptors.withUnsafeMutableBufferPointer {
      scenario_sleep($0.baseAddress, UInt32($0.count), length)
    }
    if isLent { mailbox.resting.takeBack() }
    mailbox.silenceBell()
    // What lies in the trunk's mailbox is taken once the branch has ended.
    branch?.trunk.silenceBell()
  }

  /// Lets somebody know that what they waited for is there, at the end of this turn: where the last process has
  /// ended, the loop is lent by then, and what is asked next wakes nobody.
  func reportAtEndOfTurn(_ completion: @escaping () -> Void) {
    completions.append(completion)
  }

  /// Runs the completions of those who waited.
  func runCompletions() {
    guard !completions.isEmpty else { return }
    let due = completions
    completions = []
    for completion in due { completion() }
  }

  /// Whether nobody lives whom the loop would hold, nothing is still to be read of those who did, and nobody waits
  /// for anything: then only messages change what it knows.
  var isDeserted: Bool {
    operations.isEmpty && isTreeGone && restWaiters.isEmpty && !isStopping && branch == nil
      && branching == nil && targets.all.allSatisfy { $0.pollDescriptors().isEmpty }
  }

  /// How long the loop may sleep: to the next deadline in real time, and, while the loop waits for
  /// threads to fall asleep, which nothing tells, 20 µs at first, then ever longer up to 1 ms.
  private func sleepLength() -> Nanoseconds {
    var length = Nanoseconds.milliseconds(200)
    let real = RealClock.monotonic()
    if clock.flows, let item = scheduler.earliest() {
      length = min(length, clock.realTime(until: item.instant, real: real))
    }
    if clock.flows, interceptors.find(ClockFiles.self)?.hasOpenFiles ?? false {
      length = min(length, UptimeFiles.resolution)
    }
    if clock.flows, sockets.areInUse {
      length = min(length, SocketTimeoutAccount.lookInterval)
    }
    for operation in operations {
      length = min(length, operation.deadline - real)
    }
    if waitsForSleep {
      let rounds = Int64(min(idleRounds - Self.spinRounds, 50))
      length = min(length, .microseconds(stillSince == nil ? 20 * rounds : 1_000))
    }
    return max(.zero, length)
  }

  /// Whether somebody wants to know when everything sleeps.
  private var waitsForSleep: Bool {
    !restWaiters.isEmpty || operations.contains { $0.wantsQuiescence(self) }
  }
}
