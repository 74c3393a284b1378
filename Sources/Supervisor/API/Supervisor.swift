internal import CSupervisor
package import Foundations
internal import Glibc
package import ScenarioModel
internal import ScenarioPlan

/// Holds the process tree of one scenario at the kernel boundary: its time, its connections, the
/// calls that fail.
///
/// A supervisor has a thread of its own, because ptrace(2) ties a tree to one thread. Its methods may
/// be called from any other thread, one at a time, and return when the tree has done what was asked.
/// No tracee outlives it: they die with the runner (PTRACE_O_EXITKILL).
package final class Supervisor: Sendable {
  let mailbox: Mailbox
  /// True if it matters to anything which steps are being performed.
  private let followsSteps: Bool
  /// True if the machine may crash, so that it matters what is durable.
  private let mayCrash: Bool
  /// The loopback addresses that targets bind.
  private let loopback: LoopbackUse
  private let thread: SupervisorThread

  /// Prepares the process for supervisors: call it before any other thread exists.
  ///
  /// Further calls do nothing.
  ///
  /// From then on the process is closed to others of its user, and leaves no core dump (prctl(2): PR_SET_DUMPABLE).
  package static func prepareProcess() { _ = isPrepared }

  /// True once the process is prepared.
  ///
  /// umask(2) returns a mask only by setting another one: two threads that did so at once could leave the process
  /// without any.
  private static let isPrepared: Bool = {
    // What others may not do is the user's choice; a runner that may not use its own folders could do nothing.
    umask(umask(0) & 0o077)
    scenario_raise_file_limit()
    scenario_prepare_memory()
    _ = scenario_prepare_wakeups()
    _ = scenario_close_process()
    Glibc.signal(SIGPIPE, SIG_IGN)
    // setrlimit(2): a write beyond RLIMIT_FSIZE fails with EFBIG then, and can be reported.
    Glibc.signal(SIGXFSZ, SIG_IGN)
    return true
  }()

  /// From now on descendants of the process fall to it whose parents have ended (prctl(2): PR_SET_CHILD_SUBREAPER): those
  /// of targets are gone as soon as they end, as their supervisor takes their ends.
  package static func adoptOrphans() { scenario_adopt_orphans() }

  /// Returns the number of threads that can be made beside those that exist, found out by making
  /// them.
  ///
  /// - Parameter wanted: the largest number to make.
  package static func countThreads(atMost wanted: Int) -> Int {
    Int(scenario_count_threads(Int32(clamping: wanted)))
  }

  /// Starts a process that ends this one, as SIGTERM does, once it has been stopped alone (SIGSTOP)
  /// for five seconds: call it once, before any other thread exists.
  ///
  /// Where no process can be made, there is no watch.
  package static func watchProcess() {
    _ = scenario_start_watchdog()
  }

  /// Starts a supervisor's thread.
  ///
  /// - Parameter configuration: the scenario's world.
  /// - Throws: `LaunchError.failed` if the system has no descriptor or thread left.
  package init(_ configuration: SupervisorConfiguration) throws(LaunchError) {
    let mailbox = try Mailbox()
    self.mailbox = mailbox
    followsSteps = !configuration.chaos.isEmpty
    loopback = configuration.loopback
    mayCrash = configuration.chaos.contains { !$0.crashes.isEmpty }
    if configuration.chaos.contains(where: {
      $0.target.kind == .processes && $0.schedule.event != nil
    }) {
      // Processes are struck as soon as a reply goes out, whatever they do.
      configuration.replies.listen { mailbox.post(isLook: true) { _ in } }
    }
    thread = try SupervisorThread {
      TracerLoop(configuration: configuration, mailbox: mailbox).run()
      mailbox.close()
    }
  }

  /// Kills the whole tree, waits until it is gone, and ends the thread.
  ///
  /// May be called once.
  package func stop() {
    mailbox.end()
    mailbox.post { $0.stop() }
    thread.join()
  }

  /// The witness of commands outside of the environment that start now; `nil` if nothing of what they do matters.
  package var commandWitness: CommandWitness? {
    var subjects: CommandWitness.Subjects = []
    if mayCrash { subjects.insert(.files) }
    if loopback.leadsCommands { subjects.insert(.connections) }
    return subjects.isEmpty ? nil : CommandWitness(mailbox, of: subjects)
  }

  // MARK: - The target

  /// Starts a target; returns when its program runs.
  ///
  /// - Throws: `LaunchError`, with the errno of the step that failed.
  package func start(
    _ request: LaunchRequest, as target: TargetNumber = .first
  ) throws(LaunchError) {
    let result = OneShot<LaunchError?>()
    mailbox.post { $0.launch(request, as: target, isRestart: false, result) }
    if let error = result.value() { throw error }
  }

  /// Waits until a target's first process has ended.
  ///
  /// - Parameters:
  ///   - target: whose.
  ///   - deadline: the bound, on the runner's clock.
  ///   - meanwhile: called on this thread, several times a second, until it has ended.
  package func awaitExit(
    of target: TargetNumber = .first, deadline: Nanoseconds, meanwhile: () -> Void = {}
  ) -> WaitResult {
    awaitExit(of: target, deadline: deadline, endsAtStandstill: true, meanwhile: meanwhile)
  }

  /// Waits until a target's first process has ended; `endsAtStandstill` is whether the wait ends where nothing will wake
  /// the target, also while time flows.
  func awaitExit(
    of target: TargetNumber, deadline: Nanoseconds, endsAtStandstill: Bool, meanwhile: () -> Void
  ) -> WaitResult {
    wait(for: target, deadline: deadline, endsAtStandstill: endsAtStandstill, meanwhile) {
      $0.targets[target].map { $0.status != nil }
    }
  }

  /// Waits until a stream of a target has more than `count` bytes.
  ///
  /// - Parameters:
  ///   - target: the target.
  ///   - stream: its stream.
  ///   - count: the number of bytes that have been read.
  ///   - deadline: the bound, on the runner's clock.
  ///   - meanwhile: called on this thread, several times a second, until it has more.
  package func awaitOutput(
    of target: TargetNumber = .first, _ stream: StandardStream, beyond count: Int,
    deadline: Nanoseconds, meanwhile: () -> Void = {}
  ) -> WaitResult {
    wait(for: target, deadline: deadline, meanwhile) { loop in
      guard let target = loop.targets[target] else { return nil }
      if target.captured(stream).kept > count { return true }
      return target.status == nil ? false : nil
    }
  }

  /// Sends a signal to a target's first process; false if it has ended.
  package func signal(_ number: Int32, to target: TargetNumber = .first) -> Bool {
    ask { loop in
      guard let target = loop.targets[target], target.status == nil, !target.awaitsRestart else {
        return false
      }
      return kill(target.process.number, number) == 0
    }
  }

  /// Writes to a target's standard input; false if it is closed.
  package func send(_ bytes: [UInt8], to target: TargetNumber = .first) -> Bool {
    ask { loop in
      loop.takeQuestions(of: target)
      return loop.targets[target]?.send(bytes) ?? false
    }
  }

  /// Closes a target's standard input behind what was sent; false if it is closed already.
  package func closeInput(of target: TargetNumber = .first) -> Bool {
    ask { loop in
      loop.takeQuestions(of: target)
      return loop.targets[target]?.finishInput() ?? false
    }
  }

  /// Closes the runner's end of a stream that a target writes to, which then has no reader
  /// (SIGPIPE, or EPIPE of write(2)); false if it is closed already.
  package func close(_ stream: StandardStream, of target: TargetNumber = .first) -> Bool {
    ask { $0.targets[target]?.captured(stream).stopReading() ?? false }
  }

  /// Returns the status with which a target's first process ended; `nil` while it lives, or before
  /// it was started.
  package func exitStatus(of target: TargetNumber = .first) -> ExitStatus? {
    look { $0.targets[target]?.status }
  }

  /// Returns the bytes that a target has written since it was started.
  package func output(
    _ stream: StandardStream, of target: TargetNumber = .first
  ) -> CapturedOutput {
    look { loop in
      CapturedOutput(loop.targets[target]?.captured(stream))
    }
  }

  // MARK: - Time

  /// Waits until everything sleeps; no virtual time passes.
  package func settle(deadline: Nanoseconds, meanwhile: () -> Void = {}) -> WaitResult {
    passTime(deadline: deadline, meanwhile) { _ in .settle }
  }

  /// Advances virtual time: every deadline within it comes due at its own instant, one at a time.
  ///
  /// The next deadline cannot come where there is none: then the result is that everything is stuck.
  package func tick(
    _ amount: TickAmount, deadline: Nanoseconds, meanwhile: () -> Void = {}
  ) -> WaitResult {
    passTime(deadline: deadline, meanwhile) { loop in
      switch amount {
      case .duration(let length):
        .instant(loop.clock.monotonic(real: RealClock.monotonic()) + length)
      case .next: .next
      case .idle: .idle
      }
    }
  }

  /// Steps the wall clock, holds the clocks or lets them go; false, and nothing happens, if the wall
  /// clock would show what clocks cannot.
  @discardableResult
  package func change(_ change: ClockChange) -> Bool {
    ask { $0.apply(change) }
  }

  /// Calls back, on the supervisor's thread, when this much virtual time has passed.
  package func schedule(after delay: Nanoseconds, _ body: @escaping @Sendable () -> Void) {
    mailbox.post { $0.schedule(after: delay, body) }
  }

  /// Calls back like `schedule`, unless it is called off before.
  package func appoint(
    after delay: Nanoseconds, _ body: @escaping @Sendable () -> Void
  ) -> ScheduledTask {
    ScheduledTask(after: delay, on: mailbox, body)
  }

  /// Calls back, on the supervisor's thread, once the whole tree sleeps and nothing is due at this instant
  /// any more; after a bound also if it never does.
  package func whenAtRest(_ body: @escaping @Sendable () -> Void) {
    mailbox.post { $0.awaitRest(body) }
  }

  /// Waits until the whole tree sleeps and nothing is under way to it, or for a bound.
  package func awaitRest() {
    let result = OneShot<Bool>()
    whenAtRest { result.leave(true) }
    _ = result.value()
  }

  // MARK: - Chaos

  /// Applies chaos entries from their beginning, with another seed if there is one.
  package func applyChaos(_ selection: ChaosSelection, seed: Int64?) {
    ask { $0.faults.apply(selection, seed: seed, hasLaunched: $0.hasLaunched) }
  }

  /// Reverts chaos entries.
  package func revertChaos(_ selection: ChaosSelection) {
    ask { $0.faults.revert(selection) }
  }

  /// Enters a step; steps may be nested.
  package func enterStep(_ name: String) {
    guard followsSteps else { return }
    ask { $0.faults.processes.enterStep(name) }
  }

  /// The step that began last has ended.
  package func leaveStep() {
    guard followsSteps else { return }
    ask { $0.faults.processes.leaveStep() }
  }

  // MARK: - The account

  /// Returns the state of a target, and of all targets together, at one moment.
  package func snapshot(of target: TargetNumber = .first) -> TargetSnapshot {
    look { loop in
      let target = loop.targets[target]
      return TargetSnapshot(
        exitStatus: target?.status, endedAt: target?.end?.time,
        faultSignals: target?.faultSignals ?? [], ownFaultSignals: target?.ownFaultSignals ?? [],
        output: CapturedOutput(target?.output), errorOutput: CapturedOutput(target?.errorOutput),
        faults: loop.faults.account(),
        control: loop.control, waits: loop.record.waits,
        network: loop.interceptors.find(NetworkRedirector.self)?.account ?? ConnectionAccount(),
        limits: loop.interceptors.find(ResourceLimits.self)?.accounts ?? [],
        outside: loop.interceptors.find(FileContainment.self)?.account ?? OutsideAccount(),
        screen: target?.output.screen)
    }
  }

  /// Returns how the process that has made a connection learned whom to trust; `nil` if there was
  /// none by that number.
  package func trust(ofConnection number: Int) -> TrustReport? {
    look { loop in loop.interceptors.find(NetworkRedirector.self)?.trust(ofConnection: number) }
  }

  /// Cancels all waits for the target, now or later; may be called from any thread at any time.
  package func cancel() {
    mailbox.end()
    mailbox.post { $0.cancelWaits() }
  }

  // MARK: - Parts

  /// Runs on the supervisor's thread and returns its answer.
  func ask<Answer: Sendable>(
    isLook: Bool = false, _ body: @escaping @Sendable (any TargetControl) -> Answer
  ) -> Answer {
    let result = OneShot<Answer>()
    mailbox.post(isLook: isLook) { result.leave(body($0)) }
    return result.value()
  }

  /// Asks for what is known, and changes nothing; on this thread where the supervisor's sleeps.
  func look<Answer: Sendable>(
    _ body: @escaping @Sendable (any TargetControl) -> Answer
  ) -> Answer {
    mailbox.resting.ask(mailbox, body) ?? ask(isLook: true, body)
  }

  /// Runs on the supervisor's thread.
  func post(_ body: @escaping @Sendable (any TargetControl) -> Void) {
    mailbox.post(body)
  }

  private func wait(
    for target: TargetNumber, deadline: Nanoseconds, endsAtStandstill: Bool = true,
    _ meanwhile: () -> Void, until hasHappened: @escaping @Sendable (any TargetView) -> Bool?
  ) -> WaitResult {
    let result = OneShot<WaitResult>()
    // It is one that lets time pass, which it does at rest.
    mailbox.post(isLook: true) { loop in
      loop.begin(
        AwaitTarget(
          of: target, deadline: deadline, endsAtStandstill: endsAtStandstill, result: result,
          hasHappened: hasHappened))
    }
    return result.value(meanwhile: meanwhile)
  }

  private func passTime(
    deadline: Nanoseconds, _ meanwhile: () -> Void,
    goal: @escaping @Sendable (any TargetControl) -> PassTime.Goal
  ) -> WaitResult {
    let result = OneShot<WaitResult>()
    mailbox.post { loop in
      loop.begin(PassTime(goal: goal(loop), deadline: deadline, result: result))
    }
    return result.value(meanwhile: meanwhile)
  }
}
