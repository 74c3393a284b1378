internal import Foundations
internal import Patterns
internal import ScenarioEvents
internal import ScenarioPlan
internal import Supervisor
internal import Terminal

extension CaseRunner {
  /// Waits until what a target's terminal shows matches.
  func awaitScreen(
    _ expression: RegularExpression, _ step: PlannedStep, in world: CaseEnvironment
  ) throws(Failure) {
    try requireStart(step)
    var count = -1
    while true {
      let result = world.supervisor.awaitOutput(
        of: step.targetNumber, .output, beyond: count, deadline: deadline, meanwhile: log.flush)
      // Both are of one moment, so that nothing that comes between them is waited for in vain.
      let seen = world.supervisor.snapshot(of: step.targetNumber)
      count = seen.output.count
      do throws(Failure) {
        try require(result, "the screen matched \"\(expression.text)\"", step)
      } catch {
        var failure = error
        failure.details =
          (seen.screen?.picture(without: options.secrets) ?? []) + failure.details
        throw failure
      }
      let text = seen.screen?.text ?? ""
      let search = BoundedWork { expression.isFound(in: text) }
      switch search.run(before: deadline, cancellation) {
      case .done(true): return
      case .done: continue
      case .cancelled: throw Failure.stopped(by: cancellation, at: step.range)
      case .timedOut: throw Failure.searchTimedOut(at: step.range)
      }
    }
  }
}

extension ExpectationChecker {
  /// Checks what the terminal shows; a failure shows all of it.
  func checkScreen(_ matcher: PlannedMatcher) -> [Failure] {
    guard let screen = target.screen else {
      return [
        Failure(
          category: .expectation, type: "expect.screen", message: "\(who) has not been started",
          help: "put a `start:` step before this one")
      ]
    }
    var failures = match(
      matcher, .text(screen.text), type: "expect.screen", name: prefix + "screen")
    if screen.wraps(world.secrets) {
      for index in failures.indices {
        failures[index].actual = SecretRedactor.placeholder
        failures[index].details = []
      }
    }
    return failures.with(details: screen.picture(without: world.secrets))
  }
}

extension TerminalScreen {
  /// The screen for a person; nothing of it where reports could not take a secret out of it.
  fileprivate func picture(without secrets: SecretRedactor) -> [String] {
    guard wraps(secrets) else { return picture }
    return ["the screen is not shown: a secret extends over the end of a row"]
  }

  /// Returns whether a secret goes over the end of a row: then it is no text that could be found row by row.
  fileprivate func wraps(_ secrets: SecretRedactor) -> Bool {
    guard !secrets.isEmpty else { return false }
    let rows = lines.map { secrets.redacted($0) }.joined()
    return secrets.redacted(rows) != rows
  }
}
