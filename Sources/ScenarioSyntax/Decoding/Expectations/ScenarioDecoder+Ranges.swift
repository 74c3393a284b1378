internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

extension ScenarioDecoder {
  // MARK: - Bounds

  /// Reads two bounds: `[LEAST, MOST]`.
  mutating func decodeIntegerBounds(_ node: YAMLNode, _ subject: String) -> ClosedRange<Int64>? {
    guard let nodes = decodeList(node, subject) else { return nil }
    guard nodes.count == 2 else {
      report(
        "\(quoted(subject)) needs two bounds, not \(nodes.count)", code: .badRange, at: node.range,
        help: "write [LEAST, MOST]")
      return nil
    }
    return bounds(nodes[0], nodes[1], subject, at: node.range)
  }

  private mutating func bounds(
    _ first: YAMLNode, _ second: YAMLNode, _ subject: String, at range: SourceRange
  ) -> ClosedRange<Int64>? {
    guard let lower = decodeInteger(first, subject), let upper = decodeInteger(second, subject)
    else { return nil }
    guard lower.value <= upper.value else {
      reportDescending(String(lower.value), String(upper.value), subject, at: range)
      return nil
    }
    return lower.value...upper.value
  }

  private mutating func reportDescending(
    _ lower: String, _ upper: String, _ subject: String, at range: SourceRange
  ) {
    report(
      "the lower bound of \(quoted(subject)), \(lower), is above its upper bound, \(upper)",
      code: .badRange, at: range,
      help: "write [\(upper), \(lower)]")
  }

  /// Reads any number.
  mutating func decodeNumber(_ node: YAMLNode, _ subject: String) -> Double? {
    if case .scalar(let scalar) = node.content {
      switch scalar.meaning {
      case .integer(let integer): return Double(integer)
      case .number(let number): return number
      default: break
      }
    }
    reportType(node, subject, "must be a number", help: "write a number such as 0.5")
    return nil
  }

  /// A probability.
  mutating func decodeChance(_ node: YAMLNode, _ subject: String) -> Double? {
    guard let number = decodeNumber(node, subject) else { return nil }
    guard (0...1).contains(number) else {
      report(
        "\(quoted(subject)) must be from 0 to 1", code: .outOfRange, at: node.range,
        help: "write a probability: 0 is never, 1 is always")
      return nil
    }
    return number
  }

  // MARK: - Generators with bounds

  /// Reads the value of `$int`: `[1, 6]`, `{ min: 1, max: 6, step: 1 }`.
  mutating func decodeIntegerGenerator(_ node: YAMLNode) -> DataGenerator? {
    guard case .mapping = node.content else {
      return decodeIntegerBounds(node, "$int").map { .integer($0, step: 1) }
    }
    guard let reader = mapping(node, as: Grammar.integerRange, subject: "\"$int\"") else {
      return nil
    }
    let lower = reader["min"].map { decodeInteger($0, "min")?.value } ?? 0
    let upper = reader["max"].map { decodeInteger($0, "max")?.value } ?? Int64.max
    let step = reader["step"].map { decodeInteger($0, "step")?.value } ?? 1
    guard let lower, let upper, let step else { return nil }
    guard lower <= upper else {
      reportDescending(String(lower), String(upper), "$int", at: node.range)
      return nil
    }
    guard step > 0 else {
      report(
        "\"step\" must be at least 1", code: .outOfRange, at: node.range, help: "write 1 or more")
      return nil
    }
    return .integer(lower...upper, step: step)
  }

