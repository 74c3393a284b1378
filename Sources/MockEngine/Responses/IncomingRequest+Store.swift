internal import Foundations
internal import ScenarioPlan

extension IncomingRequest {
  /// The request as a store sees it; `nil` if it is for something else.
  func storeRequest(for store: PlannedStore) -> StoreRequest? {
    guard let address = store.address(of: target) else { return nil }
    let content: StoreRequest.Body
    if truncation != nil {
      content = .tooLong
    } else if let json {
      content = .json(json)
    } else {
      let reason = jsonError.map { "\($0.line):\($0.column): \($0.message)" } ?? "it is empty"
      content = .unreadable("the body is not JSON: \(reason)")
    }
    return StoreRequest(method: method, target: target, address: address, body: content)
  }
}

extension PlannedReply {
  /// The reply with the answer of a store as its content.
  func giving(_ answer: StoreReply) -> PlannedReply {
    var reply = self
    reply.status = answer.status
    reply.headers += answer.headers.map {
      PlannedVariable(name: $0.name, value: PlannedText($0.value))
    }
    reply.body = answer.body.map { .json(.value($0)) } ?? .empty
    return reply
  }
}
