internal import Foundations
internal import MockEngine
internal import MockServer
internal import OrderedCollections
internal import Patterns
internal import ScenarioEvents
internal import ScenarioPlan

/// Checks conditions on the requests that the mock server received.
struct RequestChecker {
  let checker: ExpectationChecker

  /// Returns the reasons why the requests are not as expected; none if they are.
  func checkRequests(
    _ line: PlannedRequestLine, count: PlannedMatcher?, _ intervals: [PlannedMatcher]?
  ) -> [Failure] {
    let all = checker.world.mockServer?.requests() ?? []
    let matching = all.filter { matches($0, line) }
    var failures: [Failure] = []
    if let count {
      failures = checker.match(
        count, .integer(Int64(matching.count)), type: "expect.requests",
        name: "requests for \"\(line.text)\"")
      if failures.isEmpty { failures = doubt(about: line, count, matching.count, among: all).list }
    } else if intervals?.isEmpty ?? true, matching.isEmpty {
      failures = [
        Failure(
          category: .expectation, type: "expect.requests",
          message: "no request for \"\(line.text)\"",
          actual: all.isEmpty ? "no request at all" : nil)
      ]
    }
    if let intervals { failures += check(intervals, between: matching, of: line).list }
    if failures.isEmpty, matching.isEmpty, let process = line.pattern?.process {
      failures =
        checker.absence(
          of: GlobPattern(process), type: "expect.requests",
          name: "requests for \"\(line.text)\""
        ).list
    }
    let nearest = failures.isEmpty || !matching.isEmpty ? [] : objections(of: line, among: all)
    return failures.with(details: nearest + RequestLines.of(all))
  }

  /// Returns the failure of a count that holds only as long as bodies that are not kept whole do not fit; `nil` if it
  /// holds whatever they are.
  private func doubt(
    about line: PlannedRequestLine, _ count: PlannedMatcher, _ number: Int,
    among all: [RecordedRequest]
  ) -> Failure? {
    guard var open = line.pattern else { return nil }
    open.json = nil
    open.xml = nil
    open.body = nil
    open.bytes = nil
    open.form = []
    open.parts = []
    guard open != line.pattern else { return nil }
    var openLine = line
    openLine.pattern = open
    let needsDigest = line.pattern?.asksForBytesAlone == true
    let cut = all.filter {
      $0.bodyLength > $0.body.count && !(needsDigest && $0.bodyDigest != nil)
        && matches($0, openLine)
    }
    let mayFail = cut.indices.contains { index in
      let more = MatchSubject.integer(Int64(number + index + 1))
      return !checker.match(count, more, type: "expect.requests", name: line.text).isEmpty
    }
    guard mayFail, let first = cut.first else { return nil }
    return Failure(
      category: .expectation, type: "expect.requests",
      message:
        "requests for \"\(line.text)\" cannot be counted: only \(first.body.count) of the \(first.bodyLength)"
        + " bytes of a body are kept",
      help:
        "identify the request by its URL or headers, or let an entry of \"responses\" compare the body"
    )
  }

  /// Returns the first line that has no request behind that of the line before it, as a failure;
  /// `nil` if each has one.
  func checkOrder(of lines: [PlannedRequestLine]) -> Failure? {
    let all = checker.world.mockServer?.requests() ?? []
    var rest = all[...]
    for (index, line) in lines.enumerated() {
      if let found = rest.firstIndex(where: { matches($0, line) }) {
        rest = rest[(found + 1)...]
        continue
      }
      let before = index > 0 ? " behind \"\(lines[index - 1].text)\"" : ""
      let isThere = all.contains { matches($0, line) }
      return Failure(
        category: .expectation, type: "expect.requests",
        message: "requests in order: no request for \"\(line.text)\"\(before)",
        actual: all.isEmpty ? "no request at all" : isThere ? "it came earlier" : nil,
        details: RequestLines.of(all))
    }
    return nil
  }

