package import ScenarioPlan

extension PlannedResponse {
  /// True if something must be so of the body of a request.
  package var hasBodyConditions: Bool {
    switch match {
    case .graphQL: true
    case .http(let request):
      request.json != nil || request.xml != nil || request.body != nil || request.bytes != nil
        || !request.form.isEmpty || !request.parts.isEmpty || request.message != nil
    }
  }
}

extension PlannedReply {
  /// True if it begins before the request has ended.
  package var isConversation: Bool {
    if case .grpc(let call) = body { !call.conversation.isEmpty } else { false }
  }
}

extension StubQueue {
  /// Takes the next reply for a request of which only the head has come.
  ///
  /// The rule stays the same: the first entry in order. Where it cannot be known yet which that is, or
  /// where its reply belongs behind the request, nothing is taken.
  package mutating func claimOpening(_ request: IncomingRequest, scope: some RunScope)
    -> MatchResult?
  {
    let match = firstMatch(for: request, scope) { entry in
      entry.hasBodyConditions
        || RequestAssessment(beyondAddressOf: entry, request, scope).isMatch
    }
    guard let (found, captures) = match, !responses[found].hasBodyConditions, !isEmpty(found),
      nextReply(of: found).reply.isConversation
    else { return nil }
    return .reply(take(found, for: request, captures, scope))
  }

  /// Returns whether an entry may answer the request once all of it has come.
  package func mayAnswer(_ request: IncomingRequest, scope: some RunScope) -> Bool {
    firstMatch(for: request, scope) { entry in
      entry.hasBodyConditions
        || RequestAssessment(beyondAddressOf: entry, request, scope).isMatch
    } != nil
  }
}
