package import Foundations
internal import MockEngine
internal import OrderedCollections

/// The shape of data, whatever its values: types, what may be null, what may be missing.
///
/// A shape is a union: a value may be seen with several types.
package indirect enum Shape: Sendable, Hashable {
  /// The shape is unknown: an empty list's elements, a schema that allows all.
  case unknown
  /// A shape that was seen or declared.
  case known(KnownShape)
}

/// The types that a value may have.
package struct KnownShape: Sendable, Hashable {
  /// True if it may be null.
  package var isNullable = false
  /// True if it may be true or false.
  package var isBool = false
  /// Whether it may be a number, and whether always a whole one.
  package var number: NumberShape?
  /// Whether it may be text.
  package var text: TextShape?
  /// The shape of the elements, if it may be a list.
  package var elements: Shape?
  /// The shape of the members, if it may be a map.
  package var members: MapShape?

  /// Creates a shape without types.
  package init() {}

  /// The types' names, null aside.
  var typeNames: [String] {
    var names: [String] = []
    if isBool { names.append("bool") }
    if let number { names.append(number == .integer ? "integer" : "number") }
    if text != nil { names.append("text") }
    if elements != nil { names.append("list") }
    if members != nil { names.append("map") }
    return names
  }
}

/// The kind of numbers.
package enum NumberShape: Sendable, Hashable {
  /// Whole numbers only.
  case integer
  /// Any number.
  case number
}

/// The kind of texts.
package struct TextShape: Sendable, Hashable {
  /// The distinct values, as long as they are few; `nil` once they are many.
  package var values: Set<String>?
  /// The number of values that were seen.
  package var count: Int
  /// True if `values` was declared, so that no other is allowed.
  package var isDeclared: Bool

  /// The maximum number of distinct values that may be an enumeration.
  static let valueLimit = 8

  /// Creates a shape; `nil` values are any.
  package init(values: Set<String>?, count: Int = 0, isDeclared: Bool = false) {
    self.values = values
    self.count = count
    self.isDeclared = isDeclared
  }

  /// The values, if they look like an enumeration: words that come back.
  var enumeration: Set<String>? {
    guard let values else { return nil }
    if isDeclared { return values }
    let areWords = values.allSatisfy { value in
      (1...32).contains(value.utf8.count)
        && value.utf8.allSatisfy { byte in
          byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
    }
    return areWords && count >= 2 * values.count && count >= 4 ? values : nil
  }
}

/// The members of a map.
package struct MapShape: Sendable, Hashable {
  /// One member.
  package struct Member: Sendable, Hashable {
    /// The shape of the member.
    package var shape: Shape
    /// True if it may be missing.
    package var isOptional: Bool

    /// Creates a member.
    package init(shape: Shape, isOptional: Bool) {
      self.shape = shape
      self.isOptional = isOptional
    }
  }

  /// The members by name.
  package var members: [String: Member]
  /// True if other members are allowed without a word about them.
  package var isOpen = false
  /// The shape of members without a name, if such are declared.
  package var rest: Shape?

  /// Creates a map.
  package init(members: [String: Member] = [:]) {
    self.members = members
  }
}

extension Shape {
  /// The shape of one value.
  package init(of value: Value) {
    var shape = KnownShape()
    switch value {
    case .null: shape.isNullable = true
    case .bool: shape.isBool = true
    case .integer: shape.number = .integer
    case .number: shape.number = .number
    case .string(let text):
      let value = text == Redaction.placeholder ? nil : Set([text])
      shape.text = TextShape(values: value, count: 1)
    case .list(let values):
      shape.elements = values.reduce(.unknown) { $0.merged(with: Shape(of: $1)) }
    case .map(let members):
      var map = MapShape()
      for (key, value) in members {
        map.members[key] = MapShape.Member(shape: Shape(of: value), isOptional: false)
      }
      shape.members = map
    }
    self = .known(shape)
  }

  /// A shape that allows what either allows.
  package func merged(with other: Shape) -> Shape {
    guard case .known(let left) = self else { return other }
    guard case .known(let right) = other else { return self }
    var shape = KnownShape()
    shape.isNullable = left.isNullable || right.isNullable
    shape.isBool = left.isBool || right.isBool
    shape.number = Self.merged(left.number, right.number) { $0 == $1 ? $0 : .number }
    shape.text = Self.merged(left.text, right.text) { $0.merged(with: $1) }
    shape.elements = Self.merged(left.elements, right.elements) { $0.merged(with: $1) }
    shape.members = Self.merged(left.members, right.members) { $0.merged(with: $1) }
    return .known(shape)
  }

  private static func merged<Part>(
    _ left: Part?, _ right: Part?, _ merge: (Part, Part) -> Part
  ) -> Part? {
    guard let left else { return right }
    guard let right else { return left }
    return merge(left, right)
  }

  /// The same, null allowed.
  func orNull() -> Shape {
    guard case .known(var shape) = self else { return self }
    shape.isNullable = true
    return .known(shape)
  }
}

extension TextShape {
  fileprivate func merged(with other: TextShape) -> TextShape {
    let count = count + other.count
    let isDeclared = isDeclared && other.isDeclared
    guard let left = values, let right = other.values else {
      return TextShape(values: nil, count: count, isDeclared: isDeclared)
    }
    let union = left.union(right)
    let areFew = isDeclared || union.count <= Self.valueLimit
    return TextShape(values: areFew ? union : nil, count: count, isDeclared: isDeclared)
  }
}

extension MapShape {
  fileprivate func merged(with other: MapShape) -> MapShape {
    var merged = MapShape()
    merged.isOpen = isOpen || other.isOpen
    merged.rest = rest.map { rest in other.rest.map(rest.merged) ?? rest } ?? other.rest
    for (name, member) in members {
      guard let twin = other.members[name] else {
        merged.members[name] = Member(shape: member.shape, isOptional: true)
        continue
      }
      merged.members[name] = Member(
        shape: member.shape.merged(with: twin.shape),
        isOptional: member.isOptional || twin.isOptional)
    }
    for (name, member) in other.members where members[name] == nil {
      merged.members[name] = Member(shape: member.shape, isOptional: true)
    }
    return merged
  }
}