  /// Returns the reasons why a value of the case's state is not as expected; none if it is.
  func checkState(_ name: String, _ matcher: PlannedMatcher) -> [Failure] {
    var subject = MatchSubject.absent
    if case .map(let members)? = checker.world.mockServer?.caseState(), let value = members[name] {
      subject = .value(value)
    }
    let history = stateHistory(of: name)
    let shown = history.suffix(Self.changeLimit)
    var failures = checker.match(
      matcher, subject, type: "expect.state", name: "state \"\(name)\"")
    if failures.isEmpty, subject == .absent, !matcher.asksForPresence {
      // The opposite of a condition holds of what is not set no more than the condition.
      failures = [
        Failure(
          category: .expectation, type: "expect.state",
          message: "state \"\(name)\": expected a value, but it is not set")
      ]
    }
    return
      failures
      .with(
        details: history.isEmpty
          ? ["no request has changed it"]
          : (history.count > shown.count ? ["… \(history.count - shown.count) changes before"] : [])
            + shown)
  }

  /// The changes of a value by requests and steps, in order.
  private func stateHistory(of name: String) -> [String] {
    guard let mockServer = checker.world.mockServer else { return [] }
    var steps = mockServer.stepChanges().filter { $0.change.name == name }[...]
    var lines: [String] = []
    for (index, request) in mockServer.requests().enumerated() {
      while let step = steps.first, step.requestCount <= index {
        lines.append("a step: \(step.change.line)")
        steps.removeFirst()
      }
      lines += request.changes.filter { $0.name == name }.map { "\(request.summary): \($0.line)" }
    }
    return lines + steps.map { "a step: \($0.change.line)" }
  }

  /// The largest number of changes of a state that a failure shows.
  private static let changeLimit = 10

  // MARK: - Intervals

  private func check(
    _ expected: [PlannedMatcher], between requests: [RecordedRequest], of line: PlannedRequestLine
  ) -> Failure? {
    let actual = zip(requests.dropFirst(), requests).map { $0.time - $1.time }
    let isEqual =
      actual.count == expected.count
      && zip(expected, actual).allSatisfy { checker.holds($0, for: $1) }
    guard !isEqual else { return nil }
    return Failure(
      category: .expectation, type: "expect.requests",
      message: "requests for \"\(line.text)\": expected"
        + " \(Self.list(expected.map(\.expectedText))) apart",
      actual: "\(Self.list(actual.map(\.description))) apart")
  }

  private static func list(_ texts: [String]) -> String {
    "[" + texts.joined(separator: ", ") + "]"
  }

  // MARK: - Matching

  private func matches(_ request: RecordedRequest, _ line: PlannedRequestLine) -> Bool {
    guard line.methods?.contains(request.method) ?? true,
      let target = RequestTarget(url: request.url),
      line.url.map({ $0.match(target) != nil }) ?? true
    else { return false }
    guard let pattern = line.pattern else { return true }
    return RequestVerdict(
      pattern, request.incoming(for: target), scope: checker.world.scope
    ).holds
  }

  /// Returns the reasons why the request that comes closest to a pattern does not match it.
  private func objections(
    of line: PlannedRequestLine, among requests: [RecordedRequest]
  ) -> [String] {
    guard let pattern = line.pattern else { return [] }
    let verdicts = requests.compactMap { request in
      RequestTarget(url: request.url).map {
        (
          request,
          RequestVerdict(pattern, request.incoming(for: $0), scope: checker.world.scope).objections
        )
      }
    }
    var address = line
    address.pattern = nil
    let closest = verdicts.min { left, right in
      // One at the address is meant, whatever else differs.
      let (isLeft, isRight) = (matches(left.0, address), matches(right.0, address))
      return isLeft != isRight ? isLeft : left.1.count < right.1.count
    }
    guard let (request, lines) = closest else { return [] }
    return ["nearest: \(request.summary)"] + lines.map { "  \($0)" }
  }
}

extension RecordedRequest {
  /// The request as the mock server has seen it.
  fileprivate func incoming(for target: RequestTarget) -> IncomingRequest {
    var request = IncomingRequest(
      method: method, target: target, headers: headers, body: body, bodyLength: bodyLength,
      protocolVersion: protocolVersion, stream: stream, trailers: trailers)
    request.bodyDigest = bodyDigest
    request.origin = origin
    request.call = call
    request.clientCertificate = clientCertificate
    return request
  }
}
