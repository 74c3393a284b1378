internal import Foundations
internal import OrderedCollections
internal import ScenarioPlan

/// One condition of an entry, with the value of the request.
struct RequestPredicate {
  /// The part that is compared, such as `method` or `header "accept"`.
  var name: String
  /// The condition of the stub.
  var expected: String
  /// The request's own value; `nil` if the condition holds.
  var actual: String?
  /// The name of the state that is compared; `nil` of what the request has.
  var state: String?
  /// Further lines: the other places of a document, or a diff.
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

/// The assessment of a request by all conditions of an entry.
struct RequestAssessment {
  var predicates: [RequestPredicate] = []
  /// True if every condition holds.
  private(set) var isMatch = true
  /// True if the text of the conditions is needed.
  let isTold: Bool

  var satisfiedCount: Int { predicates.count { $0.isSatisfied } }

  /// The conditions on the state that do not hold, if nothing else is missing; empty otherwise.
  var missingState: [RequestPredicate] {
    let missing = predicates.filter { !$0.isSatisfied }
    return missing.allSatisfy { $0.state != nil } ? missing : []
  }

  /// The nearness to a match, before conditions are counted: 2 matches, 1 lacks nothing but another state.
  var rank: Int { isMatch ? 2 : missingState.isEmpty ? 0 : 1 }

  /// Compares every condition, in words, for a report.
  init(_ response: PlannedResponse, _ request: IncomingRequest, _ scope: some RunScope) {
    isTold = true
    switch response.match {
    case .http(let wanted):
      assessMethod(wanted, request)
      if let store = response.store {
        assess(store, request.target)
      } else if let url = wanted.url {
        assess(url, request.target)
      }
      assess(wanted, request, scope)
    case .graphQL(let match):
      if let url = match.url { assess(url, request.target) }
      assess(match, request.graphQL, scope)
    }
    if let use = response.state { assess(use, scope) }
  }

  /// Compares the conditions that are none on method and address, without words, for a match.
  init(
    beyondAddressOf response: PlannedResponse, _ request: IncomingRequest, _ scope: some RunScope
  ) {
    isTold = false
    switch response.match {
    case .http(let wanted): assess(wanted, request, scope)
    case .graphQL(let match): assess(match, request.graphQL, scope)
    }
  }

  private mutating func assess(_ use: PlannedStateUse, _ scope: some RunScope) {
    let state = scope.value(of: ExpressionRoot.state.rawValue)
    for condition in use.conditions {
      let value = state?.member(condition.name)
      let holds = condition.holds(of: value, scope: scope)
      add(
        "state \"\(condition.name)\"", condition.matcher.wish,
        holds ? nil : value?.excerpt() ?? "not set")
      predicates[predicates.count - 1].state = condition.name
    }
  }

  /// An assessment of a part of a request.
  init(isTold: Bool) {
    self.isTold = isTold
  }

  /// The empty assessment of a part of this one.
  var part: RequestAssessment { RequestAssessment(isTold: isTold) }

  mutating func add(
    _ name: @autoclosure () -> String, _ expected: @autoclosure () -> String, _ actual: String?,
    diff: [String] = [], more: [String] = []
  ) {
    if actual != nil { isMatch = false }
    guard isTold else { return }
    predicates.append(
      RequestPredicate(
        name: name(), expected: expected(), actual: actual,
        more: actual == nil ? [] : diff.prefix(20).map { "  " + $0 } + more))
  }

  /// Adds the assessment of a part.
  mutating func add(_ part: RequestAssessment) {
    if !part.isMatch { isMatch = false }
    predicates += part.predicates
  }
}

extension Mismatch {
  /// The message for a line that says "expected" already.
  var expectation: String {
    message.hasPrefix("expected ") ? String(message.dropFirst("expected ".count)) : message
  }
}
