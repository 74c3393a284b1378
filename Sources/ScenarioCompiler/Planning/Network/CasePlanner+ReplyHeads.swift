internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// The statuses and delays of replies.
extension CasePlanner {
  /// A status, as far as it is known; `nil` if it was reported.
  mutating func planStatus(
    _ status: ReplyStatus, in place: EvaluationSite
  ) -> (fixed: Int, computed: PlannedReplyComputation.Part?)? {
    switch status {
    case .code(let code): return (code, nil)
    case .computed(let node):
      guard let text = data.text(node, in: place.part(.key("status"))) else { return nil }
      guard let literal = text.literal else { return (200, .init(text, at: node.range)) }
      return read(literal, at: node.range, as: .badStatus) { text throws(ValueGrammarError) in
        try PlannedReplyComputation.status(of: text)
      }.map { ($0, nil) }
    }
  }

  /// A delay, as far as it is known; `nil` if it was reported.
  mutating func planDelay(
    _ delay: ReplyDelay, in place: EvaluationSite
  ) -> (fixed: Nanoseconds, computed: PlannedReplyComputation.Delay?)? {
    let place = place.part(.key("after"))
    switch delay {
    case .length(let length): return (length, nil)
    case .computed(let node):
      guard let text = data.text(node, in: place) else { return nil }
      guard let literal = text.literal else {
        return (.zero, .computed(.init(text, at: node.range)))
      }
      return read(literal, at: node.range, as: .badDuration) { text throws(ValueGrammarError) in
        try PlannedReplyComputation.delay(of: text)
      }.map { ($0, nil) }
    case .drawn(let distribution):
      let key = StreamKey(seed: seed, entry: place.address.text)
      return (.zero, .drawn(distribution, seed: Int64(bitPattern: key.value)))
    }
  }

  private mutating func read<Value>(
    _ text: String, at range: SourceRange, as code: DiagnosticCode,
    _ parse: (String) throws(ValueGrammarError) -> Value
  ) -> Value? {
    do throws(ValueGrammarError) {
      return try parse(text)
    } catch {
      report(error.message, code: code, at: range, help: error.help)
      return nil
    }
  }
}
