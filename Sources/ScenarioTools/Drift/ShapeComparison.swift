/// A difference of data from its recorded shape.
package struct ShapeDifference: Sendable, Hashable {
  /// The severity.
  package enum Severity: Int, Sendable, Hashable, Comparable {
    /// An unexpected field.
    case note
    /// A field is gone, or may be.
    case warning
    /// A value has another type.
    case error

    /// Compares two severities.
    package static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The severity.
  package var severity: Severity
  /// The path, as `$.user.tags[]`.
  package var path: String
  /// The message: lower case, no full stop.
  package var message: String

  /// Creates a difference.
  package init(_ severity: Severity, at path: String, _ message: String) {
    self.severity = severity
    self.path = path
    self.message = message
  }
}

/// Compares what was written down with what is.
package struct ShapeComparison {
  /// The source of the second shape.
  package enum Source: Sendable {
    /// Replies that were seen: what is missing there may come another time.
    case replies
    /// A description, which says all; `reportsAdditions` where it is not cut to what was asked for.
    case declaration(reportsAdditions: Bool)
  }

  private let source: Source
  private var differences: [ShapeDifference] = []

  private init(source: Source) {
    self.source = source
  }

  /// Returns every difference, in the order of the paths.
  package static func differences(
    between recorded: Shape, and actual: Shape, from source: Source
  ) -> [ShapeDifference] {
    var comparison = ShapeComparison(source: source)
    comparison.compare(recorded, actual, at: "$")
    return comparison.differences
  }

  private mutating func add(
    _ severity: ShapeDifference.Severity, _ path: String, _ message: String
  ) {
    differences.append(ShapeDifference(severity, at: path, message))
  }

  private var isDeclaration: Bool {
    if case .declaration = source { return true }
    return false
  }

  private mutating func compare(_ recorded: Shape, _ actual: Shape, at path: String) {
    guard case .known(let left) = recorded, case .known(let right) = actual else { return }
    compareNull(left, right, at: path)
    compareTypes(left, right, at: path)
    if let leftText = left.text, let rightText = right.text {
      compareTexts(leftText, rightText, at: path)
    }
    if let leftElements = left.elements, let rightElements = right.elements {
      compare(leftElements, rightElements, at: path + "[]")
    }
    if let leftMembers = left.members, let rightMembers = right.members {
      compareMembers(leftMembers, rightMembers, at: path)
    }
  }

  // MARK: - Types

  private mutating func compareNull(_ left: KnownShape, _ right: KnownShape, at path: String) {
    let (leftTypes, rightTypes) = (left.typeNames, right.typeNames)
    switch (left.isNullable, right.isNullable) {
    case (false, true) where isDeclared(right):
      add(.note, path, "may be null, but is not in any recording")
    case (false, true):
      add(.warning, path, "was \(Self.list(leftTypes)), but is now null")
    case (true, false) where leftTypes.isEmpty && isDeclaration:
      add(.error, path, "was null, but may only be \(Self.list(rightTypes))")
    case (true, false) where leftTypes.isEmpty:
      add(.note, path, "was null, but is now \(Self.list(rightTypes))")
    case (true, false) where isDeclaration:
      add(.warning, path, "was sometimes null, but may no longer be")
    default: break
    }
  }

  /// Returns whether null is beside types, as in a declaration.
  private func isDeclared(_ shape: KnownShape) -> Bool {
    isDeclaration && !shape.typeNames.isEmpty
  }

  private mutating func compareTypes(_ left: KnownShape, _ right: KnownShape, at path: String) {
    var (leftTypes, rightTypes) = (left.typeNames, right.typeNames)
    guard !leftTypes.isEmpty, !rightTypes.isEmpty else { return }
    switch (left.number, right.number) {
    case (.integer, .number):
      // Every whole number is a number: what is declared may never have come.
      add(
        isDeclaration ? .note : .warning, path, "was an integer, but is now any number")
      rightTypes = rightTypes.map { $0 == "number" ? "integer" : $0 }
    case (.number, .integer):
      // A number without a fraction is a number all the same.
      if isDeclaration { add(.error, path, "was a number with a fraction, but is now an integer") }
      leftTypes = leftTypes.map { $0 == "number" ? "integer" : $0 }
    default: break
    }
    // What is declared may be more than was seen.
    let isSame =
      isDeclaration
      ? Set(leftTypes).isSubset(of: rightTypes) : Set(rightTypes).isSubset(of: leftTypes)
    guard !isSame else { return }
    add(.error, path, "was \(Self.list(leftTypes)), but is now \(Self.list(rightTypes))")
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "null" : names.joined(separator: " or ")
  }

  private mutating func compareTexts(_ left: TextShape, _ right: TextShape, at path: String) {
    if right.isDeclared, let allowed = right.values, let seen = left.values {
      let gone = seen.subtracting(allowed).sorted()
      guard !gone.isEmpty else { return }
      add(
        .error, path,
        "\(Self.quoted(gone)) \(gone.count == 1 ? "is" : "are") not among \(Self.quoted(allowed.sorted()))"
      )
      return
    }
    guard !right.isDeclared, let known = left.enumeration, let seen = right.values else { return }
    let fresh = seen.subtracting(known).sorted()
    guard !fresh.isEmpty else { return }
    add(.note, path, "\(Self.quoted(fresh)) is new, in addition to \(Self.quoted(known.sorted()))")
  }

  private static func quoted(_ words: [String]) -> String {
    words.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  // MARK: - Members

  private mutating func compareMembers(_ left: MapShape, _ right: MapShape, at path: String) {
    for name in Set(left.members.keys).union(right.members.keys).sorted() {
      let place = path + Self.step(name)
      switch (left.members[name], right.members[name]) {
      case (let old?, nil):
        if let rest = right.rest {
          compare(old.shape, rest, at: place)
          continue
        }
        if !right.isOpen, !old.isOptional || isDeclaration { add(.warning, place, "is missing") }
      case (nil, let new?):
        guard !(new.isOptional && isDeclaration), reportsAdditions else { continue }
        add(.note, place, "is new")
      case (let old?, let new?):
        if !old.isOptional, new.isOptional, reportsAdditions {
          add(isDeclaration ? .note : .warning, place, "was always present, but may be missing")
        }
        compare(old.shape, new.shape, at: place)
      case (nil, nil): break
      }
    }
  }

  private var reportsAdditions: Bool {
    switch source {
    case .replies: true
    case .declaration(let tells): tells
    }
  }

  private static func step(_ name: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
          || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      }
    return isPlain ? ".\(name)" : "[\"\(name)\"]"
  }
}
