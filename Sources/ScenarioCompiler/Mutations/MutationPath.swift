internal import Foundations
internal import Patterns

/// A path of `only:` or `except:`, which stands for all places that it leads to and all below them.
///
/// Written as the keys of `with` are, and as a query of RFC 9535 without filters and slices: `address`,
/// `items[*].price`, `$..id`.
struct MutationPath: Hashable, Sendable {
  private let segments: [JSONPathQuery.Segment]

  /// Reads a path.
  init(_ text: String) throws(PatternError) {
    let isQuery = text.hasPrefix("$")
    let needsPoint = !text.hasPrefix("[") && !text.hasPrefix(".")
    segments = try JSONPathQuery(isQuery ? text : "$" + (needsPoint ? "." : "") + text).segments
    let isPlain = segments.allSatisfy { segment in
      segment.selectors.allSatisfy { selector in
        switch selector {
        case .key, .wildcard: true
        case .index(let index): index >= 0
        case .slice, .filter: false
        }
      }
    }
    guard isPlain, !segments.isEmpty else {
      throw PatternError(
        "\"\(text)\" is not a path to fields",
        help: "write a path such as address.city or items[*].price")
    }
  }

  /// Returns whether it leads to the place, or to one around it.
  func covers(_ steps: [PathStep]) -> Bool {
    // Which segments can come next; a path is short, and so is the set.
    var states: Set<Int> = [0]
    for step in steps {
      var next: Set<Int> = []
      for state in states {
        let segment = segments[state]
        if segment.isDescendant { next.insert(state) }
        if segment.selectors.contains(where: { $0.takes(step) }) { next.insert(state + 1) }
      }
      if next.contains(segments.count) { return true }
      states = next
    }
    return false
  }
}

extension JSONPathQuery.Selector {
  fileprivate func takes(_ step: PathStep) -> Bool {
    switch (self, step) {
    case (.wildcard, _): true
    case (.key(let wanted), .key(let key)): wanted == key
    case (.index(let wanted), .index(let index)): wanted == index
    default: false
    }
  }
}
