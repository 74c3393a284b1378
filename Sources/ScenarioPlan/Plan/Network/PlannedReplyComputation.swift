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
  /// The fault; `nil` if it is written out, or there is none.
  package var fault: Part?
  /// True if the body has steps or a status that are computed; `nil` is no.
  package var isInBody: Bool?

  /// Creates a computation.
  package init(status: Part? = nil, delay: Delay? = nil, fault: Part? = nil) {
    self.status = status
    self.delay = delay
    self.fault = fault
  }

  /// True if nothing is computed.
  package var isEmpty: Bool {
    status == nil && delay == nil && fault == nil && isInBody != true
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

  /// Reads a fault: a word, or one with a value as in `truncate: 100B`; an empty text and `none` are no fault.
  ///
  /// - Throws: `ValueGrammarError` if the text is none that a reply can have.
  package static func fault(of text: String) throws(ValueGrammarError) -> ReplyFault? {
    if text.isEmpty || text == "none" { return nil }
    if let known = ReplyFault.words.first(where: { $0.word == text }) { return known.fault }
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let amount = String((parts.count == 2 ? parts[1] : "").drop { $0 == " " })
    switch parts.first {
    case "truncate" where parts.count == 2:
      return .truncate(bytes: try ByteCountText.parse(amount))
    case "bandwidth" where parts.count == 2:
      let rate = try ByteCountText.parse(amount, isRate: true)
      guard rate > 0 else {
        throw ValueGrammarError(
          "\"fault\" is \"\(text)\", but a bandwidth is at least 1B/s", help: "write hang")
      }
      return .slow(bytesPerSecond: rate)
    default:
      let words = ReplyFault.words.map(\.word) + ["truncate: 100B", "bandwidth: 1KiB/s", "none"]
      throw ValueGrammarError(
        "\"fault\" is \"\(text)\", which is no fault of a reply",
        help: Suggestion.help(for: text, in: words, label: "faults"))
    }
  }

  /// Reads a close code that a frame may have (RFC 6455, section 7.4).
  ///
  /// - Throws: `ValueGrammarError` if the text is none.
  package static func closeCode(of text: String) throws(ValueGrammarError) -> Int {
    guard let code = Int(text), (1000...4999).contains(code), ![1004, 1006, 1015].contains(code)
    else {
      throw ValueGrammarError(
        "\"close\" is \"\(text)\", which is no code that is sent",
        help: "a code is a number from 1000 to 4999, but not 1004, 1006 or 1015")
    }
    return code
  }

  /// Reads a status of gRPC, a number or a name such as `NOT_FOUND`.
  ///
  /// - Throws: `ValueGrammarError` if the text is none.
  package static func callStatus(of text: String) throws(ValueGrammarError) -> Int {
    if let status = GRPCStatus(rawValue: text) { return status.number }
    guard let number = Int32(text), number >= 0 else {
      throw ValueGrammarError(
        "\"status\" is \"\(text)\", which is no status of gRPC",
        help: Suggestion.help(
          for: text, in: GRPCStatus.allCases.map(\.rawValue), label: "its statuses"))
    }
    return Int(number)
  }
}
