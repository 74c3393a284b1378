internal import Foundations
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

/// Checks conditions again and again, and lets virtual time pass in between.
struct RepeatedChecking {
  let runner: CaseRunner
  let world: CaseEnvironment

  /// Returns the reasons why the conditions do not hold once, or all the time.
  func failures(
    of expectations: [PlannedExpectation], _ check: RepeatedCheck, at range: SourceRange
  ) -> [Failure] {
    let begin = world.view.reading().elapsed
    while true {
      world.catchUp()
      let mark = world.snapshots.mark
      let found = expectations.flatMap(runner.checks(of: expectations, in: world))
      let passed = world.view.reading().elapsed - begin
      switch check.quantity {
      case .eventually where found.isEmpty: return []
      case .always where !found.isEmpty:
        return described(found, "always", passed == .zero ? "at once" : "after \(passed)")
      case .eventually where passed >= check.length:
        return described(found, "eventually", "still the case after \(passed)")
      case .always where passed >= check.length: return []
      // What was shown before all of it holds is not what is expected.
      case .eventually: world.snapshots.forget(since: mark)
      case .always: break
      }
      do {
        try pass(min(check.interval, check.length - passed), at: range)
      } catch {
        return [error]
      }
    }
  }

  /// Advances virtual time, up to a moment of quiescence.
  private func pass(_ length: Nanoseconds, at range: SourceRange) throws(Failure) {
    let result = world.supervisor.tick(
      .duration(length), deadline: runner.deadline, meanwhile: runner.log.flush)
    if let failure = Failure(
      result, awaiting: "the next check", timeout: runner.plannedCase.timeout, range: range)
    {
      throw failure
    }
    try runner.settle(world, range: range)
  }

  private func described(_ failures: [Failure], _ quantity: String, _ when: String) -> [Failure] {
    failures.map { failure in
      var failure = failure
      failure.message = "\(quantity): \(failure.message) (\(when))"
      return failure
    }
  }
}
