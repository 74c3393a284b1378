internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `ready: { stdout: 'listening on (?<port>\d+)' }`.
  mutating func decodeReadiness(_ node: YAMLNode) -> ReadinessSettings? {
    let example = "write { stdout: REGEX }, { port: 8080 }, { http: /health }, file or notify"
    guard let reader = mapping(node, as: Grammar.ready, subject: "\"ready\"") else {
      return nil
    }
    let timeout = reader["timeout"].flatMap { decodePositive($0, "timeout") }
    var conditions: [ReadinessSettings.Condition] = []
    // What gives a name to others comes first, and what disturbs the target last.
    for key in ["stdout", "stderr", "file", "notify", "port", "http"] {
      guard let node = reader[key] else { continue }
      guard let condition = decodeReadinessCondition(key, node) else { return nil }
      if let condition = condition { conditions.append(condition) }
    }
    guard !conditions.isEmpty else {
      if reader.unknownCount == 0 {
        report(
          "\"ready\" has no condition to wait for", code: .empty, at: node.range, help: example)
      }
      return nil
    }
    return ReadinessSettings(conditions: conditions, timeout: timeout)
  }

  /// `nil` after a report; an empty optional where nothing is asked for.
  private mutating func decodeReadinessCondition(
    _ key: String, _ node: YAMLNode
  ) -> ReadinessSettings.Condition?? {
    switch key {
    case "stdout": return decodeFixedPattern(node, key).map { .some(.output($0)) }
    case "stderr": return decodeFixedPattern(node, key).map { .some(.errorOutput($0)) }
    case "file": return decodeTemplate(node, key).map { .some(.file($0, at: node.range)) }
    case "notify":
      if case .scalar(let scalar) = node.content, scalar.text == NotifySocketKind.abstract.rawValue
      {
        return .some(.notify(.abstract))
      }
      return decodeTrue(node, key, or: "abstract") ? .some(.notify(.path)) : nil
    case "port":
      if case .scalar(let scalar) = node.content, case .bool = scalar.meaning {
        return decodeTrue(node, key, or: "a number") ? .some(.port(nil, at: node.range)) : nil
      }
      return decodePort(node).map { .some(.port($0, at: node.range)) }
    default: return decodeHTTPReadiness(node).map { .some(.http($0)) }
    }
  }

  private mutating func decodeTrue(_ node: YAMLNode, _ key: String, or other: String) -> Bool {
    guard let truth = decodeBool(node, key) else { return false }
    if !truth.value {
      report(
        "\"\(key)\" can only be true or \(other)", code: .unknownValue, at: node.range,
        help: "write \"\(key): true\", or remove it")
    }
    return truth.value
  }

  /// A port, or an expression that gives one.
  mutating func decodePort(
    _ node: YAMLNode,
    help: String =
      "write a number from 1 to 65535, or \"port: true\" for any port that the target listens on"
  ) -> DataNode? {
    if case .scalar(let scalar) = node.content, case .integer(let number) = scalar.meaning,
      !(1...65_535).contains(number)
    {
      report(
        "\"\(scalar.text)\" is not a port", code: .outOfRange, at: node.range, help: help)
      return nil
    }
    return decodeValueText(node, "port")
  }

  private mutating func decodeHTTPReadiness(_ node: YAMLNode) -> HTTPReadiness? {
    guard case .mapping = node.content else {
      return decodeTemplate(node, "http").map {
        HTTPReadiness(url: $0, port: nil, status: nil, range: node.range)
      }
    }
    guard let reader = mapping(node, as: Grammar.readyHTTP, subject: "\"http\"") else { return nil }
    let path = reader["path"].map { decodeTemplate($0, "path") }
    let port = reader["port"].map { decodePort($0) }
    let status = reader["status"].map { decodeCount($0, "status", in: 100...599) }
    guard path ?? .some(nil) != nil || path == nil else { return nil }
    if let port, port == nil { return nil }
    if let status, status == nil { return nil }
    let root = DataNode(.literal(.string("/")), at: node.range)
    return HTTPReadiness(
      url: (path ?? root) ?? root, port: port ?? nil, status: status ?? nil, range: node.range)
  }

  mutating func decodePositive(_ node: YAMLNode, _ key: String) -> Located<Nanoseconds>? {
    guard let length = decodeDuration(node, key) else { return nil }
    guard length.value > .zero else {
      report(
        "\"\(key)\" must be longer than 0s", code: .outOfRange, at: length.range,
        help: "write a duration such as 5s")
      return nil
    }
    return length
  }

  /// `stop: { signal: INT, grace: 2s }` of a target.
  mutating func decodeStopSettings(_ node: YAMLNode) -> StopSettings? {
    decode(
      node, as: Grammar.stopSettings, subject: "\"stop\"",
      from: StopSettings(signal: nil, grace: nil))
  }
}
