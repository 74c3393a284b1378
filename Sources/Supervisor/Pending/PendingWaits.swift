internal import Foundations

/// The pending waits for the target, and the detection that they will never end.
final class PendingWaits {
  unowned let kernel: any PendingKernel
  /// The time for which everything must have slept, with nothing to wake it, to be called stuck.
  private let stuckAfter: Nanoseconds
  private(set) var operations: [any PendingWait] = []
  /// The completions that run at the end of this turn.
  private var completions: [() -> Void] = []
  /// The operations that wait for quiescence.
  private var resting = QuiescenceWaiters()
  /// True if waits for the target are cancelled.
  private var isCancelled = false
  /// True if the run of the target is being ended.
  private(set) var isStopping = false
  /// The real time since when everything has slept with nothing to wake it; `nil` if it does not.
  private(set) var stillSince: Nanoseconds?
  /// The time of the next check for being stuck, on the runner's clock.
  private var nextStuckLook = Nanoseconds.zero
  /// The watch for a target that sleeps for ever, while time flows.
  private var standstill = StandstillWatch()
  /// The watch over waits that make time pass while nothing else happens.
  let livelock: LivelockWatch
  /// The threads that compute.
  var computing: ComputingWatch
  /// True if a thread or a step waited for time to pass at the last look.
  var wasTimeAwaited = false
  /// True if a new wait for an instant has begun since.
  var hasNewWait = false
  /// The processes that read the clock.
  var readers = ClockReaders()

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - stuckAfter: how long everything must have slept, with nothing to wake it, to be called stuck.
  ///   - livelock: who let time pass, and whether anything else happened.
  ///   - computingCost: what computing costs of virtual time.
  init(
    kernel: any PendingKernel, stuckAfter: Nanoseconds = .seconds(1), livelock: LivelockWatch,
    computingCost: ComputingCost = .standard
  ) {
    self.kernel = kernel
    self.stuckAfter = stuckAfter
    self.livelock = livelock
    computing = ComputingWatch(cost: computingCost)
  }

  // MARK: - Those who wait

  /// True if there is no wait.
  var isEmpty: Bool { operations.isEmpty && resting.isEmpty }

  /// True if a caller waits until the tree is at rest.
  var awaitsRest: Bool { !resting.isEmpty }

  /// True if a wait ends when everything sleeps.
  var wantsQuiescence: Bool { operations.contains { $0.wantsQuiescence(kernel) } }

  /// True if what is waited for lets time pass.
  var letsTimePass: Bool { operations.contains { $0.letsTimePass(kernel) } }

  /// True if the time of one of them is up.
  var isOneOverdue: Bool { operations.contains { $0.deadline <= RunnerClock.now() } }

  /// True if a step waits for an action of the target, for as long as it takes, and there is no
  /// other wait.
  var awaitsTargetOnly: Bool {
    resting.isEmpty && !livelock.hasWokenTooOften && first is AwaitTarget
  }

  /// The one that wants to know when everything sleeps.
  private var first: (any PendingWait)? { operations.first { $0.wantsQuiescence(kernel) } }

  /// Starts a wait.
  func begin(_ operation: any PendingWait) {
    livelock.begin(at: kernel.virtualNow, progress())
    operations.append(operation)
  }

  /// Lets operations check their conditions; those that are done leave.
  ///
  /// - Returns: whether there are any.
  @discardableResult
  func poll() -> Bool {
    guard !operations.isEmpty else { return false }
    if isCancelled {
      for operation in operations { operation.cancel() }
      operations = []
    }
    operations.removeAll { $0.poll(kernel) }
    return true
  }

  /// Ends the loop once all targets have ended.
  func stop() { isStopping = true }

  /// Cancels all waits, those that begin later too.
  func cancel() {
    isCancelled = true
    for body in resting.take(isAtRest: false) { body() }
  }

  /// Ends the cancelling of waits; waits that begin now last.
  func allow() { isCancelled = false }

  /// The loop has ended.
  func end() {
    isCancelled = true
    poll()
    reportRest()
  }

  func remove(_ operation: any PendingWait) { operations.removeAll { $0 === operation } }

  /// Records that a thread begins to wait for an instant.
  func recordDeadline() { hasNewWait = true }

  /// Records that something was woken, or has happened.
  func somethingMoved() { stillSince = nil }

  /// Returns the progress of the target.
  private func progress() -> TargetProgress {
    TargetProgress(
      outputCount: kernel.targets.all.reduce(0) {
        $0 &+ $1.output.count &+ $1.errorOutput.count
      },
      // The mock server's threads run when the target sends something, and for nothing else.
      externalRuns: kernel.quiescence.externalProbes.reduce(0) { $0 &+ $1.runCount() })
  }

