internal import Foundations
internal import GraphQL
internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import OrderedCollections
internal import ScenarioModel

/// The answer to one operation of a batch.
struct BatchMember {
  var value: Value
  /// True if no entry answers it.
  var isUnmatched = false
  /// True if what the scenario says of unmatched requests holds for it: no queue has run empty.
  var isAgreed = false
  var status = 200
  var delay = Nanoseconds.zero
  var entry: String?
  /// The headers of its stub.
  var headers: HTTPHeaders = [:]
  var trailers: HTTPHeaders = [:]
  var encoding = BodyEncoding.identity
  /// The changes of the case's state.
  var changes: [StateChange] = []
  /// Makes the event that follows the record of the whole.
  var finding: ((RecordedRequest) -> MockServerEvent)?
}

extension BatchMember {
  /// A result that is nothing but an error of the mock server.
  init(
    errors message: String, isUnmatched: Bool = false, isAgreed: Bool = false,
    entry: String? = nil, finding: ((RecordedRequest) -> MockServerEvent)? = nil
  ) {
    self.init(
      value: .map(["errors": .list([.map(["message": .string(message)])])]),
      isUnmatched: isUnmatched, isAgreed: isAgreed, entry: entry, finding: finding)
  }
}

/// A batch of which the real host has to answer some members.
struct PartialBatch {
  /// The operations.
  let requests: [GraphQLRequest]
  /// The answers so far, in order.
  private let members: [BatchMember]
  /// The places of the members that the real host answers, and their JSON.
  private let missing: [(place: Int, json: Value)]

  /// A batch whose unmatched members go to the real host; `nil` if all stay here.
  init?(_ members: [BatchMember], _ request: IncomingRequest) {
    guard case .batch(let requests)? = request.graphQLPayload, case .list(let list)? = request.json,
      list.count == members.count
    else { return nil }
    let missing = zip(members.indices, list).filter { members[$0.0].isUnmatched }
    guard !missing.isEmpty else { return nil }
    self.requests = requests
    self.members = members
    self.missing = missing.map { (place: $0.0, json: $0.1) }
  }

  /// The request for what is missing.
  func question(of original: ReceivedRequest) -> ReceivedRequest {
    var request = original
    let body = ByteBuffer(string: Value.list(missing.map(\.json)).jsonText())
    request.replaceBody(body, length: body.readableBytes)
    request.head.headers.remove(name: "content-encoding")
    // The answers have to be read here.
    request.head.headers.replaceOrAdd(name: "accept-encoding", value: "identity")
    return request
  }

  /// Returns all members in order, and the problem with the real host's answers.
  func complete(
    with outcome: RecordedExchange.Outcome
  ) -> (members: [BatchMember], problem: String?) {
    var members = members
    let (answers, problem) = answers(in: outcome)
    for (index, missing) in missing.enumerated() {
      members[missing.place] = answers[index]
    }
    return (members, problem)
  }

  private func answers(
    in outcome: RecordedExchange.Outcome
  ) -> (answers: [BatchMember], problem: String?) {
    let entry = "the real host"
    let count = missing.count
    var problem = "the real host did not answer"
    if case .reply(let reply) = outcome {
      if case .list(let list)? = try? JSONText.parse(utf8: reply.body), list.count == count {
        return (list.map { BatchMember(value: $0, entry: entry) }, nil)
      }
      problem =
        "the real host answered a batch of \(count) with status \(reply.status) and without a list of"
        + " \(count) results"
    }
    let failed = BatchMember(errors: problem, entry: entry)
    return ([BatchMember](repeating: failed, count: count), problem)
  }
}
