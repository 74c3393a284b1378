internal import Foundations
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

extension CaseRunner {
  /// What the programs of handlers have written to standard error last: the first failure alone shows it.
  func handlerErrors(in world: CaseEnvironment) -> [String] {
    log.failures.isEmpty ? world.handlerErrors : []
  }

  /// Real time that processes about to end have once the target has ended.
  static let stragglerPatience = Nanoseconds.milliseconds(200)

  /// The description of the case in its first event.
  var description: CaseDescription {
    var description = CaseDescription(plannedCase, index: number - 1)
    let words = options.decisiveWords + (plannedCase.date.map { ["--dates", "\($0)"] } ?? [])
    description.options = words.isEmpty ? nil : words
    description.attempt = attempt
    let limit = 1 + options.retries(of: plannedCase)
    description.attemptLimit = limit > 1 ? limit : nil
    return description
  }

  /// Ends the tree where the case is out of time, or the run is being stopped.
  ///
  /// - Parameter original: the failure before it was put into the case's own words.
  ///
  /// - Returns: The failure, which lists the processes that needed SIGKILL.
  func endingTree(of world: CaseEnvironment, because failure: Failure, _ original: Failure)
    -> Failure
  {
    guard isJudged, hasStarted, ["Timeout", "Interrupted"].contains(original.type),
      !(endsAtOnce && cancellation.isCancelled)
    else {
      return failure
    }
    log.inbox.holdLastEvents()
    return failure.with(killed: endTree(of: world))
  }

  /// Ends the tree where a run is stopped between two steps.
  func endInterruptedTree(of world: CaseEnvironment) {
    guard isJudged, hasStarted, cancellation.isCancelled, !endsAtOnce else { return }
    _ = endTree(of: world)
  }

  /// Asks each target to end in its own way, and gives all of them the time that the slowest of them may take.
  private func endTree(of world: CaseEnvironment) -> [LiveProcess] {
    var signals: [TargetNumber: Int32] = [:]
    var graces: [Nanoseconds] = []
    world.mockServer?.catchUp()
    world.findings.endTargets()
    for index in startOrder where world.supervisor.exitStatus(of: TargetNumber(index)) == nil {
      // How it ends now is the runner's doing.
      records[index].isEndSettled = true
      let stop = plannedCase.targets[index].stop
      signals[TargetNumber(index)] = stop?.signal
      graces.append(stop?.grace ?? grace)
    }
    return world.supervisor.endTree(
      signals: signals, others: nil, grace: graces.max() ?? grace)
  }

  /// Reports, if the case has passed up to here, the processes that outlive its target.
  func reportLeaks(in world: CaseEnvironment) {
    let rule = plannedCase.execution?.leak ?? options.leak
    guard rule != .ignore, isJudged, hasStarted, log.failures.isEmpty,
      // Who says how many are left has thought of them.
      !plannedCase.expectsProcessesLeft
    else { return }
    let left = world.supervisor.leftBehind(patience: Self.stragglerPatience)
    guard !left.isEmpty else { return }
    let leak = Leak(
      processes: left.map {
        LeakedProcess(
          program: $0.program, ordinal: $0.ordinal, process: $0.number, arguments: $0.arguments)
      })
    log.add(.leaked(leak))
    guard rule == .fail else { return }
    log.fail(
      Failure(
        category: .expectation, type: "leak", message: leak.text,
        range: plannedCase.target.commandRange, details: leak.processes.prefix(20).map(\.text),
        help: "let the target end them and wait for them, or set `leaks: ignore`"))
  }

  /// Ends the targets that still run, the one that was started last first, and reports those that
  /// had to be killed.
  func endTargets(in world: CaseEnvironment) {
    reportUnexpectedEnds(in: world)
    world.mockServer?.catchUp()
    world.findings.endTargets()
    for index in startOrder.reversed() {
      let target = TargetNumber(index)
      let stop = plannedCase.targets[index].stop ?? .usual
      let who = plannedCase.mention(ofTarget: index)
      guard !cancellation.isCancelled else { return }
      let reason: TargetEnding.KillReason
      switch world.supervisor.end(target, by: stop.signal, grace: stop.grace) {
      case .wasOver: continue
      case .ended:
        reportCrash(ofTarget: index, askedBy: stop.signal, in: world)
        continue
      case .killed(let killReason): reason = killReason
      }
      let why: String
      switch reason {
      case .graceOver: why = "it did not exit within \(stop.grace) of SIG\(stop.signalName)"
      case .stuck:
        why =
          "it got SIG\(stop.signalName), and then blocked while virtual time was frozen"
      case .cancelled: continue
      }
      log.add(
        .warning(
          "\(who) was killed at the end: \(why)",
          range: plannedCase.targets[index].commandRange))
    }
  }

  /// Time between SIGTERM and SIGKILL.
  var grace: Nanoseconds { plannedCase.execution?.grace ?? options.grace }
}

extension RunOptions {
  /// The number of further attempts at a case that does not pass.
  func retries(of plannedCase: PlannedCase) -> Int {
    plannedCase.execution?.retries ?? retries
  }
}

extension Failure {
  /// Returns the failure with the processes that SIGTERM did not end.
  fileprivate func with(killed processes: [LiveProcess]) -> Failure {
    guard !processes.isEmpty else { return self }
    var copy = self
    copy.details.append("SIGTERM did not end these; SIGKILL did:")
    copy.details += processes.prefix(20).map {
      "  \($0.program) (process \($0.ordinal)): \($0.arguments.joined(separator: " "))"
    }
    if processes.count > 20 { copy.details.append("  and \(processes.count - 20) more") }
    return copy
  }
}

extension PlannedCase {
  /// True if some expectation says how many processes are left.
  fileprivate var expectsProcessesLeft: Bool {
    func isAboutThem(_ expectation: PlannedExpectation) -> Bool {
      if case .processes(.left, _) = expectation.subject { true } else { false }
    }
    return (steps.flatMap(\.expect) + expect).contains(where: isAboutThem)
  }
}
