internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

/// A target that ends by itself, and badly, must not pass for one that did its work.
extension CaseRunner {
  /// Reports, before the targets are asked to end, those that have ended already: badly, unasked, and without a
  /// condition that was checked on their ends.
  func reportUnexpectedEnds(in world: CaseEnvironment) {
    for index in startOrder {
      guard let status = unaccountedEnd(ofTarget: index, in: world) else { continue }
      reportUnexpectedEnd(status, ofTarget: index)
    }
  }

  /// Fails if the former start of a target, which is to be started again, ended in that way: nobody could tell any
  /// more.
  func requireAccountedEnd(
    ofTarget index: Int, in world: CaseEnvironment
  ) throws(Failure) {
    guard !records[index].isOfForgottenTry,
      let status = unaccountedEnd(ofTarget: index, in: world), !cancellation.isCancelled,
      let step = records[index].startStep
    else { return }
    // What follows a failure is not to fail because of it.
    guard log.failures.isEmpty else { return reportUnexpectedEnd(status, ofTarget: index) }
    records[index].isEndSettled = true
    throw unexpected(status, ofTarget: index, step, isRestarted: true)
  }

  /// Returns how a target has ended, if that is bad and nothing accounts for it: no condition that was checked on it,
  /// no signal that asked for it, and no fault of a `process:` entry that has struck it.
  func unaccountedEnd(ofTarget index: Int, in world: CaseEnvironment) -> ExitStatus? {
    guard isJudged, !records[index].isEndSettled,
      let status = world.supervisor.exitStatus(of: TargetNumber(index)),
      status != .exited(code: 0), !isAskedFor(status, ofTarget: index, in: world)
    else { return nil }
    return status
  }

  /// Returns whether a signal of a step, or of a fault, asked a target to end in this way.
  ///
  /// The signal accounts for death by itself and for the exit code by which shells report it. A target that is itself
  /// asked to end may do so with any exit code.
  private func isAskedFor(
    _ status: ExitStatus, ofTarget index: Int, in world: CaseEnvironment
  ) -> Bool {
    var own = records[index].signals
    var all = own.union(records[index].indirectSignals)
    if !plannedCase.chaos.isEmpty {
      let target = world.snapshot(of: TargetNumber(index))
      own.formUnion(target.ownFaultSignals)
      all.formUnion(target.faultSignals)
    }
    switch status {
    case .signaled(let number): return all.contains(number)
    case .exited(let code):
      let stop = plannedCase.targets[index].stop ?? .usual
      return all.contains(code - 128)
        || !own.isDisjoint(with: Self.endingSignals.union([stop.signal]))
    }
  }

  /// The signals of signal(7) whose purpose is that a program ends, and that it may handle.
  private static let endingSignals: Set<Int32> = [SIGINT, SIGQUIT, SIGTERM]

  /// Reports if a target that was asked to end crashed over that: its exit code is its own affair then, and so is
  /// the end by the signal that asked.
  func reportCrash(ofTarget index: Int, askedBy signal: Int32, in world: CaseEnvironment) {
    guard let status = crash(ofTarget: index, askedBy: signal, in: world) else { return }
    reportUnexpectedEnd(status, ofTarget: index)
  }

  /// The same of a target that a step has stopped.
  func requireNoCrash(
    in step: PlannedStep, askedBy signal: Int32, in world: CaseEnvironment
  ) throws(Failure) {
    guard !plannedCase.maySpeakOfEnd(behind: step),
      let status = crash(ofTarget: step.target ?? 0, askedBy: signal, in: world)
    else { return }
    self[step].isEndSettled = true
    throw unexpected(status, ofTarget: step.target ?? 0, step)
  }

  private func crash(
    ofTarget index: Int, askedBy signal: Int32, in world: CaseEnvironment
  ) -> ExitStatus? {
    let status = unaccountedEnd(ofTarget: index, in: world)
    guard case .signaled(let number)? = status, number != signal,
      Self.crashSignals.contains(number)
    else { return nil }
    return status
  }

  /// The signals of signal(7) that the kernel, or abort(3), sends to a program that went wrong.
  private static let crashSignals: Set<Int32> = [
    SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP,
  ]

  /// Returns the failure of a target that ended in a way that no expectation allows.
  ///
  /// - Parameter isRestarted: whether it is to be started again.
  func unexpected(
    _ status: ExitStatus, ofTarget index: Int, _ step: PlannedStep, isRestarted: Bool = false
  ) -> Failure {
    let who = plannedCase.mention(ofTarget: index)
    if case .exited(let code) = status,
      let obstacle = Failure(withoutExecution: code, of: who, in: folder.path)
    {
      return obstacle.at(step.range)
    }
    let failure = Failure(unexpected: status, of: who, step.range)
    // Whoever has said it at the end would be told to do what has been done.
    guard isRestarted || plannedCase.expect.contains(where: { $0.speaksOfEnd(ofTarget: index) })
    else { return failure }
    return failure.with(
      help: failure.help.map {
        "\($0) to the step that starts it, or to one that waits for its end: what is expected at"
          + " the end is about the last start before it"
      })
  }

