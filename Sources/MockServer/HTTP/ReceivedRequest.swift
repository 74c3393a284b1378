internal import NIOCore
internal import NIOHTTP1

/// A complete request.
struct ReceivedRequest {
  var head: HTTPRequestHead
  /// The number of its stream (RFC 9113, section 5.1.1); `nil` in HTTP/1.
  var stream: Int?
  /// Fields behind the body.
  var trailers: HTTPHeaders = [:]
  /// The body, or its beginning.
  private(set) var body: ByteBuffer
  /// The length of the whole body in bytes, kept or not.
  private(set) var bodyLength = 0
  /// The body's share of the memory of all bodies.
  private let allowance: BufferQuota.Allowance

  init(head: HTTPRequestHead, stream: Int? = nil, budget: BufferQuota) {
    self.head = head
    self.stream = stream
    body = ByteBuffer()
    allowance = budget.open()
  }

  /// True if only the body's beginning is kept.
  var isTruncated: Bool { bodyLength > body.readableBytes }

  /// `1.0`, `1.1` or `2`.
  var protocolVersion: String {
    head.version.major >= 2
      ? String(head.version.major) : "\(head.version.major).\(head.version.minor)"
  }

  /// True if the client waits for status 100 before it sends the body (RFC 9110, section 10.1.1).
  var expectsContinue: Bool {
    head.version != .http1_0
      && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
  }

  /// True if the client offers to go on with another protocol (RFC 9110, section 7.8).
  var offersUpgrade: Bool {
    head.headers.contains(name: "upgrade")
      && head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
  }

  /// True if the client offers to go on with WebSocket (RFC 6455, section 4.1).
  var asksForWebSocket: Bool {
    head.method == .GET && head.version == .http1_1 && offersUpgrade
      && head.headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
  }

  /// True if the connection can serve another request.
  ///
  /// The decoder stops reading behind a request that offers an upgrade (as `h2c` is offered by Java's
  /// client), since other bytes than HTTP could follow; where the upgrade is not taken, the end is clean.
  var keepsAlive: Bool {
    head.isKeepAlive && !offersUpgrade
  }

  /// Adds a part of the body, and keeps it as far as the bounds allow.
  mutating func append(_ part: inout ByteBuffer) {
    let wasTruncated = isTruncated
    bodyLength += part.readableBytes
    guard !wasTruncated else { return }
    let room = min(part.readableBytes, HTTPLimits.maximumBody - body.readableBytes)
    let granted = allowance.take(room)
    if var kept = part.readSlice(length: granted) { body.writeBuffer(&kept) }
  }

  /// Puts another body in the place of the received one.
  ///
  /// - Parameter length: the whole length, where it is known.
  mutating func replaceBody(_ decoded: ByteBuffer, length: Int) {
    body = decoded
    bodyLength = max(length, decoded.readableBytes)
  }
}

/// The memory for bodies of requests that are under way, over all connections.
///
/// Lives on the event loop.
final class BufferQuota {
  /// The memory of one request, which is released with the request.
  final class Allowance {
    private let budget: BufferQuota
    private var taken = 0

    fileprivate init(_ budget: BufferQuota) {
      self.budget = budget
    }

    deinit {
      budget.free += taken
    }

    /// Takes as many bytes as requested, or as are free.
    func take(_ requested: Int) -> Int {
      let granted = max(0, min(requested, budget.free))
      budget.free -= granted
      taken += granted
      return granted
    }
  }

  fileprivate var free = HTTPLimits.maximumBodies

  /// Creates the allowance of a request.
  func open() -> Allowance {
    Allowance(self)
  }
}
