internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel
internal import ScenarioPlan

extension Reception {
  /// How much of a body is kept for a recording, in bytes.
  private static let maximumKept = 1 << 20

  /// Answers a call of gRPC before its request has ended; `nil` if it has to end first.
  ///
  /// Such an answer begins where the head alone decides: the next entry's reply is a conversation, or the
  /// real host is to be asked.
  func answerOpening(
    _ request: ReceivedRequest, on connection: ClientConnection,
    completion: @escaping (Result<Answer, PatternError>) -> Void
  ) -> RequestFeed? {
    let type = request.head.headers.first(name: "content-type")?.lowercased() ?? ""
    guard type.hasPrefix("application/grpc"),
      let target = try? RequestTarget(
        scheme: connection.scheme,
        authority: connection.authority(hostHeader: request.head.headers.first(name: "host")),
        target: request.head.uri)
    else { return nil }
    let incoming = incoming(request, for: target, on: connection)
    let feed = RequestFeed(keeping: Self.maximumKept)
    let mode = network.mode(ofHost: target.host)
    let scope = environment.scope
    if mode == .record || mode == .spy && !log.mayAnswer(incoming, scope: scope) {
      live(request, incoming, feed: feed, completion: completion)
      return feed
    }
    guard case .reply(let claimed)? = log.claimOpening(incoming, scope: scope) else {
      return nil
    }
    let answer = answer(incoming, with: claimed)
    if case .conversation(let conversation) = answer.reply.content {
      feed.connect { conversation.receive($0) }
    } else {
      feed.disconnect()
    }
    if let record = answer.record {
      feed.onPart = { [log, weak feed] part in
        guard let feed else { return }
        log.setBody(feed.kept, length: feed.length, ofRequest: record.number)
      }
    }
    completion(.success(answer))
    return feed
  }

  /// Leads a conversation that has been chosen.
  func open(_ conversation: GRPCConversation, of record: RecordedRequest) {
    conversation.schedule = { [self] delay, work in scheduleOnLoop(delay, work) }
    conversation.reportMismatch = { [self] message in
      report(.brokenSession(record, message: message))
    }
    conversation.begin()
  }
}
