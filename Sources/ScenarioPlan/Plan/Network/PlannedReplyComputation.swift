package import Foundations
package import ScenarioModel

/// The parts of a reply that are known only when its request has come.
package struct PlannedReplyComputation: Sendable, Hashable, Codable {
  /// A text that the request gives a value.
  package struct Part: Sendable, Hashable, Codable {
    /// The text.
    package var text: PlannedText
    /// The place in the scenario file.
    package var range: SourceRange

    /// Creates a part.
    package init(_ text: PlannedText, at range: SourceRange) {
      self.text = text
      self.range = range
    }
  }

  /// The delay of a reply.
  package enum Delay: Sendable, Hashable, Codable {
    /// A text that must be a duration.
    case computed(Part)
    /// A draw for each use of the reply, which the seed decides.
    case drawn(DelayDistribution, seed: Int64)
  }

  /// The status; `nil` if it is written out.
  package var status: Part?
  /// The delay; `nil` if it is written out.
  package var delay: Delay?

  /// Creates a computation.
  package init(status: Part?, delay: Delay?) {
    self.status = status
    self.delay = delay
  }

  /// Reads a status.
  ///
  /// - Throws: `ValueGrammarError` if the text is none that a reply can have.
  package static func status(of text: String) throws(ValueGrammarError) -> Int {
    guard let status = Int(text), ReplyStatus.range.contains(status) else {
      throw ValueGrammarError(
        "\"status\" is \"\(text)\", which is no status of a reply",
        help:
          "a status is a whole number from \(ReplyStatus.range.lowerBound) to \(ReplyStatus.range.upperBound)"
      )
    }
    return status
  }

  /// Reads a delay.
  ///
  /// - Throws: `ValueGrammarError` if the text is none.
  package static func delay(of text: String) throws(ValueGrammarError) -> Nanoseconds {
    let delay = try Nanoseconds(text: text)
    guard delay >= .zero else {
      throw ValueGrammarError(
        "\"after\" is \"\(text)\", which is negative", help: "write \(-delay)")
    }
    return delay
  }
}