  /// Reads the value of `$float`: `[0, 1]`, `{ min: 0, max: 1, digits: 2 }`.
  mutating func decodeNumberGenerator(_ node: YAMLNode) -> DataGenerator? {
    var lower: Double? = 0
    var upper: Double? = 1
    var digits: Int?
    switch node.content {
    case .mapping:
      guard let reader = mapping(node, as: Grammar.numberRange, subject: "\"$float\"")
      else { return nil }
      if let least = reader["min"] { lower = decodeNumber(least, "min") }
      if let most = reader["max"] { upper = decodeNumber(most, "max") }
      if let node = reader["digits"] {
        digits = decodeCount(node, "digits", in: 0...15)
        guard digits != nil else { return nil }
      }
    default:
      guard let nodes = decodeList(node, "$float") else { return nil }
      guard nodes.count == 2 else {
        report(
          "\"$float\" needs two bounds, not \(nodes.count)", code: .badRange, at: node.range,
          help: "write [LEAST, MOST]")
        return nil
      }
      lower = decodeNumber(nodes[0], "$float")
      upper = decodeNumber(nodes[1], "$float")
    }
    guard let lower, let upper else { return nil }
    guard lower <= upper else {
      reportDescending("\(lower)", "\(upper)", "$float", at: node.range)
      return nil
    }
    guard (upper - lower).isFinite else {
      report(
        "the difference of the bounds of \"$float\" is too large", code: .outOfRange,
        at: node.range, help: "write bounds whose difference is below 1.7e308")
      return nil
    }
    return .number(lower, upper, digits: digits)
  }

  /// Reads the value of `$string`: `8`, `[3, 8]`, `{ length: 8, of: abc }`.
  mutating func decodeTextGenerator(_ node: YAMLNode) -> DataGenerator? {
    let alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
    guard case .mapping = node.content else {
      return decodeLength(node, "$string").map { .text(length: $0, alphabet: alphabet) }
    }
    guard let reader = mapping(node, as: Grammar.textShape, subject: "\"$string\""),
      let length = required("length", in: reader, example: "length: 8"),
      let bounds = decodeLength(length, "length")
    else { return nil }
    guard let letters = reader["of"] else { return .text(length: bounds, alphabet: alphabet) }
    guard let text = decodeText(letters, "of", example: "write the characters to choose from")
    else {
      return nil
    }
    guard !text.value.isEmpty else {
      report(
        "\"of\" has no characters", code: .empty, at: text.range,
        help: "write the characters to choose from")
      return nil
    }
    return .text(length: bounds, alphabet: text.value)
  }

  private mutating func decodeLength(_ node: YAMLNode, _ subject: String) -> ClosedRange<Int>? {
    let most = 1_000_000
    guard case .sequence = node.content else {
      return decodeCount(node, subject, in: 0...most).map { $0...$0 }
    }
    guard let bounds = decodeIntegerBounds(node, subject) else { return nil }
    guard bounds.lowerBound >= 0, bounds.upperBound <= most else {
      report(
        "\(quoted(subject)) must be from 0 to \(most)", code: .outOfRange, at: node.range,
        help: "write [3, 8]")
      return nil
    }
    return Int(bounds.lowerBound)...Int(bounds.upperBound)
  }

  /// Reads the value of `$time`: `+3d`, `[-7d, +0s]`, `{ from:, to:, step: }`.
  mutating func decodeTimeGenerator(_ node: YAMLNode) -> DataGenerator? {
    switch node.content {
    case .scalar:
      return decodeInstantExpression(node, "$time").map {
        .time(from: $0.value, to: nil, step: .seconds(1))
      }
    case .sequence(let nodes):
      guard nodes.count == 2 else {
        report(
          "\"$time\" needs two ends, not \(nodes.count)", code: .badRange, at: node.range,
          help: "write [FROM, TO], as in [-7d, +0s]")
        return nil
      }
      return time(nodes[0], nodes[1], step: .seconds(1))
    case .mapping:
      guard let reader = mapping(node, as: Grammar.timeRange, subject: "\"$time\""),
        let from = required("from", in: reader, example: "from: -7d"),
        let to = required("to", in: reader, example: "to: +0s")
      else { return nil }
      let step = reader["step"].map { decodeDelay($0, "step")?.value } ?? .seconds(1)
      guard let step else { return nil }
      guard step > .zero else {
        report(
          "\"step\" must be longer than 0s", code: .outOfRange, at: node.range,
          help: "write 1s")
        return nil
      }
      return time(from, to, step: step)
    }
  }

  private mutating func time(
    _ from: YAMLNode, _ to: YAMLNode, step: Nanoseconds
  ) -> DataGenerator? {
    guard let first = decodeInstantExpression(from, "$time"),
      let last = decodeInstantExpression(to, "$time")
    else { return nil }
    return .time(from: first.value, to: last.value, step: step)
  }
}
