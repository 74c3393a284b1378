internal import CSupervisor
internal import Glibc
internal import ScenarioModel

/// Detects quiescence: whether everything sleeps.
final class QuiescenceDetector {
  unowned let kernel: any QuiescenceKernel
  /// The threads that the target talks to.
  let externalProbes: [ThreadStateProbe]
  /// The watch over packets; `nil` where virtual time does not wait for them and no mock server takes
  /// part.
  private let packets: PacketWatch?
  /// The operations on files on which the kernel works.
  let operations: SubmittedOperations
  /// The network namespaces in which packets of the target may be on their way.
  let namespaces = NetworkNamespaces()
  /// The threads that must be examined.
  var sleepWatch = SleepWatch()
  /// The state since everything was last seen asleep; `nil` if anything may run.
  private(set) var snapshot: QuiescenceSnapshot?
  /// The thread that was resumed last: as a rule it is the one that runs.
  private var lastResumed: Tracee?
  /// The numbers of times that threads which are not held had been given a processor, at the last
  /// look.
  private(set) var runCounts: [UInt64] = []
  /// True if every thread that must be examined was, and found asleep, since the idle ones were last let rest.
  private var hasExaminedAll = false
  /// The waiters that the end of a thread may wake, at the last examination of every thread.
  private var onlookers: [Onlooker] = []
  /// A thread that the end of another one has woken unseen.
  private(set) var joiner: ThreadIdentifier?

  /// - Parameters:
  ///   - kernel: whose threads they are.
  ///   - externalProbes: the threads that the target talks to.
  ///   - keepsTime: whether time is other than the machine's.
  init(
    kernel: any QuiescenceKernel, externalProbes: [ThreadStateProbe], keepsTime: Bool
  ) {
    self.kernel = kernel
    self.externalProbes = externalProbes
    operations = SubmittedOperations(kernel: kernel)
    packets =
      keepsTime || !externalProbes.isEmpty
      ? PacketWatch(
        kernel: kernel, namespaces: namespaces, hasMockServer: !externalProbes.isEmpty) : nil
  }

  /// Returns whether everything sleeps: no thread of the tree and no external participant runs or
  /// is about to.
  ///
  /// Threads that could run on unseen are examined twice. If each was switched out in the first
  /// round, and none has been given a processor by the second, all of them slept from the end of
  /// the one to the beginning of the other. The threads in watched calls are examined between:
  /// nobody could wake them meanwhile, and one that had been woken before is running still, or has
  /// stopped, which ends the quiescence.
  ///
  /// - Parameter exception: a thread that is in a stop and is to be left out.
  func isQuiescent(but exception: Tracee? = nil) -> Bool {
    guard kernel.isSettled else { return false }
    // What a terminal brings only now may be what the excepted one is about to wait for.
    if kernel.hasTerminals, exception != nil { return false }
    guard !kernel.awaitsAnswer else {
      forget()
      return false
    }
    if exception == nil, !kernel.hasTerminals, let snapshot {
      switch look(since: snapshot) {
      case .asleep: return true
      case .awake: return false
      case .unknown: break
      }
    }
    forget()
    // These show that a thread runs at less cost than the looks below: at most one read of /proc.
    if kernel.tracees.count > 1 {
      guard scenario_has_stop() == 0 else { return false }
      if let lastResumed, lastResumed !== exception, !lastResumed.awaitsTurn,
        kernel.tracees[lastResumed.identifier] === lastResumed, !lastResumed.seemsAsleep
      {
        return false
      }
    } else if exception == nil, let lone = kernel.tracees.values.first, !lone.isHeld,
      !lone.awaitsTurn, !lone.sampler.isSwitchedOut()
    {
      return false
    }
    // What was closed while another case's child had a copy of it is closed once that has none.
    guard let copies = DescriptorCopies.none, allSleep(but: exception) else { return false }
    if kernel.hasTerminals {
      let ends = kernel.copyTerminals()
      defer { ends.closeAll() }
      // A copy may have woken its thread.
      guard !DescriptorTransfer.isNeeded || allSleep(but: exception) else { return false }
      let counts = runCounts
      ends.deliverInput()
      guard allSleep(but: exception), runCounts == counts else { return false }
    }
    guard DescriptorCopies.none == copies else { return false }
    if !kernel.hasTerminals, exception == nil {
      snapshot = QuiescenceSnapshot(
        runner: nil, externalRuns: Array(runCounts.prefix(externalProbes.count)),
        onlookers: onlookers)
      if kernel.holdJoiner() { return false }
    }
    return true
  }

