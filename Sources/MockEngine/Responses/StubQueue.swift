package import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
package import ScenarioPlan

/// The result of matching a request.
package enum MatchResult: Sendable {
  /// An entry answers it.
  case reply(MatchedReply)
  /// No entry answers; the lines list those that came closest and what was missing. `spentEntry` is the name of one that
  /// matches, and has no replies left.
  case unmatched(nearMisses: [String], spentEntry: String? = nil)
  /// The entry of that name matches, its queue is empty, and it says `then: live`.
  case live(name: String)
}

extension MatchResult {
  /// The reasons why no entry answers the request, line by line; empty if one does.
  package var nearMisses: [String] {
    switch self {
    case .reply: []
    case .unmatched(let nearMisses, _): nearMisses
    case .live(let name):
      ["\"\(name)\" sends it to the real host, but nothing may leave the machine"]
    }
  }

  /// The name of the entry that matches the request, and has no replies left; `nil` if there is none.
  package var spentEntry: String? {
    if case .unmatched(_, let entry) = self { entry } else { nil }
  }
}

/// A reply taken from the queue.
package struct MatchedReply: Sendable {
  /// The reply.
  package var reply: PlannedReply
  /// The entry's place in the list of responses.
  package var entry: Int
  /// The entry's name.
  package var name: String
  /// The values of the URL's templates in this request.
  package var captures: [String: String]
  /// The GraphQL operation's name.
  package var operation: String?
  /// True if the entry is one for GraphQL.
  package var isGraphQL: Bool
  /// The number of requests that the entry has answered, this one included.
  package var count: Int
  /// The case's state before the request.
  package var state: Value
  /// The changes of the state by the request.
  package var changes: [StateChange] = []
  /// The reason why the reply cannot be given, or the state not be set, as the entry says; `nil` if both can.
  package var problem: RunScopeError?
}

/// The unused replies of an entry.
package struct UnusedResponse: Sendable, Hashable {
  /// The entry's place in the list of responses.
  package var entry: Int
  /// The entry's name.
  package var name: String
  /// The number of replies that were given.
  package var usedCount: Int
  /// The number of replies that the queue held at the beginning; 1 for an entry that repeats its reply.
  package var totalCount: Int
  /// The place where the author wrote the entry.
  package var range: SourceRange
  /// The request that came nearest, and what it lacked, line by line; empty if there was none.
  package var nearest: [String] = []
  /// True if the entry is about connections and not about requests.
  package var isConnection = false
  /// True if the entry is a script of connections, whose place is in their list.
  package var isConversation = false
  /// True if a request was meant for it that an entry of the scenario itself answered.
  package var wasOvertaken = false

  /// The message in one line: lower case, no full stop.
  package var message: String {
    if isConnection {
      return usedCount == 0
        ? "no connection used \"\(name)\""
        : "\"\(name)\" was used by \(usedCount) of \(totalCount) connections"
    }
    if usedCount == 0 { return "unused: no request matched \"\(name)\"" }
    return "unused replies of \"\(name)\": \(totalCount - usedCount) of \(totalCount)"
  }
}

