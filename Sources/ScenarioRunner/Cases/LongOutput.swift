internal import Patterns
internal import ScenarioEvents
internal import ScenarioPlan
internal import Supervisor

extension GrowingSearch {
  /// Returns the search after reading what was written so far; its `end` shows whether the
  /// expression is found.
  func looked(at output: CapturedOutput) -> Result<GrowingSearch, LongTextError> {
    var search = self
    do throws(LongTextError) {
      _ = try search.isFound(in: output)
      return .success(search)
    } catch {
      return .failure(error)
    }
  }
}

extension CaseRunner {
  /// The text for reports; of long output all is written to a file in the case's folder, if that is kept.
  func text(of output: KeptOutput, _ stream: StandardStream, in folder: String?) -> String {
    guard output.isLong, let folder else { return output.text(of: stream) }
    let path = "\(folder)/\(stream.rawValue)"
    return output.text(of: stream, fullTextIn: output.write(to: path) ? path : nil)
  }

  /// Returns the help for a capture whose expression is found in the lines of the output alone.
  static func helpForLines(of capture: PlannedCapture, in output: CapturedOutput) -> String? {
    guard case .expression(let expression) = capture.pattern else { return nil }
    return helpForLines(expression, in: output)
  }

  /// Finds the value of a capture in a stream's output.
  static func find(
    _ capture: PlannedCapture, in output: CapturedOutput
  ) -> Result<PlannedCapture.Finding, LongTextError> {
    do throws(LongTextError) {
      return .success(capture.find(in: try output.whole(for: "`capture:`")))
    } catch {
      return .failure(error)
    }
  }
}

extension ExpectationChecker {
  /// Applies a matcher to output that is not in memory, and makes failures of the mismatches.
  func match(
    _ matcher: PlannedMatcher, _ output: CapturedOutput, type: String, name: String
  ) -> [Failure] {
    var failures: [Failure] = []
    // A condition that needs all of the output at once is no reason not to judge those that do not.
    for part in matcher.conjuncts where failures.count < Mismatch.limit {
      failures += match(part: part, output, type: type, name: name)
      if failures.last?.category == .error, cancellation.isCancelled { break }
    }
    return failures
  }

  private func match(
    part matcher: PlannedMatcher, _ output: CapturedOutput, type: String, name: String
  ) -> [Failure] {
    let work = BoundedWork { [scope = world.expectationScope] in
      var scope = scope
      do throws(LongTextError) {
        scope.isRepaired = try !output.isUTF8()
        return Result<_, LongTextError>.success(
          try matcher.mismatches(ofLong: output, scope: scope))
      } catch {
        return .failure(error)
      }
    }
    switch work.run(before: deadline, cancellation) {
    case .done(.success(let mismatches)): return [Failure](mismatches, type: type, name: name)
    case .done(.failure(let error)): return [Failure(unjudged: error, name).at(matcher.range)]
    case .cancelled: return [.stopped(by: cancellation, at: matcher.range)]
    case .timedOut: return [.searchTimedOut(at: matcher.range)]
    }
  }
}

extension Failure {
  /// A text that is too long for what is to be done with it, or that cannot be read back.
  init(unjudged error: LongTextError, _ name: String) {
    self.init(
      category: .error, type: "Output", message: "\(name) \(error.message)", help: error.help)
  }
}
