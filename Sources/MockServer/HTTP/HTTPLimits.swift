internal import Foundations
internal import NIOHTTP1

/// Bounds on what one client may send.
enum HTTPLimits {
  /// The largest number of bytes of a request's body that are kept; those beyond are counted and
  /// dropped.
  static let maximumBody = 64 * 1024 * 1024
  /// The largest number of bytes that are kept of all bodies that are under way at once.
  static let maximumBodies = 256 * 1024 * 1024
  /// The largest sum of header names and values; beyond it the answer is 431.
  static let maximumHead = 1024 * 1024
  /// The largest single header; beyond it the answer is 431.
  static let maximumField = 80 * 1024
  /// The largest request target; beyond it the answer is 414.
  static let maximumTarget = 64 * 1024
  /// The largest number of headers.
  static let maximumFieldCount = 256
  /// The maximum number of requests that one connection may have unanswered; beyond it the connection ends.
  static let maximumPipelined = 1024

  /// The longest time for the head of a request from its first byte on, in virtual time; beyond it
  /// the answer is 408.
  static let maximumHeadTime = Nanoseconds.seconds(60)

  /// The bounds in the decoder's terms.
  ///
  /// A head that is a little too large is let through, so that the answer can say which bound it broke.
  static var decoderConfiguration: NIOHTTPDecoderLimitConfiguration {
    var configuration = NIOHTTPDecoderLimitConfiguration()
    configuration.maxHeaderFieldSize = maximumHead
    configuration.maxHeaderListSize = maximumHead
    configuration.maxHeaderFieldCount = maximumFieldCount
    return configuration
  }

  /// Returns the status and message with which a head is refused; `nil` if it is within the bounds.
  static func refusal(of head: HTTPRequestHead) -> (status: Int, message: String)? {
    if head.uri.utf8.count > maximumTarget {
      return (414, "the request's target is longer than \(maximumTarget) bytes")
    }
    var total = 0
    for (name, value) in head.headers {
      let size = name.utf8.count + value.utf8.count
      if size > maximumField {
        return (431, "the header \"\(name.prefix(64))\" is longer than \(maximumField) bytes")
      }
      total += size
    }
    if total > maximumHead || head.headers.count > maximumFieldCount {
      return (431, "the request's headers are larger than \(maximumHead) bytes, or too many")
    }
    return nil
  }
}
