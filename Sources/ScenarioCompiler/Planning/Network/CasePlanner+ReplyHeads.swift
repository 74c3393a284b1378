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
      return planText(
        node, in: place.part(.key("status")), as: .badStatus, by: PlannedReplyComputation.status
      ).map { ($0.fixed ?? 200, $0.computed) }
    }
  }

  /// A fault, as far as it is known; `nil` if it was reported.
  mutating func planFault(
    _ fault: ReplyFaultRule?, in place: EvaluationSite
  ) -> (fixed: ReplyFault?, computed: PlannedReplyComputation.Part?)? {
    switch fault {
    case nil: return (nil, nil)
    case .written(let fault)?: return (fault.value, nil)
    case .computed(let node)?:
      return planText(
        node, in: place.part(.key("fault")), as: .unknownValue, by: PlannedReplyComputation.fault
      ).map { ($0.fixed ?? nil, $0.computed) }
    }
  }

  /// A text that the run makes a value of, or the value itself where the text is known; `nil` if it was reported.
  mutating func planText<Value>(
    _ node: DataNode, in place: EvaluationSite, as code: DiagnosticCode,
    by parse: (String) throws(ValueGrammarError) -> Value
  ) -> (fixed: Value?, computed: PlannedReplyComputation.Part?)? {
    guard let text = data.text(node, in: place) else { return nil }
    guard let literal = text.literal else { return (nil, .init(text, at: node.range)) }
    return read(literal, at: node.range, as: code, parse).map { ($0, nil) }
  }

  /// A delay, as far as it is known; `nil` if it was reported.
  mutating func planDelay(
    _ delay: ReplyDelay, in place: EvaluationSite
  ) -> (fixed: Nanoseconds, computed: PlannedReplyComputation.Delay?)? {
    let place = place.part(.key("after"))
    switch delay {
    case .length(let length): return (length, nil)
    case .computed(let node):
      return planText(
        node, in: place, as: .badDuration, by: PlannedReplyComputation.delay
      ).map { ($0.fixed ?? .zero, $0.computed.map { .computed($0) }) }
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
