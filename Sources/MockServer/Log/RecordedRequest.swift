internal import Cryptography
package import Foundations
package import MockEngine
package import ScenarioModel

/// A request as the mock server received it, and what it answered.
package struct RecordedRequest: Sendable, Hashable {
  /// The maximum number of bytes of a body that are kept to be checked.
  package static let maximumKeptBody = 16 * 1024 * 1024
  /// The maximum number of bytes of a body that reports show, and that are kept of one for which there is no room.
  package static let maximumShownBody = 64 * 1024

  /// One header.
  package typealias Header = IncomingRequest.Header

  /// The method of connections that follow a script.
  package static let conversationMethod = "TCP"

  /// Its place in the order of arrival, counted from 1.
  package var number: Int
  /// The method.
  package var method: String
  /// The whole URL, with scheme and host, and with the port where it is not the scheme's own.
  package var url: String
  /// Headers in order.
  package var headers: [Header]
  /// The beginning of the body.
  package var body: [UInt8]
  /// The body's whole length in bytes.
  package var bodyLength: Int
  /// The SHA-256 of the whole body in hexadecimal, where only its beginning is kept; `nil` if all of it is, or if the mock
  /// server has not received it as a whole.
  package var bodyDigest: String?
  /// The GraphQL operation, where there is one.
  package var operation: String?
  /// The entry that answered; `nil` if none did.
  package var entry: String?
  /// The status of the answer.
  package var status: Int
  /// Virtual time since the scenario's start when the request was complete.
  package var time: Nanoseconds
  /// The time that the answer is held back, in virtual time.
  package var delay: Nanoseconds
  private let transport: RequestTransport
  /// The fields behind the body.
  package var trailers: [Header]
  /// The process that asked, and its connection; `nil` if that is not known.
  package var origin: ClientOrigin?
  /// The call of gRPC that it makes, decoded; `nil` if it makes none that the .proto files describe.
  package var call: IncomingCall?
  /// The client's certificate; `nil` if it was not asked for one, or has none.
  package var clientCertificate: ClientCertificate?
  /// The host whose certificate the client has accepted; `nil` for requests without TLS.
  package var acceptedHost: String?
  /// The entry that matches it, and had no replies left, where none answers it.
  package var spentEntry: String?

  /// The fault of the answer, as the stub says.
  package var fault: ReplyFault?
  /// The changes of the case's state by the request.
  package var changes: [StateChange] = []

  /// `1.0`, `1.1` or `2`.
  package var protocolVersion: String { transport.version }
  /// The number of the HTTP/2 stream; `nil` otherwise.
  package var stream: Int? { transport.stream }

  /// True if it stands for a connection that follows a script.
  package var isConversation: Bool { method == Self.conversationMethod && status == 0 }

  /// The answer in words: its status, or the fault that came instead.
  package var outcome: String {
    guard let fault else { return isConversation ? "a script" : String(status) }
    return fault.sendsReply ? "\(status), \(fault.text)" : fault.text
  }

  /// Keeps the beginning of the body alone.
  mutating func cutBody() {
    guard body.count > Self.maximumShownBody else { return }
    if body.count == bodyLength { bodyDigest = SecureDigest.sha256(body) }
    body = Array(body.prefix(Self.maximumShownBody))
    // What is decoded is kept where the bytes are.
    call = nil
  }

  /// Creates a record.
  package init(
    number: Int, method: String, url: String, headers: [Header], body: [UInt8], bodyLength: Int,
    operation: String?, entry: String?, status: Int, time: Nanoseconds, delay: Nanoseconds,
    protocolVersion: String = "1.1", stream: Int? = nil, trailers: [Header] = [],
    origin: ClientOrigin? = nil, clientCertificate: ClientCertificate? = nil
  ) {
    self.number = number
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.bodyLength = bodyLength
    self.operation = operation
    self.entry = entry
    self.status = status
    self.time = time
    self.delay = delay
    transport = RequestTransport(version: protocolVersion, stream: stream)
    self.trailers = trailers
    self.origin = origin
    self.clientCertificate = clientCertificate
  }
}

/// The transport of a request.
private struct RequestTransport: Hashable, Sendable {
  let version: String
  let stream: Int?
}
