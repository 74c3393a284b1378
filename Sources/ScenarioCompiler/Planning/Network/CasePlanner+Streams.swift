internal import Foundations
internal import MockEngine
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// A body that happens over time; `nil` if some part of it was reported.
  mutating func planStream(_ steps: [StreamStep], in place: EvaluationSite) -> [PlannedStreamStep]?
  {
    var planned: [PlannedStreamStep] = []
    for (index, step) in steps.enumerated() {
      guard let delay = planDelay(step.delay, in: place.part(.index(index))) else { return nil }
      var made: PlannedStreamStep
      switch step.action {
      case .close(let ending): made = PlannedStreamStep(delay: delay.fixed, .close(ending))
      case .send(let piece):
        guard let piece = planPiece(piece, in: place) else { return nil }
        made = PlannedStreamStep(delay: delay.fixed, .send(piece))
      }
      made.computedDelay = delay.computed
      planned.append(made)
    }
    return planned
  }

  /// The script of a WebSocket; `nil` if some part of it was reported.
  mutating func planWebSocket(
    _ steps: [WebSocketStep], in place: EvaluationSite
  ) -> [PlannedWebSocketStep]? {
    var planned: [PlannedWebSocketStep] = []
    for (index, step) in steps.enumerated() {
      let action: PlannedWebSocketStep.Action?
      switch step.action {
      case .expect(let matcher): action = planMatcher(matcher, in: .scenario).map { .expect($0) }
      case .expectBytes(let bytes): action = .expectBytes(bytes)
      case .expectEnd: action = .expectEnd
      case .send(let piece): action = planPiece(piece, in: place).map { .send($0) }
      case .ping(let text): action = .ping(text)
      case .close(let code, let reason): action = .close(code: code, reason: reason)
      case .computedClose(let code, let reason):
        action = planClose(code: code, reason: reason, in: place.part(.index(index)))
      case .leave(let ending): action = .leave(ending)
      }
      guard let action, let delay = planDelay(step.delay, in: place.part(.index(index))) else {
        return nil
      }
      var made = PlannedWebSocketStep(delay: delay.fixed, action, at: step.range)
      made.computedDelay = delay.computed
      planned.append(made)
    }
    return planned
  }

  private mutating func planClose(
    code: DataNode, reason: DataNode?, in place: EvaluationSite
  ) -> PlannedWebSocketStep.Action? {
    let number = planText(
      code, in: place.part(.key("close")), as: .outOfRange, by: PlannedReplyComputation.closeCode)
    let text = reason.map { data.text($0, in: place.part(.key("reason"))) }
    guard let number else { return nil }
    // A reason that is there and wrong has been reported.
    if let text, text == nil { return nil }
    let part = number.computed ?? .init(PlannedText(String(number.fixed ?? 1000)), at: code.range)
    return .computedClose(code: part, reason: text ?? nil)
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
    var status: (fixed: Int, computed: PlannedReplyComputation.Part?)? = (reply.status, nil)
    if let node = reply.computedStatus {
      status = planText(
        node, in: place.part(.key("status")), as: .badStatus, by: PlannedReplyComputation.callStatus
      ).map { ($0.fixed ?? 0, $0.computed) }
    }
    guard let status else { return nil }
    guard !reply.isConversation else {
      var planned = PlannedGRPC(messages: [], status: status.fixed, error: error)
      planned.computedStatus = status.computed
      planned.conversation = steps
      return planned
    }
    let messages = steps.compactMap { step -> PlannedStreamStep? in
      guard case .send(let piece) = step.action else { return nil }
      var made = PlannedStreamStep(delay: step.delay, .send(piece))
      made.computedDelay = step.computedDelay
      return made
    }
    var planned = PlannedGRPC(messages: messages, status: status.fixed, error: error)
    planned.computedStatus = status.computed
    return planned
  }

  private mutating func planCall(
    _ steps: [GRPCStep], in place: EvaluationSite
  ) -> [PlannedCallStep]? {
    var planned: [PlannedCallStep] = []
    for (index, step) in steps.enumerated() {
      let action: PlannedCallStep.Action?
      switch step.action {
      case .send(let piece): action = planPiece(piece, in: place).map { .send($0) }
      case .expect(let matcher): action = planMatcher(matcher, in: .scenario).map { .expect($0) }
      case .expectMessage(let matcher): action = planExpectedMessage(matcher)
      case .expectBytes(let bytes): action = .expectBytes(bytes)
      case .expectEnd: action = .expectEnd
      }
      guard let action, let delay = planDelay(step.delay, in: place.part(.index(index))) else {
        return nil
      }
      var made = PlannedCallStep(delay: delay.fixed, action, at: step.range)
      made.computedDelay = delay.computed
      planned.append(made)
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
    case .file(let content):
      planFile(content, in: place).map { file in
        switch file {
        case .fixed(let path): .file(path: path)
        case .text(let text, _): .text(text)
        case .computed(let name): .computedFile(name)
        }
      }
    case .message(let node): planMessage(node, in: place)
    }
  }
}
