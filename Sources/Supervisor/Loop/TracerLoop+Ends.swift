internal import CSupervisor
internal import ScenarioModel

/// A thread that the end of another one may wake.
///
/// A thread that ends alone, and leaves its descriptors to others of its process, wakes those who wait for a futex
/// (futex(2), CLONE_CHILD_CLEARTID of clone(2)), and nobody else: it need not be looked at those who wait for
/// descriptors, of whom there may be thousands.
struct Onlooker {
  /// The thread.
  let thread: Tracee
  /// How often it had been given a processor, where it is in no watched call.
  let runs: UInt64
}

extension TracerLoop {
  /// A thread that is followed stands at the entry of its last call: true if nobody is woken by that who is not known.
  func beginEnd(_ registers: Registers, of tracee: Tracee) -> Bool {
    let process = tracee.process
    guard registers.systemCall == SystemCallNumber.exit, let quiescence,
      quiescence.runner === tracee, quiescence.leaver == nil, !clock.flows,
      tracee.identifier != process.identifier,
      !process.hasEndedLeader, process.threads.contains(process.identifier), !sleepWatch.looksAtAll,
      scenario_share_what_ends(tracee.identifier.number, process.identifier.number) == 1
    else { return false }
    tracee.following = nil
    self.quiescence?.runner = nil
    self.quiescence?.leaver = tracee
    self.quiescence?.mayHaveWokenOnlookers = true
    resume(tracee)
    return true
  }

  /// Takes a stop for the end of the thread that was about to end; false if it is something else.
  func takeAwaitedEnd(_ stop: scenario_stop) -> Bool {
    guard stop.kind == SCENARIO_STOP_EXITED, let leaver = quiescence?.leaver,
      leaver.identifier.number == stop.thread
    else { return false }
    quiescence?.leaver = nil
    return true
  }

  /// Takes a stop for one of the thread that alone runs, or of one that the end of a thread has woken, which alone runs
  /// from then on; false if it is another's.
  func admit(_ stop: scenario_stop, of tracee: Tracee) -> Bool {
    guard let quiescence,
      stop.kind == SCENARIO_STOP_SYSTEM_CALL || stop.kind == SCENARIO_STOP_EVENT
    else { return false }
    if quiescence.runner === tracee { return true }
    guard stop.kind == SCENARIO_STOP_SYSTEM_CALL, quiescence.runner == nil,
      quiescence.mayHaveWokenOnlookers, tracee.awaitsEnd
    else { return false }
    self.quiescence?.runner = tracee
    return true
  }

  /// Whether those sleep whom the end of a thread may have woken.
  func lookAtOnlookers(since quiescence: QuiescenceSnapshot) -> QuiescenceSnapshot.Look {
    for onlooker in quiescence.onlookers where onlooker.thread !== quiescence.runner {
      let thread = onlooker.thread
      guard tracees[thread.identifier] === thread else { continue }
      if thread.isHeld {
        guard thread.sleepsInWatchedCall() else { return .awake }
        continue
      }
      guard thread.isSeenAsleep else { return .awake }
      // In this order: it may have been woken, and have fallen asleep again. A kernel that does not count says
      // nought.
      guard onlooker.runs > 0, thread.sampler.runCount() == onlooker.runs else {
        joiner = thread.identifier
        return .unknown
      }
    }
    // The first thread of a process is suspected by the end of any.
    for thread in sleepWatch.suspects.values where thread !== quiescence.runner {
      guard thread.sleepsInWatchedCall() else { return .awake }
    }
    guard scenario_has_stop() == 0, mailbox.isEmpty else { return .awake }
    self.quiescence?.mayHaveWokenOnlookers = false
    sleepWatch.recordAllAsleep()
    return .asleep
  }

  // MARK: - Those who wait for ends

  /// While everything sleeps: has the thread that the last end has woken stop as it wakes next; true if it is about to
  /// begin its wait anew.
  ///
  /// One that waits for the ends of many runs from one to the next, and unseen it could wake anybody.
  func holdJoiner() -> Bool {
    // It has run unseen, and what it has written then is to be looked at before time moves.
    guard joiner != nil, !hasUnseenOutput() else { return false }
    guard let thread = joiner.take(), let tracee = tracees[thread], mayBeHeld(tracee),
      let call = tracee.sampler.blockedCall(), isJoin(call, of: tracee)
    else { return false }
    quiescence?.runner = tracee
    tracee.following = Tracee.Following(callsLeft: Self.followedCalls)
    lastResumed = tracee
    _ = scenario_trace_interrupt(thread.number)
    return true
  }

  private func mayBeHeld(_ tracee: Tracee) -> Bool {
    guard case .running = tracee.state, !stopsAtExit(tracee) else { return false }
    return tracees.count >= Self.followedCalls * Self.threadsPerCall && holdsJoiners
      && tracee.interruptedWait == nil && tracee.process.image != nil
      && tracee.postponedSignals.isEmpty
  }

  private var holdsJoiners: Bool {
    branch == nil && branching == nil && !sockets.areInUse && !clock.flows
  }

  /// Whether a thread waits in a call for the end of another one of its process, for which nobody else waits.
  ///
  /// Who shares a semaphore or a lock with others is left in the kernel's queue, where it has its place.
  private func isJoin(_ call: BlockedCall, of tracee: Tracee) -> Bool {
    // The C libraries wait for as long as the number of the thread stands in its descriptor.
    let other = ThreadIdentifier(Int32(truncatingIfNeeded: call.arguments[2]))
    return call.mayAwaitEnd && tracees[other]?.process === tracee.process
  }

  /// A thread that is followed stands at the entry of a call: where it waits there for an end, without a time, it is
  /// held as those are who wait for an instant.
  func beginJoin(_ registers: Registers, of tracee: Tracee) -> Bool {
    guard let quiescence, quiescence.runner === tracee, holdsJoiners,
      isJoin(BlockedCall(registers), of: tracee)
    else { return false }
    tracee.following = nil
    tracee.interruptedWait = nil
    let wait = TimedWait(
      kind: .futex(.join), deadline: .monotonic(.forever), requested: .forever, entry: registers)
    tracee.state = .waiting(Tracee.ActiveWait(wait: wait))
    if !quiescence.onlookers.contains(where: { $0.thread === tracee }) {
      self.quiescence?.onlookers.append(Onlooker(thread: tracee, runs: 0))
    }
    resume(tracee)
    return true
  }
}

extension BlockedCall {
  /// Whether it waits without a time for a futex as the kernel wakes it when a thread ends: FUTEX_WAIT or
  /// FUTEX_WAIT_BITSET, not private (futex(2)).
  var mayAwaitEnd: Bool {
    guard number == SystemCallNumber.futex, arguments[3] == 0 else { return false }
    let operation = UInt32(truncatingIfNeeded: arguments[1])
    return operation & FutexWakes.privateFlag == 0 && [0, 9].contains(operation & 127)
  }
}

extension Tracee.ActiveWait {
  /// Whether it is a wait for an end, without a time.
  var isJoin: Bool {
    if case .futex(.join) = wait.kind { true } else { false }
  }
}
