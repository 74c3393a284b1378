/// An expression of XPath 1.0 (section 3).
indirect enum XPathExpression: Hashable, Sendable {
  /// `=`, `<=` and the like.
  enum Comparison: Hashable, Sendable {
    case equal
    case unequal
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
  }

  /// `+`, `div` and the like.
  enum Operator: Hashable, Sendable {
    case add
    case subtract
    case multiply
    case divide
    case remainder
  }

  case or(XPathExpression, XPathExpression)
  case and(XPathExpression, XPathExpression)
  case comparison(XPathExpression, Comparison, XPathExpression)
  case arithmetic(XPathExpression, Operator, XPathExpression)
  case negative(XPathExpression)
  case union(XPathExpression, XPathExpression)
  /// A path from the root, or from where it is evaluated.
  case path(isAbsolute: Bool, [XPathStep])
  /// Nodes that another expression gives, filtered, and a path from each of them.
  case filter(XPathExpression, predicates: [XPathExpression], [XPathStep])
  case text(String)
  case number(Double)
  case call(XPathFunction, [XPathExpression])
}

/// A step of a path (section 2.1).
struct XPathStep: Hashable, Sendable {
  enum Axis: String, Hashable, Sendable, CaseIterable {
    case ancestor
    case ancestorOrSelf = "ancestor-or-self"
    case attribute
    case child
    case descendant
    case descendantOrSelf = "descendant-or-self"
    case following
    case followingSibling = "following-sibling"
    case parent
    case preceding
    case precedingSibling = "preceding-sibling"
    case itself = "self"

    /// True if nodes are counted towards the beginning of the document (section 2.4).
    var isReverse: Bool {
      switch self {
      case .ancestor, .ancestorOrSelf, .preceding, .precedingSibling: true
      default: false
      }
    }
  }

  /// The nodes of an axis that are taken (section 2.3).
  enum Test: Hashable, Sendable {
    case node
    case text
    case comment
    case instruction(String?)
    /// `*`
    case anyName
    /// `p:*`
    case anyNameWith(prefix: String)
    case name(prefix: String, local: String)
  }

  var axis: Axis
  var test: Test
  var predicates: [XPathExpression] = []
  /// The bytes of the step in the path's text, without the slash in front and without predicates.
  var place: Range<Int>
  /// The byte behind its predicates.
  var end: Int
}

extension XPathExpression {
  /// True if its value is a number in any case.
  private var isNumber: Bool {
    switch self {
    case .number, .arithmetic, .negative: true
    case .call(let function, _): function.givesNumber
    default: false
    }
  }

  /// True if it means the same wherever a node stands among the others: it asks for no position, and is none.
  var isFreeOfPosition: Bool { !isNumber && !asksForPosition }

  private var asksForPosition: Bool {
    switch self {
    case .call(.position, _), .call(.last, _): true
    case .call(_, let arguments): arguments.contains(where: \.asksForPosition)
    case .or(let left, let right), .and(let left, let right), .comparison(let left, _, let right),
      .arithmetic(let left, _, let right), .union(let left, let right):
      left.asksForPosition || right.asksForPosition
    case .negative(let inner): inner.asksForPosition
    case .filter(let inner, _, _): inner.asksForPosition
    // Predicates further in have positions of their own.
    case .path, .text, .number: false
    }
  }

  /// The prefixes in the names of it.
  var prefixes: Set<String> {
    switch self {
    case .or(let left, let right), .and(let left, let right), .comparison(let left, _, let right),
      .arithmetic(let left, _, let right), .union(let left, let right):
      left.prefixes.union(right.prefixes)
    case .negative(let inner): inner.prefixes
    case .path(_, let steps): Self.prefixes(of: steps)
    case .filter(let inner, let predicates, let steps):
      predicates.reduce(inner.prefixes.union(Self.prefixes(of: steps))) { $0.union($1.prefixes) }
    case .text, .number: []
    case .call(_, let arguments): arguments.reduce([]) { $0.union($1.prefixes) }
    }
  }

  private static func prefixes(of steps: [XPathStep]) -> Set<String> {
    steps.reduce(into: []) { prefixes, step in
      switch step.test {
      case .name(let prefix, _) where !prefix.isEmpty: prefixes.insert(prefix)
      case .anyNameWith(let prefix): prefixes.insert(prefix)
      default: break
      }
      for predicate in step.predicates { prefixes.formUnion(predicate.prefixes) }
    }
  }
}
