internal import Foundations
internal import Patterns
internal import ScenarioEvents
internal import ScenarioPlan
internal import Supervisor

extension CaseRunner {
  /// Waits until a stream matches an expression behind what the wait before matched.
  ///
  /// Otherwise a dialogue could not be written: the prompt that comes again would be taken for the one that has
  /// been answered.
  func awaitOutput(
    _ stream: StandardStream, _ expression: RegularExpression, _ step: PlannedStep,
    in world: CaseEnvironment
  ) throws(Failure) {
    try requireStart(step)
    let what = "\(stream.rawValue) matched \"\(expression.text)\""
    let start = self[step].matched[stream] ?? 0
    var count = -1
    var search = GrowingSearch(expression, from: start)
    while true {
      let result = world.supervisor.awaitOutput(
        of: step.targetNumber, stream, beyond: count, deadline: deadline,
        meanwhile: log.flush)
      do throws(Failure) {
        try require(result, what, step)
      } catch {
        let output = world.supervisor.output(stream, of: step.targetNumber)
        if let help = Self.helpForLines(expression, in: output, from: start) {
          throw error.with(help: help)
        }
        throw error.with(hint: usedUp(stream, expression, step, before: start, in: world))
      }
      let output = world.supervisor.output(stream, of: step.targetNumber)
      count = output.count
      let look = BoundedWork { [search] in search.looked(at: output) }
      switch look.run(before: deadline, cancellation) {
      case .done(.success(let next)): search = next
      case .done(.failure(let error)):
        throw Failure(unjudged: error, stream.rawValue).at(step.range)
      case .cancelled: throw Failure.stopped(by: cancellation, at: step.range)
      case .timedOut: throw Failure.searchTimedOut(at: step.range)
      }
      guard let end = search.end else { continue }
      self[step].matched[stream] = end
      return
    }
  }

  /// Returns the reason why a wait may have been in vain: its match came before that of the wait
  /// before it.
  private func usedUp(
    _ stream: StandardStream, _ expression: RegularExpression, _ step: PlannedStep,
    before start: Int, in world: CaseEnvironment
  ) -> String? {
    guard start > 0 else { return nil }
    let output = world.supervisor.output(stream, of: step.targetNumber)
    let look = BoundedWork { GrowingSearch(expression).looked(at: output) }
    let limit = RealTime.monotonic() + .seconds(1)
    guard case .done(.success(let search)) = look.run(before: limit, cancellation),
      search.end != nil
    else { return nil }
    return "\(stream.rawValue) matches earlier, but each wait searches only after the match of the"
      + " wait before it"
  }
}

extension CaseRunner {
  /// The length of output, in bytes, in which an expression is looked for whose `^` or `$` may be meant as that of a
  /// line.
  private static let lineSearchLimit = 4 << 20

  /// Returns the help for an expression that was not found, where it is found in the lines of what a stream holds.
  static func helpForLines(
    _ expression: RegularExpression, in output: CapturedOutput, from start: Int = 0
  ) -> String? {
    guard output.count - start <= lineSearchLimit else { return nil }
    return expression.helpForLines { expression in
      guard case .success(let search) = GrowingSearch(expression, from: start).looked(at: output)
      else { return false }
      return search.end != nil
    }
  }
}