  /// Examines every thread, twice; stores in `runCounts` how often each had been given a processor,
  /// and in `onlookers` the threads that the end of a thread may wake.
  private func allSleep(but exception: Tracee?) -> Bool {
    runCounts.removeAll(keepingCapacity: true)
    onlookers.removeAll(keepingCapacity: true)
    // An event loop that has nothing to do waits for descriptors.
    for sampler in externalProbes where !recordSleep(sampler, inLock: false) { return false }
    for tracee in sleepWatch.watched.values where tracee !== exception && !tracee.awaitsTurn {
      switch tracee.hold {
      case .none: guard recordSleep(tracee.sampler) else { return false }
      // Of thousands it may come last.
      case .dueWait: return false
      case .wait, .groupStop, .parking: break
      }
    }
    // Before the look at those whom a packet would wake: who sends sleeps already.
    guard isNothingUnderWay else { return false }
    for tracee in sleepWatch.watched.values
    where tracee !== exception && tracee.isHeld && !tracee.awaitsTurn {
      tracee.process.dearLooks += 1
      guard tracee.sleepsInWatchedCall() else { return false }
      if tracee.awaitsEnd { onlookers.append(Onlooker(thread: tracee, runs: 0)) }
    }
    // Companions owe and settle such answers: between the two looks at them it is the truth for both.
    guard !kernel.awaitsAnswer else { return false }
    var index = 0
    for sampler in externalProbes {
      guard sampler.state() == .asleep, sampler.runCount() == runCounts[index] else { return false }
      index += 1
    }
    for tracee in sleepWatch.watched.values
    where tracee !== exception && !tracee.isHeld && !tracee.awaitsTurn {
      tracee.process.dearLooks += 1
      guard sleeps(tracee), tracee.sampler.runCount() == runCounts[index] else { return false }
      onlookers.append(Onlooker(thread: tracee, runs: runCounts[index]))
      index += 1
    }
    // Where the excepted thread is the only one, its stop has been taken.
    let isAlone = exception != nil && kernel.tracees.count == 1
    guard isAlone || scenario_has_stop() == 0, kernel.isMailboxEmpty else { return false }
    sleepWatch.recordAllAsleep()
    hasExaminedAll = exception == nil
    return true
  }

  /// Lets threads rest that wait for a private futex without a timeout, where the calls are seen that wake them.
  ///
  /// Everything must sleep: whoever wakes one of them makes such a call first.
  func restIdleThreads() {
    guard hasExaminedAll else { return }
    hasExaminedAll = false
    for tracee in sleepWatch.watched.values
    where !tracee.isHeld && tracee.process.lateFilters.contains(.futexWakes) {
      sleepWatch.restUnheld(tracee, runs: tracee.sampler.runCount()) {
        tracee.sampler.blockedCall()?.untimedPrivateFutex
      }
    }
  }

  /// Returns whether a thread that is switched out sleeps; where it has ended before the others of its process, these are
  /// looked at from then on, as they may be about to.
  private func sleeps(_ tracee: Tracee) -> Bool {
    let process = tracee.process
    if !process.hasEndedLeader, process.identifier == tracee.identifier, process.threads.count > 1,
      tracee.sampler.state() == .ended
    {
      process.hasEndedLeader = true
      suspect(process)
      return false
    }
    return tracee.sleeps
  }

  private func recordSleep(_ sampler: ThreadStateProbe, inLock: Bool = true) -> Bool {
    runCounts.append(sampler.runCount())
    return sampler.isSwitchedOut(inLock: inLock)
  }

  /// Threads have sent in a way by which packets, or news of them, come later than the call.
  func recordDelayedSends(_ kinds: DelayedSends) { packets?.record(kinds) }

  /// True if nothing that the target has sent is still on its way, and nothing that it has submitted unfinished.
  var isNothingUnderWay: Bool {
    operations.areComplete() && packets?.isNothingUnderWay() ?? true
  }

  // MARK: - Who may run

  /// Returns whether everything sleeps, where it is known who may have run since everything slept.
  private func look(since snapshot: QuiescenceSnapshot) -> QuiescenceSnapshot.Look {
    guard snapshot.leaver == nil else { return .awake }
    if let runner = snapshot.runner {
      // At first it has hardly begun to fall asleep.
      guard runner.isHeld else {
        // It waits in a call that is not watched, such as a read from a pipe.
        return kernel.isIdle && runner.isSeenAsleep ? .unknown : .awake
      }
      guard runner.sleepsInWatchedCall(thoroughly: kernel.isIdle) else { return .awake }
    }
    if snapshot.mayHaveWokenOnlookers {
      let look = lookAtOnlookers(since: snapshot)
      guard case .asleep = look else { return look }
    } else if snapshot.runner == nil {
      return .unknown
    }
    return areExternalsQuiet(since: snapshot) ? .asleep : .awake
  }

  /// The threads that are not known to sleep: one alone where only it has run since everything slept.
  var threadsThatMayRun: [Tracee] {
    if let snapshot, let runner = snapshot.runner, snapshot.leaver == nil,
      !snapshot.mayHaveWokenOnlookers
    {
      return [runner]
    }
    return Array(sleepWatch.watched.values)
  }

