internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

/// A target that ends by itself, and badly, must not pass for one that did its work.
extension CaseRunner {
  /// Reports, before the targets are asked to end, those that have ended already: badly, unasked,
  /// and without a condition on their ends.
  func reportUnexpectedEnds(in world: CaseEnvironment) {
    recordEnds(in: world)
    for index in startOrder {
      guard let status = records[index].ownEnd, status != .exited(code: 0) else { continue }
      reportUnexpectedEnd(status, ofTarget: index)
    }
  }

  /// Records, once, before the tree is asked to end, the targets that have ended without that.
  func recordEnds(in world: CaseEnvironment) {
    guard !hasNotedEnds else { return }
    hasNotedEnds = true
    for index in startOrder {
      records[index].ownEnd = world.supervisor.exitStatus(of: TargetNumber(index))
    }
  }

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
    guard isJudged, !plannedCase.speaksOfEnd(of: step),
      let status = crash(ofTarget: step.target ?? 0, askedBy: signal, in: world)
    else { return }
    throw Failure(unexpected: status, of: who(step), step.range)
  }

  private func crash(
    ofTarget index: Int, askedBy signal: Int32, in world: CaseEnvironment
  ) -> ExitStatus? {
    let status = world.supervisor.exitStatus(of: TargetNumber(index))
    guard case .signaled(let number)? = status, number != signal,
      Self.crashSignals.contains(number)
    else { return nil }
    return status
  }

  /// The signals of signal(7) that the kernel, or abort(3), sends to a program that went wrong.
  private static let crashSignals: Set<Int32> = [
    SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP,
  ]

  private func reportUnexpectedEnd(_ status: ExitStatus, ofTarget index: Int) {
    guard isJudged, !cancellation.isCancelled, !records[index].wasSignalled,
      let step = records[index].startStep, !plannedCase.speaksOfEnd(of: step),
      !plannedCase.chaos.contains(where: { $0.target.kind == .processes })
    else { return }
    let failure = Failure(unexpected: status, of: plannedCase.mention(ofTarget: index), step.range)
    guard !log.failures.isEmpty else { return log.fail(failure) }
    // It may be the reason of what has failed, and is not to be counted twice.
    guard !log.failures.contains(where: { $0.message.contains(status.text) }) else { return }
    log.add(.warning(failure.message, range: step.range))
  }
}

extension Failure {
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
      message: "\(who) \(status.text), and nothing expects it", range: range, help: help)
  }
}
