internal import ScenarioModel

/// One condition of an entry and what a request has to say to it.
struct RequestPredicate {
  /// What is compared, such as `method` or `header "accept"`.
  var name: String
  /// What the entry asks for.
  var expected: String
  /// What the request has; `nil` if the condition holds.
  var actual: String?

  var isSatisfied: Bool { actual == nil }

  /// The failed condition as a line of a near miss.
  var line: String? {
    actual.map { "\(name): expected \(expected), got \($0)" }
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
    case .http(let method, let url, let headers, let json, let body):
      if let method { add("method", method, request.method == method ? nil : request.method) }
      assess(url, request.target)
      for header in headers {
        let subject = request.header(header.name).map(MatchSubject.text) ?? .absent
        assess("header \"\(header.name)\"", header.matcher, subject, scope)
      }
      if let json { assessJSON(json, request, scope) }
      if let body {
        if let truncation = request.truncation {
          add("body", body.summary, truncation)
        } else {
          assess("body", body, .text(request.text), scope)
        }
      }
    case .graphQL(let match):
      if let url = match.url { assess(url, request.target) }
      assess(match, request.graphQL, scope)
    }
  }

  mutating func add(_ name: String, _ expected: String, _ actual: String?) {
    predicates.append(RequestPredicate(name: name, expected: expected, actual: actual))
  }

  // MARK: - HTTP

  private mutating func assess(_ url: URLPattern, _ target: RequestTarget) {
    if let scheme = url.scheme {
      add("scheme", scheme, url.matchesScheme(target) ? nil : target.scheme)
    }
    if let host = url.host {
      let expected = url.port.map { "\(host):\($0)" } ?? host
      let isMatch = url.matchesHost(target) && url.matchesPort(target)
      add("host", expected, isMatch ? nil : "\(target.host):\(target.port)")
    }
    let found = url.matchPath(target)
    captures = found ?? [:]
    add("path", url.path, found == nil ? target.path : nil)
    for item in url.query {
      let others = target.query.filter { $0.name == item.name }.map { "\"\($0.value)\"" }
      add(
        "query \"\(item.name)\"", "\"\(item.value)\"",
        url.matches(item, in: target)
          ? nil : others.isEmpty ? "nothing" : others.joined(separator: ", "))
    }
  }

  mutating func assess(
    _ name: String, _ matcher: PlannedMatcher, _ subject: MatchSubject, _ scope: some RunScope
  ) {
    guard let mismatch = matcher.check(subject, scope: scope) else {
      return add(name, matcher.summary, nil)
    }
    add(name, mismatch.expectation, mismatch.actual)
  }

  private mutating func assessJSON(
    _ matcher: PlannedMatcher, _ request: IncomingRequest, _ scope: some RunScope
  ) {
    if let json = request.json { return assess("json", matcher, .value(json), scope) }
    let reason = request.jsonError.map { error in
      "a body that is no JSON (\(error.line):\(error.column): \(error.message))"
    }
    add("json", matcher.summary, request.truncation ?? reason ?? "no body")
  }
}

extension Mismatch {
  /// The message for a line that says "expected" already.
  fileprivate var expectation: String {
    message.hasPrefix("expected ") ? String(message.dropFirst("expected ".count)) : message
  }
}
