internal import Foundations
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

extension CaseRunner {
  /// Performs a step as often as it says, and checks each time what must hold behind it; false if the case ends here.
  func performAsOften(
    _ step: PlannedStep, in world: CaseEnvironment, once: () -> Void
  ) -> Bool {
    guard let settings = step.settings else {
      once()
      return true
    }
    let whole = deadline
    defer { deadline = whole }
    if let timeout = settings.timeout {
      stepTimeout = timeout
      deadline = min(whole, RealTime.monotonic() + timeout)
    }
    defer { stepTimeout = nil }
    for _ in 0..<settings.count {
      let before = log.failures.count
      trying(settings.retry, world, step, once)
      guard log.failures.count == before else { return false }
    }
    return true
  }

  /// Performs a step until nothing of it fails, or for the last time; what failed before is forgotten.
  private func trying(
    _ retry: StepRetry?, _ world: CaseEnvironment, _ step: PlannedStep, _ once: () -> Void
  ) {
    guard let retry else { return once() }
    for attempt in 1...retry.attempts {
      let before = log.failures.count
      let former = records
      let mark = world.snapshots.mark
      log.holdsFailures = attempt < retry.attempts
      once()
      log.holdsFailures = false
      let hasFailed = log.failures.count > before
      guard hasFailed, attempt < retry.attempts, !cancellation.isCancelled,
        RealTime.monotonic() < deadline
      else {
        if hasFailed, attempt < retry.attempts { log.releaseFailures(from: before) }
        return
      }
      log.forgetFailures(from: before)
      world.snapshots.forget(since: mark)
      forgetEnds(since: former, in: world)
      guard let interval = retry.interval else { continue }
      let result = world.supervisor.tick(
        .duration(interval), deadline: deadline, meanwhile: log.flush)
      do throws(Failure) {
        try require(result, "the pause between two tries", step)
      } catch {
        log.fail(error)
        return
      }
    }
  }

  /// Forgets how targets have ended in a try that is forgotten, and what was said in it of earlier ends.
  private func forgetEnds(since former: [TargetRecord], in world: CaseEnvironment) {
    for index in records.indices {
      let isFormer = records[index].startCount == former[index].startCount
      records[index].isEndSettled =
        isFormer
        ? former[index].isEndSettled
        : world.supervisor.exitStatus(of: TargetNumber(index)) != nil
      // One that still lives may end before the next try.
      if !isFormer { records[index].isOfForgottenTry = true }
    }
  }

  /// Returns whether a step is performed at all.
  func isPerformed(_ step: PlannedStep, in world: CaseEnvironment) throws(Failure) -> Bool {
    guard let settings = step.settings else { return true }
    guard !settings.isSkipped else { return false }
    guard let condition = settings.condition else { return true }
    let value: Value
    do throws(RunScopeError) {
      value = try condition.resolve(in: world.scope)
    } catch {
      throw Failure(
        category: .error, type: "Expression", message: error.message, range: error.range,
        help: error.help)
    }
    guard case .bool(let isPerformed) = value else {
      throw Failure(
        category: .error, type: "Expression",
        message: "\"if\" is \(value.kindWithArticle), not true or false", range: condition.range,
        help: "write a condition, as in if: ${{ int(capture.count) > 1 }}")
    }
    return isPerformed
  }
}
