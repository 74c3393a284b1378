internal import Foundations
internal import MockEngine
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// A body that happens over time; `nil` if some part of it was reported.
  mutating func planStream(_ steps: [StreamStep], in place: EvaluationSite) -> [PlannedStreamStep]?
  {
    var planned: [PlannedStreamStep] = []
    for step in steps {
      switch step.action {
      case .close(let ending):
        planned.append(PlannedStreamStep(delay: step.delay, .close(ending)))
      case .send(let piece):
        guard let piece = planPiece(piece, in: place) else { return nil }
        planned.append(PlannedStreamStep(delay: step.delay, .send(piece)))
      }
    }
    return planned
  }

  /// The script of a WebSocket; `nil` if some part of it was reported.
  mutating func planWebSocket(
    _ steps: [WebSocketStep], in place: EvaluationSite
  ) -> [PlannedWebSocketStep]? {
    var planned: [PlannedWebSocketStep] = []
    for step in steps {
      let action: PlannedWebSocketStep.Action?
      switch step.action {
      case .expect(let matcher): action = planMatcher(matcher, in: .scenario).map { .expect($0) }
      case .expectBytes(let bytes): action = .expectBytes(bytes)
      case .expectEnd: action = .expectEnd
      case .send(let piece): action = planPiece(piece, in: place).map { .send($0) }
      case .ping(let text): action = .ping(text)
      case .close(let code, let reason): action = .close(code: code, reason: reason)
      case .leave(let ending): action = .leave(ending)
      }
      guard let action else { return nil }
      planned.append(PlannedWebSocketStep(delay: step.delay, action, at: step.range))
    }
    return planned
  }

  /// Messages and a status of gRPC; `nil` if some part was reported.
  mutating func planGRPC(_ reply: GRPCReply, in place: EvaluationSite) -> PlannedGRPC? {
    checkCount(of: reply)
    guard let steps = planCall(reply.messages, in: place) else { return nil }
    var error: PlannedText?
    if let text = reply.error {
      guard let planned = data.text(text, in: place) else { return nil }
      error = planned
    }
    guard !reply.isConversation else {
      var planned = PlannedGRPC(messages: [], status: reply.status, error: error)
      planned.conversation = steps
      return planned
    }
    let messages = steps.compactMap { step -> PlannedStreamStep? in
      guard case .send(let piece) = step.action else { return nil }
      return PlannedStreamStep(delay: step.delay, .send(piece))
    }
    return PlannedGRPC(messages: messages, status: reply.status, error: error)
  }

  private mutating func planCall(
    _ steps: [GRPCStep], in place: EvaluationSite
  ) -> [PlannedCallStep]? {
    var planned: [PlannedCallStep] = []
    for step in steps {
      let action: PlannedCallStep.Action?
      switch step.action {
      case .send(let piece): action = planPiece(piece, in: place).map { .send($0) }
      case .expect(let matcher): action = planMatcher(matcher, in: .scenario).map { .expect($0) }
      case .expectMessage(let matcher): action = planExpectedMessage(matcher)
      case .expectBytes(let bytes): action = .expectBytes(bytes)
      case .expectEnd: action = .expectEnd
      }
      guard let action else { return nil }
      planned.append(PlannedCallStep(delay: step.delay, action, at: step.range))
    }
    return planned
  }

  /// A reply that begins before the request has ended cannot hang on the request's body.
  mutating func checkConversations(of response: PlannedResponse) {
    guard response.hasBodyConditions,
      let reply = response.replies.first(where: { $0.isConversation })
    else { return }
    report(
      "\"expect\" starts the reply before the request ends, but the entry has conditions on its body",
      code: .contradictory, at: reply.range,
      help: "write them in the first \"expect\", and remove the conditions on the body")
  }

  mutating func planPiece(_ piece: PieceContent, in place: EvaluationSite) -> PlannedPiece? {
    switch piece {
    case .text(let node): data.text(node, in: place).map { .text($0) }
    case .json(let node): data.data(node, in: place).map { .json($0) }
    case .bytes(let bytes): .bytes(bytes)
    case .file(let path): .file(path: existingFile(path))
    case .message(let node): planMessage(node, in: place)
    }
  }
}
