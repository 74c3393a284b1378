internal import Foundations
package import GraphQL
internal import OrderedCollections
internal import Patterns
internal import ScenarioPlan

extension RequestAssessment {
  /// Assesses all conditions on an operation.
  mutating func assess(
    _ match: PlannedGraphQLMatch, _ graphQL: GraphQLRequest?, _ scope: some RunScope
  ) {
    assessOperation(match, graphQL)
    if let document = match.document { assess(document, graphQL) }
    if let variables = match.variables { assess(variables, match, graphQL, scope) }
    for matcher in match.matchers {
      let place = "variables" + matcher.name.dropFirst()
      assess(place, matcher.matcher, graphQL?.variable(at: matcher.name) ?? .absent, scope)
    }
  }

  /// Assesses the payload of `connection_init`.
  init(
    _ payload: Value?, asVariablesOf match: PlannedGraphQLMatch, _ scope: some RunScope
  ) {
    self.init(isTold: false)
    let request = GraphQLRequest(query: nil, variables: payload ?? .null)
    if let variables = match.variables { assess(variables, match, request, scope) }
    for matcher in match.matchers {
      assess(matcher.name, matcher.matcher, request.variable(at: matcher.name) ?? .absent, scope)
    }
  }

  private mutating func assessOperation(_ match: PlannedGraphQLMatch, _ graphQL: GraphQLRequest?) {
    let wanted = [match.kind?.rawValue ?? "operation", match.operation ?? "*"]
    guard let graphQL else {
      return add("operation", wanted.joined(separator: " "), "not GraphQL")
    }
    // Of a trusted document that was not sent, only its operation's name is known.
    let isTrusted = graphQL.query == nil && graphQL.operationName != nil
    guard graphQL.operation != nil || isTrusted else {
      return add("operation", wanted.joined(separator: " "), graphQL.problem ?? "no operation")
    }
    if let kind = match.kind, let found = graphQL.operation {
      add("kind", kind.rawValue, found.kind == kind ? nil : found.kind.rawValue)
    }
    if let name = match.operation {
      add(
        "operation", name,
        graphQL.name == name ? nil : graphQL.name ?? "an operation without a name")
    }
  }

  private mutating func assess(_ document: String, _ graphQL: GraphQLRequest?) {
    let found = graphQL?.document?.canonicalText
    add("document", document, found == document ? nil : found ?? "an unknown document")
  }

  /// Assesses one condition for each variable, so that a report shows all that differ.
  private mutating func assess(
    _ variables: PlannedData, _ match: PlannedGraphQLMatch, _ graphQL: GraphQLRequest?,
    _ scope: some RunScope
  ) {
    guard let actual = graphQL?.variables else {
      return add("variables", variables.sourceText.excerpt(limit: 80), "no variables")
    }
    do throws(RunScopeError) {
      guard case .map(let expected) = try variables.resolve(in: scope),
        case .map(var members) = actual
      else {
        return add("variables", variables.sourceText.excerpt(limit: 80), actual.excerpt())
      }
      for (key, value) in expected {
        let place = "variables" + PathStep.key(key).text
        guard let difference = difference(value, members[key], match, of: key) else {
          add(place, value.excerpt(), nil)
          continue
        }
        add(
          difference.path, difference.expected.excerpt(), difference.actual?.excerpt() ?? "nothing")
      }
      guard match.exact else { return }
      members.removeAll { member in
        expected[member.key] != nil
          || match.matchers.contains {
            (try? JSONPathQuery($0.name))?.steps?.first == .key(member.key)
          }
      }
      for (key, value) in members {
        add("variables" + PathStep.key(key).text, "nothing", value.excerpt())
      }
    } catch {
      add(
        "variables", variables.sourceText, "a condition that cannot be evaluated: \(error.message)")
    }
  }

  private func difference(
    _ expected: Value, _ actual: Value?, _ match: PlannedGraphQLMatch, of key: String
  ) -> ValueComparison.Difference? {
    let place = "variables" + PathStep.key(key).text
    guard match.exact else {
      return ValueComparison.missing(expected, in: actual, at: place)
    }
    let paths = match.matchers.compactMap { (try? JSONPathQuery($0.name))?.steps }
    let rest = actual?.without(paths, at: [.key(key)])
    guard let rest, expected.isEqual(to: rest) else {
      return .init(path: place, expected: expected, actual: actual)
    }
    return nil
  }
}

extension GraphQLRequest {
  /// The value at a JSON path into the variables.
  fileprivate func variable(at path: String) -> MatchSubject? {
    guard let steps = (try? JSONPathQuery(path))?.steps,
      let value = try? ValueLookup.find(steps, in: variables, named: "variables")
    else {
      return nil
    }
    return .value(value)
  }
}

extension Value {
  /// Returns the value without the parts at some paths.
  fileprivate func without(_ paths: [[PathStep]], at place: [PathStep]) -> Value {
    guard case .map(let members) = self, paths.contains(where: { $0.starts(with: place) }) else {
      return self
    }
    var rest: OrderedDictionary<String, Value> = [:]
    for (key, value) in members {
      let path = place + [.key(key)]
      if !paths.contains(path) { rest[key] = value.without(paths, at: path) }
    }
    return .map(rest)
  }
}

extension PlannedResponse {
  /// True if the entry answers GraphQL operations.
  var isGraphQL: Bool {
    if case .graphQL = match { true } else { false }
  }
}

extension IncomingRequest {
  /// The operation, where it went, and its variables, as the first line of a report.
  var graphQLSummary: [String] {
    guard let graphQL else { return [] }
    guard let operation = graphQL.operation else {
      return graphQL.problem.map { ["GraphQL: \($0)"] } ?? []
    }
    let name = operation.name.map { "\"\($0.text)\"" } ?? "without a name"
    let endpoint = "\(target.scheme)://\(target.host)\(target.path)"
    return [
      "\(operation.kind.rawValue) \(name) at \(endpoint) with \(graphQL.variables.excerpt(limit: 200))"
    ]
  }

  /// The request with another GraphQL request in it: a member of a batch, or one whose document was
  /// found.
  package func carrying(_ graphQL: GraphQLRequest?) -> IncomingRequest {
    var other = self
    other.graphQL = graphQL
    return other
  }
}
