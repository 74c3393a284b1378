internal import Foundations
internal import ScenarioModel

/// The delays of WireMock's responses.
extension ScenarioDecoder {
  private static let kinds = [
    "fixed": ["milliseconds"], "lognormal": ["maxValue", "median", "sigma"],
    "uniform": ["lower", "upper"],
  ]

  /// Translates `fixedDelayMilliseconds` and `delayDistribution` into the value of `after:`.
  mutating func translateDelay(of reader: MappingReader) -> YAMLNode? {
    let fixed = reader["fixedDelayMilliseconds"]
    guard let distribution = reader["delayDistribution"] else {
      return fixed.flatMap { milliseconds($0, "fixedDelayMilliseconds") }
    }
    if let fixed {
      report(
        "\"fixedDelayMilliseconds\" cannot be combined with \"delayDistribution\"",
        code: .unreadableImport,
        at: fixed.range, help: "keep one of them")
      return nil
    }
    return translateDistribution(distribution)
  }

  private mutating func translateDistribution(_ node: YAMLNode) -> YAMLNode? {
    guard let type = node["type"].flatMap({ decodeText($0, "type") }),
      let keys = Self.kinds[type.value]
    else {
      let known = Self.kinds.keys.sorted()
      report(
        "the type of the delay is missing or unknown", code: .unreadableImport, at: node.range,
        help: "write one of these as \"type\": \(known.joined(separator: ", "))")
      return nil
    }
    guard let reader = mapping(node, keys: keys + ["type"], subject: "\"delayDistribution\"")
    else { return nil }
    func length(_ key: String, by decoder: inout ScenarioDecoder) -> YAMLNode? {
      decoder.required(key, in: reader, example: "\"\(key)\": 100").flatMap {
        decoder.milliseconds($0, key)
      }
    }
    switch type.value {
    case "fixed": return length("milliseconds", by: &self)
    case "uniform":
      guard let lower = length("lower", by: &self), let upper = length("upper", by: &self) else {
        return nil
      }
      let bounds = YAMLNode.map([("from", lower), ("to", upper)], at: node.range)
      return .map([("uniform", bounds)], at: node.range)
    default:
      guard let median = length("median", by: &self),
        let sigma = required("sigma", in: reader, example: "\"sigma\": 0.4")
      else { return nil }
      let limit = reader["maxValue"].flatMap { milliseconds($0, "maxValue") }
      let parameters = YAMLNode.map(
        [("median", median), ("sigma", sigma), ("at_most", limit)], at: node.range)
      return .map([("lognormal", parameters)], at: node.range)
    }
  }

  private mutating func milliseconds(_ node: YAMLNode, _ subject: String) -> YAMLNode? {
    guard let number = decodeNumber(node, subject) else { return nil }
    guard number >= 0, number < 1e15 else {
      report(
        "\(quoted(subject)) must be a number of milliseconds", code: .unreadableImport,
        at: node.range, help: "write a number such as 100")
      return nil
    }
    return .word("\(Int64((number * 1_000).rounded()))us", at: node.range)
  }
}