  private func reportUnexpectedEnd(_ status: ExitStatus, ofTarget index: Int) {
    guard !cancellation.isCancelled, let step = records[index].startStep else { return }
    records[index].isEndSettled = true
    let failure = unexpected(status, ofTarget: index, step)
    guard !log.failures.isEmpty else { return log.fail(failure) }
    // It may be the reason of what has failed, and is not to be counted twice; a condition on it may not have been
    // reached.
    guard !plannedCase.maySpeakOfEnd(behind: step),
      !log.failures.contains(where: { $0.message.contains(status.text) })
    else { return }
    log.add(.warning(failure.message, range: step.range))
  }
}

extension PlannedExpectation {
  /// True if it says how a target, or a command, ends.
  var isAboutItsEnd: Bool {
    switch subject {
    case .exit, .signal, .tolerated: true
    default: false
    }
  }

  /// Returns whether it, or a condition in it, says how a target ends.
  fileprivate func speaksOfEnd(ofTarget index: Int) -> Bool {
    if case .repeated(_, let inner) = subject {
      return inner.contains { $0.speaksOfEnd(ofTarget: index) }
    }
    return isAboutItsEnd && target ?? 0 == index
  }
}

extension PlannedCase {
  /// A moment of a case: a step is performed, or conditions are checked.
  private enum Moment {
    case step(PlannedStep)
    case check([PlannedExpectation])
  }

  /// The moments of steps in their order: what is expected of a block comes behind the steps in it.
  private static func moments(of steps: [PlannedStep]) -> [Moment] {
    steps.flatMap { step -> [Moment] in
      if step.settings?.isSkipped ?? false { return [] }
      var inner: [Moment] = []
      if case .block(_, let steps) = step.action { inner = moments(of: steps) }
      // What a step says of its own command is said of no target.
      let isCommand = if case .exec = step.action { true } else { false }
      let conditions = step.expect.filter {
        !isCommand || $0.target != nil || !$0.isAboutTarget
      }
      return [.step(step)] + inner + [.check(conditions)]
    }
  }

  /// Returns whether something may say how the start of a target ends that ends in a step: the step itself, or what
  /// comes behind it before the next start.
  ///
  /// Whether it has said so is known once it was checked.
  func maySpeakOfEnd(behind step: PlannedStep) -> Bool {
    let index = step.target ?? 0
    let own = Self.moments(of: steps) + [.check(expect)] + Self.moments(of: always ?? [])
    // An exploration performs its steps after those of the case.
    let explored = Self.moments(of: exploration?.then ?? [])
    return Self.mayCheckEnd(ofTarget: index, startedBy: step, in: own)
      || Self.mayCheckEnd(ofTarget: index, startedBy: step, in: explored)
  }

  private static func mayCheckEnd(
    ofTarget index: Int, startedBy step: PlannedStep, in moments: [Moment]
  ) -> Bool {
    // Steps that several places share have the same range.
    moments.indices.contains { start in
      guard case .step(let first) = moments[start], first.range == step.range,
        first.target ?? 0 == index
      else { return false }
      for moment in moments[(start + 1)...] {
        switch moment {
        case .step(let next):
          if next.startsTarget, next.target ?? 0 == index { return false }
        case .check(let conditions):
          if conditions.contains(where: { $0.speaksOfEnd(ofTarget: index) }) { return true }
        }
      }
      return false
    }
  }
}

extension PlannedStep {
  fileprivate var startsTarget: Bool {
    switch action {
    case .run, .start: true
    default: false
    }
  }
}

extension Failure {
  /// Creates an error of the machine's for a target that ended as shells do that cannot execute a program
  /// (POSIX.1-2017, XCU 2.8.2), where the folder that it worked in does not let programs run; `nil` elsewhere.
  init?(withoutExecution code: Int32, of who: String, in folder: String) {
    guard code == 126, MountFlags(of: folder)?.contains(.noExecution) ?? false else { return nil }
    self.init(
      category: .error, type: MachineObstacle.failureType,
      message: """
        \(who) exited with 126: shells do so for a program that cannot be executed, and the case's \
        folder is mounted with noexec
        """,
      help: "set TMPDIR to a folder from which programs can run")
  }

  /// Creates a failure of a target that ended in a way that no expectation allows.
  init(unexpected status: ExitStatus, of who: String, _ range: SourceRange) {
    let help: String
    switch status {
    case .exited(let code): help = "if this exit code is expected, add `expect: { exit: \(code) }`"
    case .signaled(let number):
      help = "if this signal is expected, add `expect: { signal: \(SignalNames.name(of: number)) }`"
    }
    self.init(
      category: .expectation, type: "expect.exit",
      message: "\(who) \(status.text) unexpectedly", range: range, help: help)
  }
}