/// The queues of a case: which reply a request gets.
///
/// One rule: the first entry in order that matches and still has replies, or whose end is a failure.
package struct StubQueue: Sendable {
  /// The number of unanswered requests from which on only entries at the same address are shown as
  /// near misses, where there are many entries.
  private static let thoroughLimit = 50
  private static let manyEntries = 500

  /// The entries in order.
  package let responses: [PlannedResponse]
  private let addresses: [EntryAddress]
  private let totals: [Int]
  private var index: ResponseIndex
  private var uses: [EntryUses]
  /// True for each entry that is disabled until its `responses:` step.
  private(set) var isWaiting: [Bool]
  /// The state that the entries share.
  package private(set) var state: CaseState
  private var unmatchedCount = 0

  /// Creates full queues.
  ///
  /// - Parameter values: the state before the first request.
  package init(responses: [PlannedResponse], state values: [PlannedStateChange] = []) {
    self.responses = responses
    addresses = responses.map(EntryAddress.init)
    totals = responses.map(\.replyCount)
    index = ResponseIndex(addresses)
    uses = [EntryUses](repeating: EntryUses(), count: responses.count)
    isWaiting = responses.map { $0.step != nil }
    state = CaseState(stores: responses.compactMap(\.store), values: values)
  }

  /// Enables the entries of a `responses:` step.
  package mutating func open(step: Int) {
    for (entry, response) in responses.enumerated() where response.step == step {
      isWaiting[entry] = false
    }
  }

  /// Changes the state, as a step says.
  ///
  /// - Throws: `RunScopeError` if an expression has no value; nothing is changed then.
  package mutating func set(
    _ changes: [PlannedStateChange], scope: some RunScope
  ) throws(RunScopeError) -> [StateChange] {
    try state.apply(changes, in: StateScope(base: scope, state: state))
  }

  /// Claims the next reply for a request.
  ///
  /// - Parameters:
  ///   - scope: the values that only the run knows.
  ///   - explainsNearMisses: whether near misses are needed where no entry answers.
  package mutating func claim(
    _ request: IncomingRequest, scope: some RunScope, explainsNearMisses: Bool = true
  ) -> MatchResult {
    let match = firstMatch(for: request, scope) { entry in
      RequestAssessment(beyondAddressOf: entry, request, scope).isMatch
    }
    guard let (found, captures) = match else {
      guard explainsNearMisses else { return .unmatched(nearMisses: []) }
      return unmatched(request, scope)
    }
    guard !isEmpty(found) else {
      guard responses[found].then == .fail else { return .live(name: responses[found].name) }
      return .unmatched(
        nearMisses: explainsNearMisses
          ? request.graphQLSummary + endLines(of: found, request, scope) : [],
        spentEntry: responses[found].name)
    }
    return .reply(take(found, for: request, captures, scope))
  }

  /// Returns whether an entry may answer for a host.
  package func mayAnswer(host: String) -> Bool {
    addresses.contains { $0.host == nil || $0.host == host }
  }

  /// Returns the first entry in order whose address and state fit and that `answers`, of those with replies,
  /// and the captures of its URL's templates.
  func firstMatch(
    for request: IncomingRequest, _ scope: some RunScope,
    where answers: (PlannedResponse) -> Bool
  ) -> (entry: Int, captures: [String: String])? {
    var captures: [String: String] = [:]
    let found = index.first(for: request.target) { entry in
      guard !isWaiting[entry], let found = addresses[entry].captures(of: request) else {
        return false
      }
      captures = found
      if let use = responses[entry].state, !use.holds(in: state, scope: scope) { return false }
      return answers(responses[entry])
    }
    return found.map { ($0, captures) }
  }

  /// Takes the next reply of an entry, and changes the state as it says: one step, which no other request divides.
  mutating func take(
    _ entry: Int, for request: IncomingRequest, _ captures: [String: String],
    _ scope: some RunScope
  ) -> MatchedReply {
    // No reply of a store asks for the state, and what nobody holds is changed in its place.
    let before = responses[entry].store == nil ? state.value : .map([:])
    var changes: [StateChange] = []
    var (place, reply) = nextReply(of: entry)
    if let store = responses[entry].store,
      let answer = request.storeRequest(for: store).flatMap({
        state.answer($0, ofStore: store.name)
      })
    {
      reply = reply.giving(answer)
      changes = answer.change.map { [StateChange(name: store.name, text: $0)] } ?? []
    }
    let count = uses[entry].count + 1
    let own = RequestScope(
      request: request, captures: captures, count: count, state: before, base: scope)
    var problem: RunScopeError?
    do throws(RunScopeError) {
      reply = try reply.settled(use: count, in: own)
    } catch {
      problem = error
    }
    uses[entry].add(
      ReplyUse(
        number: place + 1, status: reply.status, fault: reply.fault, method: request.method,
        url: request.target.text, time: request.time, origin: request.origin))
    if isEmpty(entry), ![.live, .fail].contains(responses[entry].then) { index.retire(entry) }
    var matched = MatchedReply(
      reply: reply, entry: entry, name: responses[entry].name, captures: captures,
      operation: request.operationName, isGraphQL: responses[entry].isGraphQL,
      count: count, state: before, changes: changes)
    matched.problem = problem
    guard problem == nil, let use = responses[entry].state, !use.changes.isEmpty else {
      return matched
    }
    do throws(RunScopeError) {
      matched.changes += try state.apply(use.changes, in: own)
    } catch {
      matched.problem = RunScopeError(
        "\"set\" failed: \(error.message)", at: error.range, help: error.help)
    }
    return matched
  }

  /// Entries of which replies are left, in order.
  package func unused() -> [UnusedResponse] {
    responses.enumerated().compactMap { index, response in
      guard !isWaiting[index], uses[index].count < totals[index] else { return nil }
      return UnusedResponse(
        entry: index, name: response.name, usedCount: uses[index].count, totalCount: totals[index],
        range: response.range)
    }
  }

  // MARK: - Queues

  /// Returns whether an entry has no replies left.
  func isEmpty(_ entry: Int) -> Bool {
    let response = responses[entry]
    return !response.repeats && response.then?.isEndless != true
      && uses[entry].count >= totals[entry]
  }

  /// The reply that an entry gives next, and its place.
  func nextReply(of entry: Int) -> (place: Int, reply: PlannedReply) {
    let response = responses[entry]
    var rest = uses[entry].count
    if response.then == .cycle, totals[entry] > 0 { rest %= totals[entry] }
    for (place, reply) in response.replies.enumerated() {
      if rest < max(1, reply.times) { return (place, reply) }
      rest -= max(1, reply.times)
    }
    let last = response.replies.count - 1
    return (last, response.replies[last])
  }

  // MARK: - Near misses

  /// Returns the reasons why no entry answers a request whose entry is used up.
  private func endLines(
    of entry: Int, _ request: IncomingRequest, _ scope: some RunScope
  ) -> [String] {
    let candidate = NearMisses.Candidate(
      index: entry, response: responses[entry],
      assessment: RequestAssessment(
        responses[entry], request, StateScope(base: scope, state: state)),
      uses: uses[entry])
    return NearMisses.lines([candidate])
      + ["  it has \"then: fail\", so no other entry answers"]
  }

  /// Returns what came closest to a request that no entry answers.
  private mutating func unmatched(
    _ request: IncomingRequest, _ scope: some RunScope
  ) -> MatchResult {
    guard isWaiting.contains(false) else {
      return .unmatched(nearMisses: request.graphQLSummary + ["there are no responses"])
    }
    unmatchedCount += 1
    let isThorough = unmatchedCount <= Self.thoroughLimit || responses.count <= Self.manyEntries
    let candidates = responses.indices.compactMap { entry -> NearMisses.Candidate? in
      guard !isWaiting[entry], isThorough || addresses[entry].captures(of: request) != nil else {
        return nil
      }
      return NearMisses.Candidate(
        index: entry, response: responses[entry],
        assessment: RequestAssessment(
          responses[entry], request, StateScope(base: scope, state: state)),
        uses: uses[entry])
    }
    let ranked = NearMisses.ranked(candidates, for: request)
    return .unmatched(
      nearMisses: request.graphQLSummary + NearMisses.lines(ranked),
      spentEntry: ranked.first { $0.assessment.isMatch }?.response.name)
  }

  /// Returns the reasons, line by line, why the closest of some requests did not match an entry;
  /// and whether it did match, and an entry of the scenario itself answered it.
  package func nearest(
    to entry: Int, among requests: [IncomingRequest], scope: some RunScope
  ) -> (lines: [String], isMatch: Bool) {
    // What the state was when each of them came is not known any more.
    var stateless = responses[entry]
    stateless.state = nil
    let assessments = requests.map { RequestAssessment(stateless, $0, scope) }
    let best = assessments.indices.max { left, right in
      let (a, b) = (assessments[left], assessments[right])
      if a.isMatch != b.isMatch { return b.isMatch }
      return a.satisfiedCount != b.satisfiedCount
        ? a.satisfiedCount < b.satisfiedCount : left > right
    }
    guard let best else { return ([], false) }
    let request = requests[best]
    let sender = request.origin.map { ", by \($0.text)" } ?? ""
    let name = "\(request.method) \(request.target.text) at +\(request.time)\(sender)"
    guard !assessments[best].isMatch else {
      if let conditions = responses[entry].state?.conditions, !conditions.isEmpty {
        let wanted = conditions.map { "\"\($0.name)\" \($0.matcher.summary)" }
        return (
          [
            "the nearest request, \(name), came while the state did not match \"when\": "
              + wanted.joined(separator: ", ")
          ], false
        )
      }
      let isOwn = responses.contains {
        $0.isFallback != true && RequestAssessment($0, request, scope).isMatch
      }
      return (
        ["the nearest request, \(name), was answered by an entry before this one"],
        isOwn
      )
    }
    let lines = assessments[best].predicates.flatMap(\.lines).map { "  " + $0 }
    return (["the nearest request: \(name)"] + lines, false)
  }
}

extension PlannedResponse {
  /// The number of requests that the entry must answer to be used up; 1 if it repeats its reply.
  package var replyCount: Int {
    guard !repeats else { return 1 }
    return replies.reduce(0) { sum, reply in
      let (total, overflow) = sum.addingReportingOverflow(max(1, reply.times))
      return overflow ? .max : total
    }
  }
}
