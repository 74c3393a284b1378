/// Evaluates an expression on a document.
///
/// A prefix that is bound means its namespace; one that is not is compared as the document writes it; a name without a
/// prefix means every namespace.
struct XPathEvaluation {
  /// The place from which an expression is evaluated.
  struct Context {
    var node: Int
    var position = 1
    var size = 1
  }

  let document: XMLDocument
  let namespaces: [String: String]
  /// The number of nodes that may still be visited; not positive once it is too much.
  var remaining: Int
  /// The tests of steps that were taken, by their place in the path.
  var matchers: [Range<Int>: XPathNameMatcher] = [:]

  mutating func value(of expression: XPathExpression, at context: Context) -> XPathValue {
    switch expression {
    case .or(let left, let right):
      return .truth(truth(of: left, at: context) || truth(of: right, at: context))
    case .and(let left, let right):
      return .truth(truth(of: left, at: context) && truth(of: right, at: context))
    case .comparison(let left, let comparison, let right):
      let (left, right) = (value(of: left, at: context), value(of: right, at: context))
      return .truth(compare(left, comparison, right))
    case .arithmetic(let left, let sign, let right):
      let (left, right) = (number(of: left, at: context), number(of: right, at: context))
      switch sign {
      case .add: return .number(left + right)
      case .subtract: return .number(left - right)
      case .multiply: return .number(left * right)
      case .divide: return .number(left / right)
      case .remainder: return .number(left.truncatingRemainder(dividingBy: right))
      }
    case .negative(let inner): return .number(-number(of: inner, at: context))
    case .union(let left, let right):
      return .nodes(Self.ordered(nodes(of: left, at: context) + nodes(of: right, at: context)))
    case .path(let isAbsolute, let steps):
      return .nodes(follow(steps, from: [isAbsolute ? 0 : context.node]))
    case .filter(let inner, let predicates, let steps):
      let filtered = filter(nodes(of: inner, at: context), by: predicates)
      return .nodes(follow(steps, from: filtered))
    case .text(let text): return .text(text)
    case .number(let number): return .number(number)
    case .call(let function, let arguments): return call(function, arguments, at: context)
    }
  }

  // MARK: - Conversions

  mutating func nodes(of expression: XPathExpression, at context: Context) -> [Int] {
    guard case .nodes(let nodes) = value(of: expression, at: context) else { return [] }
    return nodes
  }

  mutating func truth(of expression: XPathExpression, at context: Context) -> Bool {
    truth(of: value(of: expression, at: context))
  }

  mutating func number(of expression: XPathExpression, at context: Context) -> Double {
    number(of: value(of: expression, at: context))
  }

  mutating func text(of expression: XPathExpression, at context: Context) -> String {
    text(of: value(of: expression, at: context))
  }

  /// Section 4.3.
  func truth(of value: XPathValue) -> Bool {
    switch value {
    case .nodes(let nodes): !nodes.isEmpty
    case .text(let text): !text.isEmpty
    case .number(let number): number != 0 && !number.isNaN
    case .truth(let truth): truth
    }
  }

  /// Section 4.4.
  mutating func number(of value: XPathValue) -> Double {
    switch value {
    case .nodes, .text: XPathNumber.value(of: text(of: value))
    case .number(let number): number
    case .truth(let truth): truth ? 1 : 0
    }
  }

  /// Section 4.2.
  mutating func text(of value: XPathValue) -> String {
    switch value {
    case .nodes(let nodes): nodes.first.map { stringValue(of: $0) } ?? ""
    case .text(let text): text
    case .number(let number): XPathNumber.text(of: number)
    case .truth(let truth): truth ? "true" : "false"
    }
  }

  /// The string-value of a node; the nodes in an element count as visited.
  mutating func stringValue(of node: Int) -> String {
    let text = document.text(of: node)
    remaining -= 1 + max(0, Int(document.nodes[node].end) - node) + text.utf8.count / 64
    return remaining > 0 ? text : ""
  }

  // MARK: - Comparisons

  /// Section 3.4.
  private mutating func compare(
    _ left: XPathValue, _ comparison: XPathExpression.Comparison, _ right: XPathValue
  ) -> Bool {
    switch (left, right) {
    case (.truth, _), (_, .truth):
      if comparison.isEquality {
        return comparison.holds(truth(of: left) ? 1 : 0, truth(of: right) ? 1 : 0)
      }
      return comparison.holds(
        left.isNodes ? (truth(of: left) ? 1 : 0) : number(of: left),
        right.isNodes ? (truth(of: right) ? 1 : 0) : number(of: right))
    case (.nodes(let left), .nodes(let right)): return compare(left, comparison, right)
    case (.nodes(let nodes), let other):
      return nodes.contains { compare(stringValue(of: $0), comparison, other) }
    case (let other, .nodes(let nodes)):
      return nodes.contains { compare(stringValue(of: $0), comparison.mirrored, other) }
    case (.text(let left), .text(let right)) where comparison.isEquality:
      return left.utf8.elementsEqual(right.utf8) == (comparison == .equal)
    default: return comparison.holds(number(of: left), number(of: right))
    }
  }

  private mutating func compare(
    _ text: String, _ comparison: XPathExpression.Comparison, _ other: XPathValue
  ) -> Bool {
    if case .text(let right) = other, comparison.isEquality {
      return text.utf8.elementsEqual(right.utf8) == (comparison == .equal)
    }
    return comparison.holds(XPathNumber.value(of: text), number(of: other))
  }

  /// Compares each of some nodes with each of others, without as many comparisons.
  private mutating func compare(
    _ left: [Int], _ comparison: XPathExpression.Comparison, _ right: [Int]
  ) -> Bool {
    let left = left.map { stringValue(of: $0) }
    let right = right.map { stringValue(of: $0) }
    switch comparison {
    case .equal: return !Set(left.map(Bytes.init)).isDisjoint(with: right.map(Bytes.init))
    case .unequal:
      guard let first = left.first.map(Bytes.init), !right.isEmpty else { return false }
      return (right + left).contains { Bytes($0) != first }
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let left = left.map(XPathNumber.value).filter { !$0.isNaN }
      let right = right.map(XPathNumber.value).filter { !$0.isNaN }
      let isLess = comparison == .less || comparison == .lessOrEqual
      guard let nearest = isLess ? left.min() : left.max(),
        let furthest = isLess ? right.max() : right.min()
      else { return false }
      return comparison.holds(nearest, furthest)
    }
  }

  /// A text whose bytes count, as they do in XML.
  private struct Bytes: Hashable {
    var bytes: [UInt8]
    init(_ text: String) { bytes = Array(text.utf8) }
  }
}

extension XPathValue {
  fileprivate var isNodes: Bool {
    if case .nodes = self { true } else { false }
  }
}

extension XPathExpression.Comparison {
  var isEquality: Bool { self == .equal || self == .unequal }

  /// The comparison with its sides changed.
  var mirrored: XPathExpression.Comparison {
    switch self {
    case .equal, .unequal: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  func holds(_ left: Double, _ right: Double) -> Bool {
    switch self {
    case .equal: left == right
    case .unequal: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }
}
