package import Foundations
internal import OrderedCollections
package import Patterns

/// A request that a real host was asked, and what came of it.
package struct RecordedExchange: Sendable, Hashable {
  /// The outcome of the exchange.
  package enum Outcome: Sendable, Hashable {
    /// A reply.
    case reply(RecordedReply)
    /// A WebSocket.
    case socket(RecordedSocket)
    /// No reply, or not all of one.
    case fault(RecordedFault)
  }

  /// The method.
  package var method: String
  /// The request's target.
  package var target: RequestTarget
  /// The request's header fields in order.
  package var headers: [IncomingRequest.Header]
  /// The request's body.
  package var body: [UInt8]
  /// The outcome of the exchange.
  package var outcome: Outcome

  /// Creates an exchange.
  package init(
    method: String, target: RequestTarget, headers: [IncomingRequest.Header], body: [UInt8],
    outcome: Outcome
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.outcome = outcome
  }
}

/// The failure of a real host.
package enum RecordedFault: Sendable, Hashable {
  /// The connection was refused: no process listened.
  case refuse
  /// The host was unreachable.
  case unreachable
  /// The connection was reset.
  case reset
  /// The connection was closed without an answer.
  case empty
  /// The answer did not come in time.
  case hang
  /// The name was not resolved.
  case failedLookup
  /// The name has no address.
  case unknownName
  /// The certificate is not trusted, or there was no agreement on TLS.
  case untrusted
  /// The answer was not HTTP.
  case garbage

  /// The value of `fault:` in a reply.
  var replyWord: String {
    switch self {
    case .refuse, .unreachable, .reset, .failedLookup, .unknownName, .untrusted: "reset"
    case .empty: "empty"
    case .hang: "hang"
    case .garbage: "garbage"
    }
  }

  /// The value of `fault:` in a host's entry; `nil` where a connection came about.
  var hostFault: Value? {
    switch self {
    case .refuse: .string("refuse")
    case .unreachable: .string("unreachable")
    case .failedLookup: .map(["dns": .string("servfail")])
    case .unknownName: .map(["dns": .string("nxdomain")])
    case .untrusted: .map(["tls": .string("untrusted")])
    case .reset, .empty, .hang, .garbage: nil
    }
  }
}

/// A reply of a real host.
package struct RecordedReply: Sendable, Hashable {
  /// The maximum number of bytes of a body that are kept.
  package static let maximumKeptBody = 64 << 20

  /// The status.
  package var status: Int
  /// The header fields in order.
  package var headers: [IncomingRequest.Header]
  /// The body, as far as it is kept.
  package var body: [UInt8]
  /// The fields behind the body.
  package var trailers: [IncomingRequest.Header] = []
  /// The messages, where it is a reply of gRPC.
  package var call: RecordedCall?
  /// The messages of gRPC, decoded; `nil` if the .proto files do not describe them.
  package var messages: [Value]?
  /// True if the body was longer.
  package var isCut: Bool

  /// Creates a reply.
  package init(
    status: Int, headers: [IncomingRequest.Header], body: [UInt8] = [], isCut: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isCut = isCut
  }

  /// The media type without its parameters; `nil` if none is named.
  package var mediaType: String? {
    let field = headers.first { $0.name.lowercased() == "content-type" }?.value
    return field?.split(separator: ";").first.map {
      $0.lowercased().filter { !$0.isWhitespace }
    }
  }
}
