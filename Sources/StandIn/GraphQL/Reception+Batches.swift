internal import GraphQL
internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel
internal import ScenarioPlan

/// A batch of which the real host has to answer some members.
struct PartialBatch {
  /// What is known so far, in order.
  var members: [Reception.Member]
  /// The operations.
  var requests: [GraphQLRequest]
  /// The places of the members that the real host answers, and their JSON.
  var missing: [(place: Int, json: Value)]
}

extension Reception {
  /// A batch whose unmatched members go to the real host; `nil` if all stay here.
  func openBatch(_ members: [Member], _ request: IncomingRequest) -> PartialBatch? {
    guard network.mode(ofHost: request.target.host) == .spy,
      case .batch(let requests)? = request.graphQLPayload, case .list(let list)? = request.json,
      list.count == members.count
    else { return nil }
    let missing = zip(members.indices, list).filter { members[$0.0].isUnmatched }
    guard !missing.isEmpty else { return nil }
    return PartialBatch(
      members: members, requests: requests, missing: missing.map { (place: $0.0, json: $0.1) })
  }

  /// Asks the real host for what is missing, and joins the answers in order.
  func complete(
    _ batch: PartialBatch, of original: ReceivedRequest, _ incoming: IncomingRequest,
    completion: @escaping (Result<Answer, PatternError>) -> Void
  ) {
    var request = original
    let body = ByteBuffer(string: Value.list(batch.missing.map(\.json)).jsonText())
    request.replaceBody(body, length: body.readableBytes)
    request.head.headers.remove(name: "content-encoding")
    // The answers have to be read here.
    request.head.headers.replaceOrAdd(name: "accept-encoding", value: "identity")
    let exchange = UpstreamExchange(upstream)
    exchange.onEnd = { [self] outcome in
      var members = batch.members
      let (answers, problem) = Self.answers(outcome, count: batch.missing.count)
      for (index, missing) in batch.missing.enumerated() {
        members[missing.place] = Member(value: answers[index], entry: "the real host")
      }
      let answer = answer(with: members, to: batch.requests, incoming)
      if let problem, let record = answer.record {
        environment.record(
          .upstreamFailed(
            record, message: problem,
            help: "answer the members of the batch with entries of `responses`"))
      }
      completion(.success(answer))
    }
    let question = UpstreamRequest(request, target: incoming.target, network: network)
    upstream.ask(question, for: exchange)
  }

  /// One answer for each member that was asked for, and what is wrong with them.
  private static func answers(
    _ outcome: RecordedExchange.Outcome, count: Int
  ) -> (answers: [Value], problem: String?) {
    let problem: String
    if case .reply(let reply) = outcome {
      if case .list(let list)? = try? JSONText.parse(utf8: reply.body), list.count == count {
        return (list, nil)
      }
      problem =
        "the real host answered a batch of \(count) with status \(reply.status) and no list of"
        + " \(count) results"
    } else {
      problem = "the real host gave no answer"
    }
    return ([Value](repeating: errors(problem), count: count), problem)
  }
}
