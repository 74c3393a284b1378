extension ScenarioDecoder {
  /// `limits:`.
  mutating func decodeLimits(_ node: YAMLNode) -> TargetLimits? {
    guard let reader = mapping(node, keys: Grammar.limits.keys, subject: "\"limits\"") else {
      return nil
    }
    var limits = TargetLimits()
    limits.memory = reader["memory"].flatMap { decodeMemory($0) }
    limits.files = reader["files"].flatMap {
      decodeCount($0, "files", in: TargetLimits.leastFiles...1_048_576)
    }
    limits.processes = reader["processes"].flatMap {
      decodeCount($0, "processes", in: 1...4_194_304)
    }
    guard
      Grammar.limits.keys.contains(where: { reader[$0] != nil })
        || reader.unknownCount > 0
    else {
      report(
        "\"limits\" limits nothing", code: .empty, at: node.range,
        help: "write what the target may have at most, such as { memory: 64MiB }")
      return nil
    }
    return limits
  }

  private mutating func decodeMemory(_ node: YAMLNode) -> Int? {
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
