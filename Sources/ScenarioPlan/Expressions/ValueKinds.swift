internal import Foundations

/// The kinds that a value may have, as far as they are known before it is.
package struct ValueKinds: OptionSet, Hashable, Sendable {
  /// The bits, one for each kind.
  package let rawValue: UInt8

  /// Creates a set from its bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Null.
  package static let null = ValueKinds(rawValue: 1)
  static let bool = ValueKinds(rawValue: 2)
  /// Whole numbers.
  package static let integer = ValueKinds(rawValue: 4)
  static let fraction = ValueKinds(rawValue: 8)
  /// Texts.
  package static let text = ValueKinds(rawValue: 16)
  /// Lists.
  package static let list = ValueKinds(rawValue: 32)
  /// Maps.
  package static let map = ValueKinds(rawValue: 64)

  /// All numbers.
  package static let number: ValueKinds = [.integer, .fraction]
  /// The kinds that can be inside text.
  package static let inText: ValueKinds = [.bool, .integer, .fraction, .text]
  /// Every kind.
  package static let any = ValueKinds(rawValue: 127)

  /// The kinds in the words of an author: `a number or text`.
  package var described: String {
    var words: [String] = []
    for (kind, word) in Self.words where !isDisjoint(with: kind) && !words.contains(word) {
      words.append(word)
    }
    guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  private static let words: [(ValueKinds, String)] = [
    (.null, "null"), (.bool, "a bool"), (.integer, "a number"), (.fraction, "a number"),
    (.text, "text"), (.list, "a list"), (.map, "a map"),
  ]
}

extension Value {
  /// The one kind that the value has.
  package var kinds: ValueKinds {
    switch self {
    case .null: .null
    case .bool: .bool
    case .integer: .integer
    case .number: .fraction
    case .string: .text
    case .list: .list
    case .map: .map
    }
  }
}
