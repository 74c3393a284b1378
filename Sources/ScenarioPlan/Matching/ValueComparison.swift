package import Foundations
internal import OrderedCollections

/// Comparisons between values that are looser than equality.
package enum ValueComparison {
  /// A place at which a value lacks what a subset expects.
  package struct Difference {
    /// The place as a JSON path, such as `$.user.name`.
    package var path: String
    /// The value that was expected there.
    package var expected: Value
    /// The value there; `nil` is none.
    package var actual: Value?

    /// Creates a difference.
    package init(path: String, expected: Value, actual: Value? = nil) {
      self.path = path
      self.expected = expected
      self.actual = actual
    }
  }

  /// The first place where `value` lacks something of `subset`; `nil` if it holds everything.
  ///
  /// A map must hold the subset's keys. A list must hold the subset's elements, each its own and in
  /// any order. Everything else must be equal.
  ///
  /// - Parameter isEqual: whether two values are equal that are not both maps, or both lists.
  package static func missing(
    _ subset: Value, in value: Value?, at path: String = "$",
    isEqual: (Value, Value) -> Bool = { $0.isEqual(to: $1) }
  ) -> Difference? {
    switch (subset, value) {
    case (.map(let wanted), .map(let members)):
      for (key, element) in wanted {
        let place = path + place(of: key, in: members)
        let member = members[exact: key]
        if let difference = missing(element, in: member, at: place, isEqual: isEqual) {
          return difference
        }
      }
      return nil
    case (.list(let wanted), .list(let elements)):
      var isTaken = [Bool](repeating: false, count: elements.count)
      for element in wanted {
        let found = elements.indices.first { index in
          !isTaken[index] && missing(element, in: elements[index], isEqual: isEqual) == nil
        }
        guard let found else {
          return Difference(path: path, expected: element, actual: value)
        }
        isTaken[found] = true
      }
      return nil
    case (_, .some(let value)) where isEqual(subset, value):
      return nil
    default:
      return Difference(path: path, expected: subset, actual: value)
    }
  }

  /// Returns whether two values are equal, or are so but for numbers and truth values that one of them has as text:
  /// `5` and `"5"`.
  package static func areAlike(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.string(let text), let value), (let value, .string(let text)):
      switch value {
      case .bool, .integer, .number:
        return text.utf8.count < 32 && (try? JSONText.parse(text))?.isEqual(to: value) ?? false
      case .string, .null, .list, .map: return left.isEqual(to: right)
      }
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { areAlike($0, $1) }
    case (.map(let left), .map(let right)):
      return left.count == right.count
        && left.allSatisfy { key, value in
          right[exact: key].map { areAlike(value, $0) } ?? false
        }
    default: return left.isEqual(to: right)
    }
  }

  /// Returns whether a text says a number, however it is written: `007` says 7.
  static func isNumber(_ number: Value, in text: String) -> Bool {
    switch number {
    case .integer, .number:
      isLess(number, .string(text)) == false && isLess(.string(text), number) == false
    case .null, .bool, .string, .list, .map: false
    }
  }

  /// The step to a key, spelled out where a map holds another one that looks the same.
  static func place(of key: String, in members: OrderedDictionary<String, Value>) -> String {
    let isTwin = members[key] != nil && members[exact: key] == nil
    return PathStep.key(isTwin ? key.spelledOut : key).text
  }

  /// Returns whether one of two numbers or durations is less; `nil` if they cannot be compared.
  package static func isLess(_ left: Value, _ right: Value) -> Bool? {
    switch (magnitude(left), magnitude(right)) {
    case (.integer(let left), .integer(let right)): left < right
    case (.number(let left), .number(let right)): left < right
    case (.integer(let left), .number(let right)): Double(left) < right
    case (.number(let left), .integer(let right)): left < Double(right)
    case (.duration(let left), .duration(let right)): left < right
    default: nil
    }
  }

  /// Returns whether two numbers, or two durations, are no further apart than a third one; `nil` if they cannot be
  /// compared.
  package static func isNear(_ left: Value, _ right: Value, within tolerance: Value) -> Bool? {
    switch (magnitude(left), magnitude(right), magnitude(tolerance)) {
    case (.integer(let left), .integer(let right), .integer(let most)):
      let (difference, overflow) = max(left, right).subtractingReportingOverflow(min(left, right))
      return !overflow && difference <= most
    case (.duration(let left), .duration(let right), .duration(let most)):
      return (left < right ? right - left : left - right) <= most
    case (let left?, let right?, let most?):
      guard let left = left.asNumber, let right = right.asNumber, let most = most.asNumber else {
        return nil
      }
      // A tolerance that is written in decimals may miss by what binary fractions cannot say.
      let slack = max(abs(left), abs(right)) * 4 * Double.ulpOfOne
      return abs(left - right) <= most + slack
    default: return nil
    }
  }

  /// Returns whether a value is a number or a duration.
  package static func hasMagnitude(_ value: Value) -> Bool {
    magnitude(value) != nil
  }

  private enum Magnitude: Equatable {
    case integer(Int64)
    case number(Double)
    case duration(Nanoseconds)

    /// A number; `nil` for a duration.
    var asNumber: Double? {
      switch self {
      case .integer(let integer): Double(integer)
      case .number(let number): number
      case .duration: nil
      }
    }
  }

  private static func magnitude(_ value: Value) -> Magnitude? {
    switch value {
    case .integer(let integer): return .integer(integer)
    case .number(let number): return .number(number)
    case .string(let text):
      let words = text.split(whereSeparator: \.isWhitespace)
      guard words.count == 1 else { return nil }
      let word = String(words[0])
      if let integer = Int64(word) { return .integer(integer) }
      // Double also reads words such as "inf" and hexadecimal forms, which no author means.
      if let first = word.utf8.first(where: { $0 != UInt8(ascii: "-") }),
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first), !word.contains("x"),
        let number = Double(word), number.isFinite
      {
        return .number(number)
      }
      return (try? Nanoseconds(text: word)).map(Magnitude.duration)
    case .null, .bool, .list, .map: return nil
    }
  }
}
