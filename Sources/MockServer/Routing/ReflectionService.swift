internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import Patterns
internal import ProtocolBuffers
internal import ScenarioPlan

/// Answers server reflection for the hosts that have entries of gRPC.
///
/// Lives on the event loop. Such a call is none of the scenario's requests: clients ask it about others.
final class ReflectionService {
  private let types: CallTypes
  private let hosts: [URLPattern]

  init(of network: PlannedNetwork, _ types: CallTypes) {
    self.types = types
    hosts =
      types.isEmpty
      ? []
      : network.responses.compactMap { response in
        guard case .http(let request) = response.match, let url = request.url,
          types.method(atPath: url.path) != nil
        else { return nil }
        return url
      }
  }

  /// Answers a call of which the head has come; `nil` if it is none of reflection, or an entry is there for it.
  func answer(
    _ request: IncomingRequest, unless isAnswered: (IncomingRequest) -> Bool
  ) -> (answer: Answer, feed: RequestFeed)? {
    guard
      hosts.contains(where: { $0.matchesHost(request.target) && $0.matchesPort(request.target) }),
      let reflection = ServerReflection(path: request.target.path, for: types.pool),
      !isAnswered(request)
    else { return nil }
    let stream = BodyStream()
    let feed = RequestFeed(keeping: 0)
    var reader = GRPCMessageReader()
    feed.connect { part in
      switch part {
      case .bytes(let bytes):
        for message in reader.read(bytes) {
          guard !message.isPacked,
            let answer = reflection.answer(Array(message.bytes.readableBytesView))
          else {
            return stream.finish(trailers: ["grpc-status": "3", "grpc-message": "no such request"])
          }
          stream.send(GRPCMessageReader.frame(ByteBuffer(bytes: answer)))
        }
      case .end: stream.finish(trailers: ["grpc-status": "0"])
      // The client has cancelled the call; its connection lives on.
      case .lost: break
      }
    }
    var reply = PreparedReply(status: 200)
    reply.headers.add(name: "content-type", value: "application/grpc")
    reply.content = .feed(stream)
    return (Answer(reply: reply), feed)
  }
}
