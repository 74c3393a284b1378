extension CoreTag {
  /// Returns whether a scalar may be what the tag says; an expression may be anything.
  func fits(_ text: String) -> Bool {
    let meaning = YAMLScalar(text: text, style: .plain).meaning
    switch (self, meaning) {
    case (.seq, _), (.map, _): return false
    case (.str, _), (.null, .null), (.bool, .bool), (.int, .integer), (.int, .tooLarge),
      (.float, .integer), (.float, .number), (.float, .tooLarge), (.float, .notFinite):
      return true
    default: return text.mayHoldExpressions
    }
  }
}

extension YAMLScalar {
  /// The meaning of a scalar by the YAML 1.2 core schema, with two differences for safety.
  ///
  /// A number with leading zeros (`0123`) is text, for YAML 1.1 read it as octal and authors mean
  /// codes; numbers that JSON cannot represent are kept distinct instead of being rounded.
  package enum Meaning: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text
    /// A number that 64 bits cannot hold.
    case tooLarge
    /// `.nan`, `.inf`, `-.inf`
    case notFinite
  }

  /// The meaning of the scalar.
  package var meaning: Meaning {
    switch tag {
    case .str: return .text
    case nil: return style == .plain ? plainMeaning : .text
    default: return plainMeaning
    }
  }

  private var plainMeaning: Meaning {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".nan", ".NaN", ".NAN": return .notFinite
    default: break
    }
    var unsigned = text[...]
    if let sign = unsigned.utf8.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      unsigned.removeFirst()
    }
    if [".inf", ".Inf", ".INF"].contains(unsigned) { return .notFinite }
    if let radixMeaning { return radixMeaning }
    return Self.decimalShape(unsigned).map(decimalMeaning) ?? .text
  }

  /// `0o17` and `0x1F`; `nil` for any other text.
  private var radixMeaning: Meaning? {
    let radix = text.hasPrefix("0o") ? 8 : text.hasPrefix("0x") ? 16 : 0
    let digits = text.dropFirst(2)
    guard radix > 0, !digits.isEmpty,
      digits.unicodeScalars.allSatisfy({ scalar in
        scalar.isASCII && (Character(scalar).hexDigitValue ?? 16) < radix
      })
    else {
      return nil
    }
    return Int64(digits, radix: radix).map { .integer($0) } ?? .tooLarge
  }

  private enum DecimalShape {
    case whole
    case fractional
  }

  /// Returns whether a text without its sign is a decimal number, and which kind.
  private static func decimalShape(_ unsigned: Substring) -> DecimalShape? {
    var scanner = TextScanner(String(unsigned))
    let whole = scanner.takeDigits()
    var shape = DecimalShape.whole
    if whole.utf8.count > 1, whole.hasPrefix("0") { return nil }
    if scanner.take(".") {
      shape = .fractional
      guard !(scanner.takeDigits().isEmpty && whole.isEmpty) else { return nil }
    } else if whole.isEmpty {
      return nil
    }
    if scanner.take(anyOf: "e", "E") {
      shape = .fractional
      _ = scanner.take(anyOf: "+", "-")
      guard !scanner.takeDigits().isEmpty else { return nil }
    }
    return scanner.isAtEnd ? shape : nil
  }

  private func decimalMeaning(_ shape: DecimalShape) -> Meaning {
    switch shape {
    case .whole: return Int64(text).map { .integer($0) } ?? .tooLarge
    case .fractional:
      guard let number = Double(text), number.isFinite else { return .tooLarge }
      return .number(number)
    }
  }
}
