internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `if:` true, false or an expression.
  mutating func decodeStepCondition(_ node: YAMLNode) -> DataNode? {
    guard case .scalar = node.content else {
      reportType(
        node, "if", "must be true or false",
        help: "write a condition, as in if: ${{ vars.slow == true }}")
      return nil
    }
    return decodeData(node)
  }

  /// `env:` of a step.
  mutating func decodeStepEnvironment(_ node: YAMLNode) -> [DataField]? {
    let environment = decodeEnvironment(node)
    if let name = environment.passed.first {
      report(
        "\"pass\" is not allowed in the \"env\" of a step", code: .misplaced, at: name.range,
        help: "write \"pass\" in the \"env\" of \"target\"")
    }
    return environment.variables
  }

  /// `retry: 3`, `retry: { attempts: 3, every: 1s }`.
  mutating func decodeStepRetry(_ node: YAMLNode) -> Located<StepRetry>? {
    guard case .mapping = node.content else {
      return decodeCount(node, "retry", in: 2...StepReading.countLimit).map {
        Located(StepRetry(attempts: $0), at: node.range)
      }
    }
    return decode(
      node, as: Grammar.stepRetry, subject: "\"retry\"", from: StepRetry(attempts: 2)
    ).map { Located($0, at: node.range) }
  }
}

extension StepReading {
  /// A step is performed, or tried, this often at most.
  static let countLimit = 10_000
}
