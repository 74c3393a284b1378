public import ScenarioModel

/// What became of a request.
public enum Claim: Sendable {
  /// An entry answers it.
  case reply(ClaimedReply)
  /// No entry does; the lines tell which came nearest and what was missing.
  case unmatched(nearMisses: [String])
}

/// A reply taken from the queue.
public struct ClaimedReply: Sendable {
  /// The reply.
  public var reply: PlannedReply
  /// The entry's place in the list of responses.
  public var entry: Int
  /// The entry's name.
  public var name: String
  /// What the templates of the entry's URL stand for in this request.
  public var captures: [String: String]
  /// The GraphQL operation's name.
  public var operation: String?
  /// Whether the entry is one for GraphQL.
  public var isGraphQL: Bool
}

/// Replies of an entry that nobody asked for.
public struct UnusedResponse: Sendable, Hashable {
  /// The entry's place in the list of responses.
  public var entry: Int
  /// The entry's name.
  public var name: String
  /// How many replies were given.
  public var usedCount: Int
  /// How many replies the queue held at the beginning; 1 for an entry that repeats its reply.
  public var totalCount: Int
  /// Where the author wrote the entry.
  public var range: SourceRange

  /// One line: lower case, no full stop.
  public var message: String {
    if usedCount == 0 { return "no request asked for \"\(name)\"" }
    return "\(totalCount - usedCount) of \(totalCount) replies of \"\(name)\" were never asked for"
  }
}

/// The queues of a case: which reply a request gets.
///
/// One rule: the first entry in order that matches and still has replies.
public struct ResponseQueue: Sendable {
  /// How many near misses a report shows.
  private static let nearMissLimit = 3

  /// The entries in order.
  public let responses: [PlannedResponse]
  private var usedCounts: [Int]

  /// Creates full queues.
  public init(responses: [PlannedResponse]) {
    self.responses = responses
    usedCounts = [Int](repeating: 0, count: responses.count)
  }

  /// Takes the next reply for a request; `scope` answers what only the run knows.
  public mutating func claim(_ request: IncomingRequest, scope: some RunScope) -> Claim {
    var assessments: [RequestAssessment] = []
    for (index, response) in responses.enumerated() {
      let assessment = RequestAssessment(response, request, scope)
      if assessment.isMatch, let reply = nextReply(of: index) {
        usedCounts[index] += 1
        return .reply(
          ClaimedReply(
            reply: reply, entry: index, name: response.name, captures: assessment.captures,
            operation: request.operationName, isGraphQL: response.isGraphQL))
      }
      assessments.append(assessment)
    }
    return .unmatched(nearMisses: request.graphQLSummary + nearMisses(assessments))
  }

  /// Entries of which replies are left, in order.
  public func unused() -> [UnusedResponse] {
    responses.enumerated().compactMap { index, response in
      let total = response.replyCount
      guard usedCounts[index] < total else { return nil }
      return UnusedResponse(
        entry: index, name: response.name, usedCount: usedCounts[index], totalCount: total,
        range: response.range)
    }
  }

  private func nextReply(of index: Int) -> PlannedReply? {
    let response = responses[index]
    if response.repeats { return response.replies.first }
    var rest = usedCounts[index]
    for reply in response.replies {
      if rest < max(1, reply.times) { return reply }
      rest -= max(1, reply.times)
    }
    return nil
  }

  // MARK: - Near misses

  private func nearMisses(_ assessments: [RequestAssessment]) -> [String] {
    guard !assessments.isEmpty else { return ["there are no responses"] }
    let ranked = assessments.enumerated().sorted { left, right in
      if left.element.isMatch != right.element.isMatch { return left.element.isMatch }
      let (leftCount, rightCount) = (left.element.satisfiedCount, right.element.satisfiedCount)
      return leftCount != rightCount ? leftCount > rightCount : left.offset < right.offset
    }
    return ranked.prefix(Self.nearMissLimit).flatMap { index, assessment in
      [headline(index, assessment)] + assessment.predicates.compactMap(\.line).map { "  " + $0 }
    }
  }

  private func headline(_ index: Int, _ assessment: RequestAssessment) -> String {
    let response = responses[index]
    let place = "\"\(response.name)\" (\(response.range.description))"
    if assessment.isMatch {
      let total = response.replyCount
      let used = total == 1 ? "its one reply is used" : "all \(total) replies are used"
      return "\(place) matches, but its queue is empty: \(used)"
    }
    let total = assessment.predicates.count
    return "\(place): \(assessment.satisfiedCount) of \(total) conditions hold"
  }
}

extension PlannedResponse {
  /// How many requests the entry must answer to be used up; 1 if it repeats its reply.
  public var replyCount: Int {
    guard !repeats else { return 1 }
    return replies.reduce(0) { sum, reply in
      let (total, overflow) = sum.addingReportingOverflow(max(1, reply.times))
      return overflow ? .max : total
    }
  }
}
