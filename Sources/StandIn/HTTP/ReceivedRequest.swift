internal import NIOCore
internal import NIOHTTP1

/// A complete request.
struct ReceivedRequest {
  var head: HTTPRequestHead
  var body: ByteBuffer
  /// Whether the body is beyond the limit; it is dropped then.
  private(set) var isTooLarge = false

  init(head: HTTPRequestHead) {
    self.head = head
    body = ByteBuffer()
    let declared = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    isTooLarge = declared > HTTPLimits.maximumBody
  }

  /// Whether the client waits for a word before it sends the body (RFC 9110, section 10.1.1).
  var expectsContinue: Bool {
    head.version != .http1_0
      && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
  }

  /// Whether the connection can serve another request.
  ///
  /// The decoder stops reading behind a request that offers an upgrade (as `h2c` is offered by Java's
  /// client), since other bytes than HTTP could follow; no upgrade is ever taken, so the end is clean.
  var keepsAlive: Bool {
    let offersUpgrade =
      head.headers.contains(name: "upgrade")
      && head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
    return head.isKeepAlive && !offersUpgrade
  }

  /// Takes a part of the body, or drops it if the whole is too large.
  mutating func append(_ part: inout ByteBuffer) {
    guard !isTooLarge else { return }
    if body.readableBytes + part.readableBytes > HTTPLimits.maximumBody {
      isTooLarge = true
      body = ByteBuffer()
    } else {
      body.writeBuffer(&part)
    }
  }
}
