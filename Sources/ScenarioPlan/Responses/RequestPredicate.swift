internal import OrderedCollections
internal import ScenarioModel

/// One condition of an entry and what a request has to say to it.
struct RequestPredicate {
  /// What is compared, such as `method` or `header "accept"`.
  var name: String
  /// What the entry asks for.
  var expected: String
  /// What the request has; `nil` if the condition holds.
  var actual: String?
  /// More lines: the other places of a document, or a diff.
  var more: [String] = []

  var isSatisfied: Bool { actual == nil }

  /// The failed condition as lines of a near miss.
  var lines: [String] {
    guard let actual else { return [] }
    return [Self.line(name, expected, actual)] + more
  }

  static func line(_ name: String, _ expected: String, _ actual: String) -> String {
    "\(name): expected \(expected), got \(actual)"
  }
}

/// All conditions of an entry against one request.
struct RequestAssessment {
  var predicates: [RequestPredicate] = []
  var captures: [String: String] = [:]

  var satisfiedCount: Int { predicates.count { $0.isSatisfied } }
  var isMatch: Bool { predicates.allSatisfy(\.isSatisfied) }

  init(_ response: PlannedResponse, _ request: IncomingRequest, _ scope: some RunScope) {
    switch response.match {
    case .http(let wanted): assess(wanted, request, scope)
    case .graphQL(let kind, let operation, let url, let variables, let isExact):
      if let url { assess(url, request.target) }
      assess(kind, operation, request.graphQL)
      if let variables { assess(variables, isExact, request.graphQL, scope) }
    }
  }

  init() {}

  mutating func add(
    _ name: String, _ expected: String, _ actual: String?, diff: [String] = [],
    more: [String] = []
  ) {
    predicates.append(
      RequestPredicate(
        name: name, expected: expected, actual: actual,
        more: actual == nil ? [] : diff.prefix(20).map { "  " + $0 } + more))
  }

  // MARK: - GraphQL

  private mutating func assess(
    _ kind: GraphQLPattern.OperationKind, _ operation: String, _ graphQL: GraphQLRequest?
  ) {
    guard let graphQL else {
      return add("operation", "\(kind.rawValue) \(operation)", "no GraphQL")
    }
    guard let found = graphQL.operation else {
      return add(
        "operation", "\(kind.rawValue) \(operation)", graphQL.problem ?? "no operation")
    }
    add("kind", kind.rawValue, found.kind == kind.rawValue ? nil : found.kind)
    add(
      "operation", operation,
      found.name == operation ? nil : found.name ?? "an operation without a name")
  }

  private mutating func assess(
    _ variables: PlannedData, _ isExact: Bool, _ graphQL: GraphQLRequest?, _ scope: some RunScope
  ) {
    guard let actual = graphQL?.variables else {
      return add("variables", variables.sourceText.excerpt(limit: 80), "no variables")
    }
    do throws(RunScopeError) {
      let expected = try variables.resolve(in: scope)
      if isExact {
        let isEqual = expected.isEqual(to: actual)
        return add(
          "variables", "exactly \(expected.excerpt())", isEqual ? nil : actual.excerpt())
      }
      guard let difference = ValueComparison.missing(expected, in: actual) else {
        return add("variables", expected.excerpt(), nil)
      }
      let place = "variables" + difference.path.dropFirst()
      add(place, difference.expected.excerpt(), difference.actual?.excerpt() ?? "nothing")
    } catch {
      add("variables", variables.sourceText, "a condition that cannot be made: \(error.message)")
    }
  }
}

extension Mismatch {
  /// The message for a line that says "expected" already.
  var expectation: String {
    message.hasPrefix("expected ") ? String(message.dropFirst("expected ".count)) : message
  }
}
