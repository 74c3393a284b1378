internal import CSupervisor
internal import Glibc
internal import ScenarioModel

extension TracerLoop {
  /// Whether everything sleeps: no thread of the tree and no companion runs or is about to.
  ///
  /// Threads that could run on unseen are looked at twice. If each was switched out in the first round,
  /// and none has been given a processor by the second, all of them slept from the end of the one to the
  /// beginning of the other. The threads in watched calls are looked at between: nobody could wake them
  /// meanwhile, and one that had been woken before is running still, or has stopped, which is news.
  ///
  /// - Parameter exception: a thread that stands in a stop and is not to be asked.
  func isQuiescent(but exception: Tracee? = nil) -> Bool {
    guard tree.isSettled, unhandledStops == 0 else { return false }
    // What a terminal brings only now may be what the excepted one is about to wait for.
    if hasTerminals, exception != nil { return false }
    guard !configuration.awaitsAnswer() else {
      forgetQuiescence()
      return false
    }
    if exception == nil, !hasTerminals, let quiescence {
      switch look(since: quiescence) {
      case .asleep: return true
      case .awake: return false
      case .unknown: break
      }
    }
    forgetQuiescence()
    // Where there are others, these two tell at little cost that somebody runs.
    if tracees.count > 1 {
      guard scenario_has_stop() == 0 else { return false }
      if let lastResumed, lastResumed !== exception,
        tracees[lastResumed.identifier] === lastResumed, !lastResumed.seemsAsleep
      {
        return false
      }
    }
    // What was closed while another case's child had a copy of it is closed once that has none.
    guard let copies = DescriptorCopies.none, allSleep(but: exception) else { return false }
    if hasTerminals {
      let ends = copyTerminals()
      defer { ends.closeAll() }
      // A copy may have woken its thread.
      guard !DescriptorTransfer.isNeeded || allSleep(but: exception) else { return false }
      let counts = runCounts
      ends.deliverInput()
      guard allSleep(but: exception), runCounts == counts else { return false }
    }
    guard DescriptorCopies.none == copies else { return false }
    if !hasTerminals, exception == nil {
      quiescence = QuiescenceSnapshot(
        runner: nil, externalRuns: Array(runCounts.prefix(externalProbes.count)),
        onlookers: onlookers)
      if holdJoiner() { return false }
    }
    return true
  }

  /// Looks at every thread, twice; leaves in `runCounts` how often each had been given a processor, and in
  /// `onlookers` whom the end of a thread may wake.
  private func allSleep(but exception: Tracee?) -> Bool {
    runCounts.removeAll(keepingCapacity: true)
    onlookers.removeAll(keepingCapacity: true)
    // An event loop that has nothing to do waits for descriptors.
    for sampler in externalProbes where !recordSleep(sampler, inLock: false) { return false }
    for tracee in sleepWatch.watched.values where tracee !== exception && !tracee.isHeld {
      guard recordSleep(tracee.sampler) else { return false }
    }
    // Before the look at those whom a packet would wake: who sends sleeps already.
    guard packets?.isNothingUnderWay() ?? true else { return false }
    for tracee in sleepWatch.watched.values where tracee !== exception && tracee.isHeld {
      tracee.process.dearLooks += 1
      guard tracee.sleepsInWatchedCall() else { return false }
      if tracee.awaitsEnd { onlookers.append(Onlooker(thread: tracee, runs: 0)) }
    }
    // Companions owe and settle such answers: between the two looks at them it is the truth for both.
    guard !configuration.awaitsAnswer() else { return false }
    var index = 0
    for sampler in externalProbes {
      guard sampler.state() == .asleep, sampler.runCount() == runCounts[index] else { return false }
      index += 1
    }
    for tracee in sleepWatch.watched.values where tracee !== exception && !tracee.isHeld {
      guard sleeps(tracee), tracee.sampler.runCount() == runCounts[index] else { return false }
      onlookers.append(Onlooker(thread: tracee, runs: runCounts[index]))
      index += 1
    }
    guard scenario_has_stop() == 0 && mailbox.isEmpty else { return false }
    sleepWatch.recordAllAsleep()
    return true
  }

  /// Whether a thread that is switched out sleeps; where it has ended before the others of its process, these are
  /// looked at from then on, as they may be about to.
  private func sleeps(_ tracee: Tracee) -> Bool {
    let process = tracee.process
    if !process.hasEndedLeader, process.identifier == tracee.identifier, process.threads.count > 1,
      tracee.sampler.state() == .ended
    {
      process.hasEndedLeader = true
      suspectSleepers(of: process)
      return false
    }
    return tracee.sleeps
  }

  private func recordSleep(_ sampler: ThreadStateProbe, inLock: Bool = true) -> Bool {
    runCounts.append(sampler.runCount())
    return sampler.isSwitchedOut(inLock: inLock)
  }
}

extension Tracee {
  /// A first look at a thread.
  fileprivate var seemsAsleep: Bool {
    isHeld ? sleepsInWatchedCall() : isSeenAsleep
  }

  /// Whether a watched thread has not been woken.
  ///
  /// - Parameter thoroughly: whether to ask further where the first answer does not tell.
  func sleepsInWatchedCall(thoroughly: Bool = true) -> Bool {
    switch hold {
    case .parking: true
    // SIGKILL and SIGCONT wake it without asking anybody.
    case .groupStop: sampler.isStopped()
    case .wait: sampler.isDeeplyAsleep(thoroughly: thoroughly)
    case .none, .dueWait: false
    }
  }

  /// Whether a thread in a call that is not watched sleeps, at a first look.
  var isSeenAsleep: Bool { sampler.isSwitchedOut() && sleeps }

  /// Whether a thread that is switched out sleeps until something wakes it.
  fileprivate var sleeps: Bool {
    switch sampler.state() {
    case .asleep: return true
    case .uninterruptible: return isWaitingForChild
    // A first thread that ends before the others stays a zombie, of which nothing is told.
    case .ended: return process.identifier == identifier && process.threads.count > 1
    case .busy: return false
    }
  }

  private var isWaitingForChild: Bool {
    if case .waitingForChild = state { return true }
    return false
  }
}
