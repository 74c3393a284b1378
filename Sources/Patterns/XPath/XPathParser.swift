internal import Foundations

/// A recursive descent parser of XPath 1.0, bounded in depth and in length.
struct XPathParser {
  /// The greatest depth of parentheses and predicates.
  private static let maximumDepth = 32
  /// The largest number of operators, steps and calls, which are evaluated by recursion.
  private static let maximumSize = 256

  private let tokens: [XPathLexer.Place]
  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0
  private var size = 0

  init(_ text: String) throws(XPathError) {
    bytes = Array(text.utf8)
    tokens = try XPathLexer.tokens(of: text)
  }

  mutating func parse() throws(XPathError) -> XPathExpression {
    guard token != .end else { throw XPathError("the path is empty", at: 0, help: "write //name") }
    let expression = try or()
    guard token == .end else { throw unexpected("the end or an operator") }
    return expression
  }

  // MARK: - Operators

  private mutating func or() throws(XPathError) -> XPathExpression {
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw XPathError("the path nests deeper than \(Self.maximumDepth)", at: offset)
    }
    defer { depth -= 1 }
    var left = try and()
    while take("or") {
      try grow()
      left = .or(left, try and())
    }
    return left
  }

  private mutating func and() throws(XPathError) -> XPathExpression {
    var left = try equality()
    while take("and") {
      try grow()
      left = .and(left, try equality())
    }
    return left
  }

  private mutating func equality() throws(XPathError) -> XPathExpression {
    var left = try order()
    while let comparison = takeOne(of: Self.equalities) {
      try grow()
      left = .comparison(left, comparison, try order())
    }
    return left
  }

  private mutating func order() throws(XPathError) -> XPathExpression {
    var left = try sum()
    while let comparison = takeOne(of: Self.orders) {
      try grow()
      left = .comparison(left, comparison, try sum())
    }
    return left
  }

  private mutating func sum() throws(XPathError) -> XPathExpression {
    var left = try product()
    while let sign = takeOne(of: Self.sums) {
      try grow()
      left = .arithmetic(left, sign, try product())
    }
    return left
  }

  private mutating func product() throws(XPathError) -> XPathExpression {
    var left = try negation()
    while let sign = takeOne(of: Self.products) {
      try grow()
      left = .arithmetic(left, sign, try negation())
    }
    return left
  }

  private static let equalities: KeyValuePairs<String, XPathExpression.Comparison> = [
    "=": .equal, "!=": .unequal,
  ]
  private static let orders: KeyValuePairs<String, XPathExpression.Comparison> = [
    "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
  ]
  private static let sums: KeyValuePairs<String, XPathExpression.Operator> = [
    "+": .add, "-": .subtract,
  ]
  private static let products: KeyValuePairs<String, XPathExpression.Operator> = [
    "*": .multiply, "div": .divide, "mod": .remainder,
  ]

  private mutating func negation() throws(XPathError) -> XPathExpression {
    var isNegative = false
    var hasSign = false
    while take("-") {
      isNegative.toggle()
      hasSign = true
    }
    let inner = try union()
    guard hasSign else { return inner }
    // Two signs make a number of it all the same.
    return isNegative ? .negative(inner) : .call(.number, [inner])
  }

  private mutating func union() throws(XPathError) -> XPathExpression {
    let start = offset
    var left = try path()
    while take("|") {
      try grow()
      let right = try path()
      guard left.givesNodes, right.givesNodes else {
        throw XPathError("\"|\" joins nodes, and a side of it gives none", at: start)
      }
      left = .union(left, right)
    }
    return left
  }

  // MARK: - Paths

  private mutating func path() throws(XPathError) -> XPathExpression {
    switch token {
    case .text(let text):
      index += 1
      return .text(text)
    case .number(let number):
      index += 1
      return .number(number)
    case .sign("("):
      index += 1
      let inner = try or()
      try expect(")")
      return try filter(inner)
    case .name(let name)
    where tokens[index + 1].token == .sign("(") && !Self.nodeTypes.contains(name):
      return try filter(try call(name))
    case .sign("/"):
      index += 1
      guard startsStep else { return .path(isAbsolute: true, []) }
      return .path(isAbsolute: true, try steps())
    case .sign("//"): return .path(isAbsolute: true, try steps())
    default:
      guard startsStep else { throw unexpected("a path, a text or a number") }
      return .path(isAbsolute: false, try steps())
    }
  }

  private mutating func filter(_ inner: XPathExpression) throws(XPathError) -> XPathExpression {
    let start = offset
    let predicates = try self.predicates()
    var steps: [XPathStep] = []
    if token == .sign("/") {
      index += 1
      guard startsStep else { throw unexpected("a step behind \"/\"") }
      steps = try self.steps()
    } else if token == .sign("//") {
      steps = try self.steps()
    }
    guard !predicates.isEmpty || !steps.isEmpty else { return inner }
    guard inner.givesNodes else {
      throw XPathError("only nodes can be filtered, and this gives none", at: start)
    }
    return .filter(inner, predicates: predicates, steps)
  }

  private mutating func steps() throws(XPathError) -> [XPathStep] {
    var steps: [XPathStep] = []
    var isFirst = true
    while true {
      let separator = offset
      let isDescendant = take("//")
      guard isDescendant || isFirst || take("/") else { return steps }
      isFirst = false
      guard startsStep else { throw unexpected("a step, such as a name") }
      var step = try self.step()
      if isDescendant {
        // The same as descendant-or-self::node()/child::…, unless a position is asked for.
        if step.axis == .child, step.predicates.allSatisfy(\.isFreeOfPosition) {
          step.axis = .descendant
        } else {
          steps.append(
            XPathStep(
              axis: .descendantOrSelf, test: .node, place: separator..<separator, end: separator))
        }
      }
      steps.append(step)
    }
  }

  private static let nodeTypes = ["comment", "node", "processing-instruction", "text"]

  private var startsStep: Bool {
    switch token {
    case .name: true
    case .sign(let sign): [".", "..", "@"].contains(sign)
    case .text, .number, .end: false
    }
  }

  private mutating func step() throws(XPathError) -> XPathStep {
    try grow()
    let start = offset
    if take(".") { return short(.itself, from: start) }
    if take("..") { return short(.parent, from: start) }
    var axis = XPathStep.Axis.child
    if take("@") {
      axis = .attribute
    } else if case .name(let name) = token, tokens[index + 1].token == .sign("::") {
      axis = try self.axis(name)
      index += 2
    }
    let test = try self.test()
    let end = tokens[index - 1].range.upperBound
    let predicates = try self.predicates()
    return XPathStep(
      axis: axis, test: test, predicates: predicates, place: start..<end,
      end: tokens[index - 1].range.upperBound)
  }

  private func short(_ axis: XPathStep.Axis, from start: Int) -> XPathStep {
    let end = tokens[index - 1].range.upperBound
    return XPathStep(axis: axis, test: .node, place: start..<end, end: end)
  }

  private func axis(_ name: String) throws(XPathError) -> XPathStep.Axis {
    if let axis = XPathStep.Axis(rawValue: name) { return axis }
    if name == "namespace" {
      throw XPathError(
        "namespaces are no nodes here", at: offset, help: "compare namespace-uri() of an element")
    }
    throw XPathError(
      "there is no axis \"\(name)\"", at: offset,
      help: Suggestion.help(
        for: name, in: XPathStep.Axis.allCases.map(\.rawValue), label: "axes"))
  }

  private mutating func test() throws(XPathError) -> XPathStep.Test {
    guard case .name(let name) = token else { throw unexpected("a name or *") }
    index += 1
    if token == .sign("("), Self.nodeTypes.contains(name) {
      index += 1
      var target: String?
      if name == "processing-instruction", case .text(let text) = token {
        target = text
        index += 1
      }
      try expect(")")
      switch name {
      case "comment": return .comment
      case "text": return .text
      case "node": return .node
      default: return .instruction(target)
      }
    }
    if name == "*" { return .anyName }
    guard let colon = name.firstIndex(of: ":") else { return .name(prefix: "", local: name) }
    let (prefix, local) = (String(name[..<colon]), String(name[name.index(after: colon)...]))
    return local == "*" ? .anyNameWith(prefix: prefix) : .name(prefix: prefix, local: local)
  }

  private mutating func predicates() throws(XPathError) -> [XPathExpression] {
    var predicates: [XPathExpression] = []
    while take("[") {
      predicates.append(try or())
      try expect("]")
    }
    return predicates
  }

  // MARK: - Functions

  private mutating func call(_ name: String) throws(XPathError) -> XPathExpression {
    try grow()
    let start = offset
    guard let function = XPathFunction(rawValue: name) else {
      throw XPathError(
        "XPath 1.0 has no function \"\(name)\"", at: start,
        help: XPathFunction.later[name]
          ?? Suggestion.help(
            for: name, in: XPathFunction.allCases.map(\.rawValue), label: "functions"))
    }
    index += 2
    var arguments: [XPathExpression] = []
    if !take(")") {
      repeat { arguments.append(try or()) } while take(",")
      try expect(")")
    }
    let count = function.argumentCount
    guard count.contains(arguments.count) else {
      let wanted =
        count.upperBound == .max
        ? "at least \(count.lowerBound)"
        : count.lowerBound == count.upperBound
          ? "\(count.lowerBound)" : "\(count.lowerBound) or \(count.upperBound)"
      throw XPathError(
        "\(name)() takes \(wanted) argument\(wanted == "1" ? "" : "s"), not \(arguments.count)",
        at: start)
    }
    if function.takesNodes, let first = arguments.first, !first.givesNodes {
      throw XPathError("\(name)() takes nodes, and its argument gives none", at: start)
    }
    return .call(function, arguments)
  }

  // MARK: - Tokens

  private var token: XPathLexer.Token { tokens[index].token }
  private var offset: Int { tokens[index].range.lowerBound }

  private mutating func take(_ sign: String) -> Bool {
    guard token == .sign(sign) else { return false }
    index += 1
    return true
  }

  private mutating func takeOne<Meaning>(of signs: KeyValuePairs<String, Meaning>) -> Meaning? {
    for (sign, meaning) in signs where take(sign) { return meaning }
    return nil
  }

  private mutating func expect(_ sign: String) throws(XPathError) {
    guard take(sign) else { throw unexpected("\"\(sign)\"") }
  }

  private mutating func grow() throws(XPathError) {
    size += 1
    guard size <= Self.maximumSize else {
      throw XPathError("the path has more than \(Self.maximumSize) parts", at: offset)
    }
  }

  private func unexpected(_ wanted: String) -> XPathError {
    let range = tokens[index].range
    let found =
      token == .end ? "the end" : "\"\(String(decoding: bytes[range], as: UTF8.self))\""
    return XPathError("expected \(wanted), found \(found)", at: range.lowerBound)
  }
}

extension XPathExpression {
  /// True if its value is a set of nodes.
  var givesNodes: Bool {
    switch self {
    case .path, .filter, .union: true
    case .or, .and, .comparison, .arithmetic, .negative, .text, .number, .call: false
    }
  }
}
