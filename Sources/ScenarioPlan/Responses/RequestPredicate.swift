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
    case .graphQL(let match):
      if let url = match.url { assess(url, request.target) }
      assess(match, request.graphQL, scope)
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
}

extension Mismatch {
  /// The message for a line that says "expected" already.
  var expectation: String {
    message.hasPrefix("expected ") ? String(message.dropFirst("expected ".count)) : message
  }
}
