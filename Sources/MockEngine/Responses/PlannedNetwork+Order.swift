internal import Foundations
internal import OrderedCollections
internal import ScenarioPlan

extension PlannedNetwork {
  /// True if it matters to the clients which of several requests claims its reply first.
  ///
  /// It does not where every entry gives the same reply any number of times.
  package var dependsOnOrder: Bool {
    responses.contains(where: \.dependsOnOrder)
  }
}

extension PlannedResponse {
  fileprivate var dependsOnOrder: Bool {
    !repeats || replies.count > 1 || store != nil || state?.changes.isEmpty == false
      || replies.contains(where: \.countsRequests)
  }
}

extension PlannedReply {
  /// True if it may depend on the number of requests before.
  fileprivate var countsRequests: Bool {
    if (headers + trailers).contains(where: \.value.countsRequests) { return true }
    if webhooks != nil { return true }
    if let computation, computation.countsRequests { return true }
    return switch body {
    case .empty, .file, .bytes: false
    case .text(let text), .template(let text, _): text.countsRequests
    case .computedFile(let file):
      file.name.countsRequests || file.texts?.values.contains(where: \.countsRequests) == true
    case .json(let data): data.countsRequests
    case .graphQLStream, .stream, .webSocket, .grpc, .handler: true
    }
  }
}

extension PlannedReplyComputation {
  fileprivate var countsRequests: Bool {
    if let status, status.text.countsRequests { return true }
    if let fault, fault.text.countsRequests { return true }
    return switch delay {
    case .drawn?: true
    case .computed(let delay)?: delay.text.countsRequests
    case nil: false
    }
  }
}

extension PlannedData {
  fileprivate var countsRequests: Bool {
    switch self {
    case .value: false
    case .text(let text): text.countsRequests
    case .list(let items): items.contains(where: \.countsRequests)
    case .map(let members): members.values.contains(where: \.countsRequests)
    }
  }
}

extension PlannedText {
  fileprivate var countsRequests: Bool {
    segments.contains { segment in
      guard case .run(let expression) = segment, expression.root == "request" else { return false }
      if expression.computation != nil { return true }
      guard let first = expression.steps.first else { return true }
      return first == .key("count")
    }
  }
}
