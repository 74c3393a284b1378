/// A set of Unicode scalars, such as a regular expression's `[a-z\d]`.
package struct ScalarSet: Sendable {
  /// One part of a set.
  enum Member: Sendable {
    case range(ClosedRange<Unicode.Scalar>)
    case digit
    case word
    case space
    case newline
    indirect case not(Member)

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .range(let range): range.contains(scalar)
      case .digit: scalar.properties.generalCategory == .decimalNumber
      case .word: Self.isWord(scalar)
      case .space: scalar.properties.isWhitespace
      case .newline: Self.isNewline(scalar)
      case .not(let member): !member.contains(scalar)
      }
    }

    /// Unicode Technical Standard 18, annex C: `\w`.
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
      if scalar.properties.isAlphabetic || scalar.properties.isJoinControl { return true }
      return switch scalar.properties.generalCategory {
      case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark:
        true
      default: false
      }
    }

    /// Unicode Technical Standard 18, section 1.6: line boundaries.
    static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
      (0x0A...0x0D).contains(scalar.value) || scalar.value == 0x85
        || (0x2028...0x2029).contains(scalar.value)
    }
  }

  private let members: [Member]
  private let isNegated: Bool
  private let ignoresCase: Bool
  /// The answers for the first 128 scalars, which most questions are about.
  private let ascii: (UInt64, UInt64)

  init(_ members: [Member], isNegated: Bool = false, ignoresCase: Bool = false) {
    self.members = members
    self.isNegated = isNegated
    self.ignoresCase = ignoresCase
    var low: UInt64 = 0
    var high: UInt64 = 0
    for value in UInt8(0)..<128 {
      let isIn = Self.contains(Unicode.Scalar(value), members, ignoresCase) != isNegated
      guard isIn else { continue }
      if value < 64 { low |= 1 << UInt64(value) } else { high |= 1 << UInt64(value - 64) }
    }
    ascii = (low, high)
  }

  /// Returns whether a scalar is among them.
  package func contains(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 64 { return ascii.0 >> UInt64(scalar.value) & 1 == 1 }
    if scalar.value < 128 { return ascii.1 >> UInt64(scalar.value - 64) & 1 == 1 }
    return Self.contains(scalar, members, ignoresCase) != isNegated
  }

  private static func contains(
    _ scalar: Unicode.Scalar, _ members: [Member], _ ignoresCase: Bool
  ) -> Bool {
    if members.contains(where: { $0.contains(scalar) }) { return true }
    guard ignoresCase else { return false }
    let forms = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
    return forms.contains { form in
      guard let other = form.unicodeScalars.first, form.unicodeScalars.count == 1 else {
        return false
      }
      return members.contains { $0.contains(other) }
    }
  }
}
