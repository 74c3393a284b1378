package import Foundations
internal import OrderedCollections

extension JSONPathQuery {
  /// The maximum number of places that are visited; a path of many `..` could lead to more than
  /// there is time for.
  package static let stepLimit = 200_000

  /// The values that the path leads to, in the order of the RFC; `nil` if it takes too many steps.
  package func values(in root: Value) -> [Value]? {
    var evaluation = Evaluation(root: root, remaining: Self.stepLimit)
    let found = evaluation.follow(segments, from: root)
    return evaluation.remaining > 0 ? found : nil
  }

  /// Returns whether a path that leads to no value names something that is not there; false where a list or map is
  /// there, from which a wildcard, a slice or a filter takes nothing.
  package func leadsNowhere(in root: Value) -> Bool {
    guard let last = segments.lastIndex(where: { ![$0].isSingular }) else { return true }
    var way = self
    way.segments = Array(segments[...last])
    // What is selected lacks the rest of the way.
    guard way.values(in: root)?.isEmpty ?? true else { return true }
    let isByName = segments[last].selectors.allSatisfy { selector in
      switch selector {
      case .key, .index: true
      case .wildcard, .slice, .filter: false
      }
    }
    way.segments.removeLast()
    guard let places = way.values(in: root), !places.isEmpty else {
      return way.leadsNowhere(in: root)
    }
    return isByName || !places.contains(where: \.hasPlaces)
  }

  /// Returns whether a path that leads to no value passes something over: a list or map is there that holds something,
  /// and a filter or a slice takes nothing from it.
  package func passesOver(in root: Value) -> Bool {
    guard let last = segments.lastIndex(where: { ![$0].isSingular }) else { return false }
    var way = self
    way.segments = Array(segments[..<last])
    guard let places = way.values(in: root), !places.isEmpty else {
      return way.passesOver(in: root)
    }
    return places.contains { !$0.children.isEmpty }
  }

  /// Returns whether the place is there from which on the path may lead to several.
  package func start(isThereIn root: Value) -> Bool {
    var way = self
    way.segments = Array(segments.prefix { [$0].isSingular })
    return !(way.values(in: root)?.isEmpty ?? true)
  }

  private struct Evaluation {
    let root: Value
    var remaining: Int

    mutating func follow(_ segments: [Segment], from start: Value) -> [Value] {
      var current = [start]
      for segment in segments {
        var next: [Value] = []
        for value in current where remaining > 0 { take(segment, of: value, &next) }
        current = next
      }
      return current
    }

    private mutating func take(_ segment: Segment, of value: Value, _ found: inout [Value]) {
      for selector in segment.selectors where remaining > 0 { take(selector, of: value, &found) }
      guard segment.isDescendant else { return }
      // As deep as JSON may be nested, which is bounded where it is read.
      for child in value.children where remaining > 0 { take(segment, of: child, &found) }
    }

    private mutating func take(_ selector: Selector, of value: Value, _ found: inout [Value]) {
      remaining -= 1
      switch selector {
      case .key(let key):
        if case .map(let members) = value, let member = members[exact: key] { found.append(member) }
      case .index(let index):
        guard case .list(let elements) = value else { return }
        let place = index < 0 ? elements.count + index : index
        if elements.indices.contains(place) { found.append(elements[place]) }
      case .wildcard:
        let children = value.children
        remaining -= children.count
        found += children
      case .slice(let start, let end, let step):
        guard case .list(let elements) = value else { return }
        for index in Self.indexes(elements.count, start, end, step) {
          remaining -= 1
          found.append(elements[index])
        }
      case .filter(let filter):
        for child in value.children where remaining > 0 {
          remaining -= 1
          if holds(filter, for: child) { found.append(child) }
        }
      }
    }

    /// Section 2.3.4.2.2.
    private static func indexes(
      _ count: Int, _ start: Int?, _ end: Int?, _ step: Int
    ) -> StrideTo<Int> {
      guard step != 0, count > 0 else { return stride(from: 0, to: 0, by: 1) }
      func normal(_ index: Int) -> Int { index < 0 ? count &+ index : index }
      // A step beyond the list takes one element, and must not overflow.
      let step = max(-count, min(count, step))
      if step > 0 {
        let first = min(max(normal(start ?? 0), 0), count)
        return stride(from: first, to: min(max(normal(end ?? count), 0), count), by: step)
      }
      let first = min(max(start.map(normal) ?? count - 1, -1), count - 1)
      return stride(from: first, to: min(max(end.map(normal) ?? -1, -1), count - 1), by: step)
    }

    // MARK: - Filters

    private mutating func holds(_ filter: Filter, for value: Value) -> Bool {
      switch filter {
      case .all(let parts):
        for part in parts where !holds(part, for: value) { return false }
        return true
      case .any(let parts):
        for part in parts where holds(part, for: value) { return true }
        return false
      case .not(let inner): return !holds(inner, for: value)
      case .exists(let query): return !values(of: query, for: value).isEmpty
      case .comparison(let left, let comparison, let right):
        return compare(operand(left, value), comparison, operand(right, value))
      }
    }

    private mutating func values(of query: Query, for value: Value) -> [Value] {
      follow(query.segments, from: query.isRelative ? value : root)
    }

    private mutating func operand(_ operand: Operand, _ value: Value) -> Value? {
      switch operand {
      case .value(let literal): literal
      case .query(let query): values(of: query, for: value).first
      }
    }

    /// Section 2.3.5.2.2; nothing is equal to nothing, and in no order to anything.
    private func compare(_ left: Value?, _ comparison: Comparison, _ right: Value?) -> Bool {
      switch comparison {
      case .equal: isEqual(left, right)
      case .unequal: !isEqual(left, right)
      case .less: isLess(left, right)
      case .greater: isLess(right, left)
      case .lessOrEqual: isLess(left, right) || isEqual(left, right)
      case .greaterOrEqual: isLess(right, left) || isEqual(left, right)
      }
    }

    private func isEqual(_ left: Value?, _ right: Value?) -> Bool {
      guard let left, let right else { return left == nil && right == nil }
      return left.isEqual(to: right)
    }

    private func isLess(_ left: Value?, _ right: Value?) -> Bool {
      switch (left, right) {
      case (.string(let left)?, .string(let right)?):
        return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
      case (.integer(let left)?, .integer(let right)?): return left < right
      case (.integer(let left)?, .number(let right)?): return Double(left) < right
      case (.number(let left)?, .integer(let right)?): return left < Double(right)
      case (.number(let left)?, .number(let right)?): return left < right
      default: return false
      }
    }
  }
}

extension Value {
  /// True if it may hold other values.
  fileprivate var hasPlaces: Bool {
    switch self {
    case .list, .map: true
    default: false
    }
  }

  /// The elements of a list, the values of a map, or nothing.
  fileprivate var children: [Value] {
    switch self {
    case .list(let elements): elements
    case .map(let members): Array(members.values)
    case .null, .bool, .integer, .number, .string: []
    }
  }
}
