internal import CSupervisor
internal import Foundations
internal import ScenarioModel

extension TimedWaits {
  /// Ends a followed thread at the entry of its last call: true if that wakes only known threads.
  func beginEnd(_ registers: Registers, of tracee: Tracee) -> Bool {
    let process = tracee.process
    guard registers.systemCall == SystemCallNumber.exit, let snapshot = quiescence.snapshot,
      snapshot.runner === tracee, snapshot.leaver == nil, !clock.flows,
      tracee.identifier != process.identifier,
      !process.hasEndedLeader, process.threads.contains(process.identifier),
      !quiescence.sleepWatch.looksAtAll,
      scenario_share_what_ends(tracee.identifier.number, process.identifier.number) == 1
    else { return false }
    tracee.following = nil
    quiescence.beginEnd(of: tracee)
    kernel.resume(tracee)
    return true
  }

  // MARK: - Those who wait for ends

  /// While everything sleeps: has the thread that the last end has woken stop as it wakes next; true if it is about to
  /// begin its wait anew.
  ///
  /// One that waits for the ends of many runs from one to the next, and unseen it could wake anybody.
  func holdJoiner() -> Bool {
    // It has run unseen, and what it has written then is to be looked at before time moves.
    guard quiescence.joiner != nil, !kernel.hasUnseenOutput() else { return false }
    guard let thread = quiescence.takeJoiner(), let tracee = tracees[thread], mayBeHeld(tracee),
      let call = tracee.sampler.blockedCall(), isJoin(call, of: tracee)
    else { return false }
    quiescence.wake(tracee)
    tracee.following = Tracee.Following(callsLeft: Self.followedCalls)
    _ = scenario_trace_interrupt(thread.number)
    return true
  }

  private func mayBeHeld(_ tracee: Tracee) -> Bool {
    guard case .running = tracee.state, !kernel.stopsAtExit(tracee) else { return false }
    return tracees.count >= Self.followedCalls * Self.threadsPerCall && holdsJoiners
      && self[tracee] == nil && tracee.process.image != nil
      && tracee.postponedSignals.isEmpty
  }

  private var holdsJoiners: Bool {
    !mayBranch && !sockets.areInUse && !clock.flows
  }

  /// Returns whether a thread waits in a call for the end of another one of its process, for which no other thread waits.
  ///
  /// A thread that shares a semaphore or a lock with others stays in the kernel's queue, where it has its place.
  private func isJoin(_ call: BlockedCall, of tracee: Tracee) -> Bool {
    // The C libraries wait for as long as the number of the thread stands in its descriptor.
    let other = ThreadIdentifier(Int32(truncatingIfNeeded: call.arguments[2]))
    return call.mayAwaitEnd && tracees[other]?.process === tracee.process
  }

  /// Holds a followed thread at the entry of a call: where it waits there for an end, without a
  /// timeout, it is held as waits for an instant are.
  func beginJoin(_ registers: Registers, of tracee: Tracee) -> Bool {
    guard quiescence.snapshot?.runner === tracee, holdsJoiners,
      isJoin(BlockedCall(registers), of: tracee)
    else { return false }
    tracee.following = nil
    self[tracee] = nil
    let wait = TimedWait(
      kind: .futex(.join), deadline: .monotonic(.forever), requested: .forever, entry: registers)
    tracee.state = .waiting(Tracee.ActiveWait(wait: wait))
    quiescence.addOnlooker(tracee)
    kernel.resume(tracee)
    return true
  }
}

extension BlockedCall {
  /// True if it waits without a time for a futex as the kernel wakes it when a thread ends: FUTEX_WAIT or
  /// FUTEX_WAIT_BITSET, not private (futex(2)).
  var mayAwaitEnd: Bool {
    guard let operation = untimedFutexWait else { return false }
    return operation & FutexWakes.privateFlag == 0
  }
}
