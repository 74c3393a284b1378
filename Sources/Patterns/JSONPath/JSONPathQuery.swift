package import Foundations

/// A path that may lead to several places in data (RFC 9535): `$.items[*].price`, `$..id`.
///
/// All of the RFC but its functions; a name behind a point may also hold letters that the RFC wants in
/// quotes, such as `-`.
package struct JSONPathQuery: Hashable, Sendable {
  /// A step from places to places below them.
  package struct Segment: Hashable, Sendable {
    /// The selectors, in order.
    package var selectors: [Selector]
    /// True if it is taken from everything below as well: `..`.
    package var isDescendant = false
  }

  /// Selects elements of a list or members of a map.
  package enum Selector: Hashable, Sendable {
    /// `.name`, `['name']`
    case key(String)
    /// `[0]`; `[-1]` is the last.
    case index(Int)
    /// `[*]`, `.*`
    case wildcard
    /// `[1:3]`, `[::-1]`
    case slice(start: Int?, end: Int?, step: Int)
    /// `[?@.price < 10]`
    case filter(Filter)
  }

  /// The condition of a filter.
  package indirect enum Filter: Hashable, Sendable {
    /// `a && b`
    case all([Filter])
    /// `a || b`
    case any([Filter])
    /// `!a`
    case not(Filter)
    /// `@.a`: something is there.
    case exists(Query)
    /// `@.a == 1`
    case comparison(Operand, Comparison, Operand)
  }

  /// A path within a filter.
  package struct Query: Hashable, Sendable {
    /// True if it begins at what is filtered, `@`, and not at the root, `$`.
    var isRelative: Bool
    /// The way from there.
    var segments: [Segment]
  }

  /// A side of a comparison.
  package enum Operand: Hashable, Sendable {
    /// The value at a path that leads to one place.
    case query(Query)
    /// A literal.
    case value(Value)
  }

  /// The comparison of two values.
  package enum Comparison: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case unequal = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  /// The way from the root.
  package var segments: [Segment]

  /// Reads a path that begins with `$`.
  package init(_ text: String) throws(PatternError) {
    var parser = JSONPathParser(text)
    segments = try parser.parse()
  }

  /// The steps of a path that leads to one place, counted from the front; `nil` for others.
  package var steps: [PathStep]? {
    var steps: [PathStep] = []
    for segment in segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else { return nil }
      switch segment.selectors[0] {
      case .key(let key): steps.append(.key(key))
      case .index(let index) where index >= 0: steps.append(.index(index))
      default: return nil
      }
    }
    return steps
  }

  /// True if it leads to one place at most.
  package var isSingular: Bool { segments.isSingular }
}

extension [JSONPathQuery.Segment] {
  /// True if they lead to one place at most (section 2.3.5.1).
  var isSingular: Bool {
    allSatisfy { segment in
      guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
      switch segment.selectors[0] {
      case .key, .index: return true
      case .wildcard, .slice, .filter: return false
      }
    }
  }
}
