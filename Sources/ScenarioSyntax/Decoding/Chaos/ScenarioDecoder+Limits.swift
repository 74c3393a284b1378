internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `limits:`.
  mutating func decodeLimits(_ node: YAMLNode) -> TargetLimits? {
    var limits = TargetLimits()
    guard let reader = decode(node, as: Grammar.limits, subject: "\"limits\"", into: &limits)
    else { return nil }
    guard
      Grammar.limits.keys.contains(where: { reader[$0] != nil })
        || reader.unknownCount > 0
    else {
      report(
        "\"limits\" is empty", code: .empty, at: node.range,
        help: "write a limit, such as { memory: 64MiB }")
      return nil
    }
    return limits
  }

  mutating func decodeMemory(_ node: YAMLNode) -> Int? {
    guard let count = decodeByteCount(node, "memory", isRate: false) else { return nil }
    guard count >= TargetLimits.leastMemory else {
      report(
        "\"memory\" must be at least 4KiB, not \(count)B", code: .outOfRange, at: node.range,
        help: "write a number and a unit, such as 64MiB")
      return nil
    }
    return count
  }
}