  /// Returns whether no external participant has run since everything slept, and no message waits.
  func areExternalsQuiet(since snapshot: QuiescenceSnapshot) -> Bool {
    for (sampler, runs) in zip(externalProbes, snapshot.externalRuns)
    where sampler.runCount() != runs {
      forget()
      return false
    }
    return kernel.isMailboxEmpty
  }

  /// Discards the snapshot, because any thread may run from here on.
  func forget() {
    guard let runner = snapshot?.runner else {
      snapshot = nil
      return
    }
    runner.following = nil
    snapshot = nil
  }

  /// Records that only this thread is woken, and runs from here.
  func wake(_ tracee: Tracee) {
    snapshot?.runner = tracee
    lastResumed = tracee
  }

  /// Wakes a thread whose wait has ended; it runs alone if all others are known to sleep.
  func wakeFromWait(_ tracee: Tracee) {
    lastResumed = tracee
    if snapshot?.mayHaveWokenOnlookers ?? false { forget() }
    snapshot?.runner = tracee
  }

  /// Records that a thread was resumed.
  func resumed(_ tracee: Tracee) { lastResumed = tracee }

  // MARK: - Ends

  /// The thread that alone runs makes its last call.
  func beginEnd(of tracee: Tracee) {
    snapshot?.runner = nil
    snapshot?.leaver = tracee
    snapshot?.mayHaveWokenOnlookers = true
  }

  /// Handles a stop that is the end of the thread that was about to end; false if it is something
  /// else.
  func takeAwaitedEnd(_ stop: scenario_stop) -> Bool {
    guard stop.kind == SCENARIO_STOP_EXITED, let leaver = snapshot?.leaver,
      leaver.identifier.number == stop.thread
    else { return false }
    snapshot?.leaver = nil
    return true
  }

  /// Admits a stop of the thread that alone runs, or of one that the end of a thread has woken,
  /// which alone runs from then on; false if it is another's.
  func admit(_ stop: scenario_stop, of tracee: Tracee) -> Bool {
    guard let snapshot,
      stop.kind == SCENARIO_STOP_SYSTEM_CALL || stop.kind == SCENARIO_STOP_EVENT
    else { return false }
    if snapshot.runner === tracee { return true }
    guard stop.kind == SCENARIO_STOP_SYSTEM_CALL, snapshot.runner == nil,
      snapshot.mayHaveWokenOnlookers, tracee.awaitsEnd
    else { return false }
    self.snapshot?.runner = tracee
    return true
  }

  /// Returns whether the threads sleep that the end of a thread may have woken.
  private func lookAtOnlookers(since snapshot: QuiescenceSnapshot) -> QuiescenceSnapshot.Look {
    for onlooker in snapshot.onlookers where onlooker.thread !== snapshot.runner {
      let thread = onlooker.thread
      guard kernel.tracees[thread.identifier] === thread else { continue }
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
    for thread in sleepWatch.suspects.values where thread !== snapshot.runner {
      guard thread.sleepsInWatchedCall() else { return .awake }
    }
    guard scenario_has_stop() == 0, kernel.isMailboxEmpty else { return .awake }
    self.snapshot?.mayHaveWokenOnlookers = false
    sleepWatch.recordAllAsleep()
    return .asleep
  }

  /// The end of another thread may wake a thread, too.
  func addOnlooker(_ tracee: Tracee) {
    guard let snapshot, !snapshot.onlookers.contains(where: { $0.thread === tracee }) else {
      return
    }
    self.snapshot?.onlookers.append(Onlooker(thread: tracee, runs: 0))
  }

  /// Removes and returns the thread that the end of another one has woken unseen.
  func takeJoiner() -> ThreadIdentifier? { joiner.take() }
}

extension Tracee {
  /// True if the thread sleeps at the first examination.
  fileprivate var seemsAsleep: Bool {
    isHeld ? sleepsInWatchedCall() : isSeenAsleep
  }

  /// Returns whether a watched thread has not been woken.
  ///
  /// - Parameter thoroughly: whether to examine it further where the first answer does not decide.
  func sleepsInWatchedCall(thoroughly: Bool = true) -> Bool {
    switch hold {
    case .parking: true
    // SIGKILL and SIGCONT wake it without a stop for the tracer.
    case .groupStop: sampler.isStopped()
    case .wait: sampler.isDeeplyAsleep(thoroughly: thoroughly)
    case .none, .dueWait: false
    }
  }

  /// True if a thread in a call that is not watched sleeps, at a first look.
  var isSeenAsleep: Bool { sampler.isSwitchedOut() && sleeps }

  /// True if a thread that is switched out sleeps until something wakes it.
  fileprivate var sleeps: Bool {
    switch sampler.state() {
    case .asleep: return true
    case .uninterruptible: return isWaitingForChild
    // A first thread that ends before the others stays a zombie, which the kernel does not report.
    case .ended: return process.identifier == identifier && process.threads.count > 1
    case .busy: return false
    }
  }

  private var isWaitingForChild: Bool {
    if case .waitingForChild = state { return true }
    return false
  }
}
