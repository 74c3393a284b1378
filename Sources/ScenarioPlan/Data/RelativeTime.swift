package import Foundations
internal import Patterns
package import ScenarioModel

/// `$time` in a reply: an instant seen from the one that the clock shows when the reply is made.
///
/// A plan holds it as a call of a function whose name no author can write: `$time('+1h')`, or for a random
/// instant `$time('+0s', '+7d', STEP, SEED)`, with the step in nanoseconds and the seed of the one draw.
package enum RelativeTime {
  /// The function's name.
  static let function = "$time"

  /// The call for one instant.
  package static func expression(_ instant: InstantExpression, at range: SourceRange) -> Expression
  {
    .call(
      function: Located(function, at: range),
      arguments: [.path(root: Located("clock", at: range), steps: [.key("now")])]
        + [.literal(.string(instant.text))])
  }

  /// The call for a random instant between two.
  package static func expression(
    from: InstantExpression, to: InstantExpression, step: Nanoseconds, seed: UInt64,
    at range: SourceRange
  ) -> Expression {
    .call(
      function: Located(function, at: range),
      arguments: [
        .path(root: Located("clock", at: range), steps: [.key("now")]),
        .literal(.string(from.text)), .literal(.string(to.text)), .literal(.integer(step.count)),
        .literal(.integer(Int64(bitPattern: seed))),
      ])
  }

  /// Returns the result of a call; the first argument is the time of the clock.
  static func value(_ arguments: [Value]) throws(PatternError) -> Value {
    do throws(ValueGrammarError) {
      guard arguments.count > 1, let now = arguments[0].text, let first = arguments[1].text else {
        throw ValueGrammarError("\"$time\" has no instant", help: "plan the scenario again")
      }
      let clock = try WallInstant(text: now)
      let begin = try InstantExpression(text: first).instant(at: clock)
      guard arguments.count == 5, let last = arguments[2].text,
        case .integer(let step) = arguments[3], case .integer(let seed) = arguments[4]
      else { return .string(begin.description) }
      let end = try InstantExpression(text: last).instant(at: clock)
      guard begin <= end else {
        throw ValueGrammarError(
          "the start of \"$time\", \(begin), is after its end, \(end)",
          help: "write the earlier instant first")
      }
      var random = SplitMix64(seed: UInt64(bitPattern: seed))
      return .string(
        random.next(from: begin, to: end, step: Nanoseconds(step)).description)
    } catch {
      throw PatternError(error.message, help: error.help)
    }
  }
}

extension InstantExpression {
  /// True if it is another instant each time that it is read.
  package var isRelative: Bool {
    if case .absolute = self { false } else { true }
  }
}

extension SplitMix64 {
  /// An instant between two, a whole number of steps behind the first.
  package mutating func next(
    from first: WallInstant, to last: WallInstant, step: Nanoseconds
  ) -> WallInstant {
    let steps = (last - first).count / Swift.max(1, step.count)
    let chosen = next(in: 0...Swift.max(0, steps))
    return first + Nanoseconds(chosen &* step.count)
  }
}