  // MARK: - Completions

  /// True if completions are to run.
  var hasCompletions: Bool { !completions.isEmpty }

  /// Files the completion of a wait for the end of this turn: where the last process has ended, the
  /// loop is lent by then, and the next query wakes no waiter.
  func complete(_ completion: @escaping () -> Void) { completions.append(completion) }

  /// Runs the completions of those who waited.
  func runCompletions() {
    guard !completions.isEmpty else { return }
    let due = completions
    completions = []
    for completion in due { completion() }
  }

  // MARK: - Rest

  /// Calls back once the tree is at rest, and nothing is due at this instant any more; or after a bound.
  ///
  /// Where waits are cancelled, it is called back at once.
  func awaitRest(_ body: @escaping @Sendable () -> Void) {
    guard !isCancelled else { return body() }
    resting.add(
      body, real: RunnerClock.now(), used: TreeProcessorTime.ofLiving(kernel.processes.keys))
    kernel.leaveProcessorSoon()
  }

  /// Completes the waits for quiescence.
  func reportRest() {
    kernel.forgetQuiescence()
    stillSince = nil
    kernel.leaveProcessorSoon()
    for body in resting.take(isAtRest: true) { body() }
  }

  /// Completes the waits for quiescence if it can no longer be expected, or, where nothing else
  /// looks for it, if it has come; true if they were completed.
  func reportRestInTime(isLookedFor: Bool) -> Bool {
    guard !resting.isEmpty else { return false }
    if resting.isPatienceOver(
      flows: kernel.clock.flows, real: RunnerClock.now(),
      used: TreeProcessorTime.ofLiving(kernel.processes.keys))
    {
      kernel.forgetQuiescence()
      for body in resting.take(isAtRest: false) { body() }
      return true
    }
    guard !isLookedFor, !kernel.hasJustPlaced, kernel.isAtRest, !kernel.hasUnseenOutput() else {
      return false
    }
    reportRest()
    return true
  }

  // MARK: - While everything sleeps

  /// Gives up where time moves and nothing else does; true if an operation has.
  func endLivelock() -> Bool {
    computing.forget(but: kernel.spinners.held.threads)
    if kernel.spinners.isEmpty { readers.forget() }
    guard livelock.isInLivelock(progress), let operation = first else { return false }
    operation.isEndless(livelock.report(now: kernel.virtualNow))
    remove(operation)
    return true
  }

  /// Returns how far time is to move.
  func demand() -> TimeDemand {
    guard let operation = first else { return .stand }
    let demand = operation.demand(kernel)
    if demand == .finished {
      remove(operation)
      stillSince = nil
    }
    return demand
  }

  /// The interval at which it is checked whether a process outside may still wake something: a
  /// check goes through the descriptors of many processes.
  private static let stuckLookInterval = Nanoseconds.milliseconds(250)

  /// Ends the first operation, while time does not move, if everything is stuck; true if it does.
  ///
  /// - Parameter begin: called when nothing moves any more.
  func endIfStuck(_ begin: () -> Void) -> Bool {
    guard let operation = first else { return false }
    let real = RunnerClock.now()
    guard let since = stillSince else {
      stillSince = real
      begin()
      return false
    }
    guard real - since >= stuckAfter, real >= nextStuckLook else { return false }
    nextStuckLook = real + Self.stuckLookInterval
    guard operation.isStuck(kernel) else { return false }
    remove(operation)
    stillSince = nil
    return true
  }

  /// Ends a wait for the target, while time flows, if nothing will wake any of its threads; true if
  /// it does.
  func endIfStuckWhileTimeFlows() -> Bool {
    let watched = operations.first { ($0 as? AwaitTarget)?.endsAtStandstill ?? false }
    guard let operation = watched else {
      standstill = StandstillWatch()
      return false
    }
    guard standstill.lasts(among: kernel.tracees, real: RunnerClock.now()), kernel.isSettled,
      kernel.isMailboxEmpty, !kernel.hasUnseenOutput(), operation.isStuck(kernel)
    else { return false }
    remove(operation)
    return true
  }

  /// Makes time pass, while not everything sleeps, as far as the computing threads have used the
  /// processor; true if anything was woken or finished, or time has moved.
  func passTimeBesideComputing() -> Bool {
    first.map { passTimeBesideComputing(for: $0) } ?? false
  }
}
