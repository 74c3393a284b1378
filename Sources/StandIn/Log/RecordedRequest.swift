public import ScenarioModel
public import ScenarioPlan

/// A request as the stand-in received it, and what it answered.
public struct RecordedRequest: Sendable, Hashable {
  /// How many bytes of a body are kept.
  public static let maximumKeptBody = 64 * 1024

  /// One header.
  public typealias Header = IncomingRequest.Header

  /// Its place in the order of arrival, counted from 1.
  public var number: Int
  /// The method.
  public var method: String
  /// The whole URL, with scheme and host, and with the port where it is not the scheme's own.
  public var url: String
  /// Headers in order.
  public var headers: [Header]
  /// The beginning of the body.
  public var body: [UInt8]
  /// The body's whole length in bytes.
  public var bodyLength: Int
  /// The GraphQL operation, where there is one.
  public var operation: String?
  /// Which entry answered; `nil` if none did.
  public var entry: String?
  /// The status of the answer.
  public var status: Int
  /// Virtual time since the scenario's start when the request was complete.
  public var time: Nanoseconds
  /// How long the answer is held back, in virtual time.
  public var delay: Nanoseconds
  private let transport: RequestTransport
  /// The fields behind the body.
  public var trailers: [Header]
  /// Who asked, and on which connection; `nil` if that is not known.
  public var origin: ClientOrigin?

  /// How the answer went wrong, because the author wants it so.
  public var fault: ReplyFault?

  /// `1.0`, `1.1` or `2`.
  public var protocolVersion: String { transport.version }
  /// The number of the HTTP/2 stream; `nil` otherwise.
  public var stream: Int? { transport.stream }

  /// The answer in words: its status, or the fault that came instead.
  public var outcome: String {
    guard let fault else { return String(status) }
    return fault.sendsReply ? "\(status), \(fault.text)" : fault.text
  }

  /// Creates a record.
  public init(
    number: Int, method: String, url: String, headers: [Header], body: [UInt8], bodyLength: Int,
    operation: String?, entry: String?, status: Int, time: Nanoseconds, delay: Nanoseconds,
    protocolVersion: String = "1.1", stream: Int? = nil, trailers: [Header] = [],
    origin: ClientOrigin? = nil
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
  }
}

/// How a request came.
private struct RequestTransport: Hashable, Sendable {
  let version: String
  let stream: Int?
}
