internal import NIOHTTP1

/// Bounds on what one client may send.
enum HTTPLimits {
  /// The largest request body; beyond it the answer is 413.
  static let maximumBody = 64 * 1024 * 1024
  /// The largest sum of header names and values; beyond it the answer is 431.
  static let maximumHead = 1024 * 1024
  /// The largest single header, and the largest request target.
  static let maximumField = 80 * 1024
  /// The largest number of headers.
  static let maximumFieldCount = 256
  /// How many requests one connection may have unanswered; beyond it the connection ends.
  static let maximumPipelined = 1024
  /// The largest file that a reply may carry.
  static let maximumReplyFile = 1024 * 1024 * 1024

  /// The bounds in the decoder's terms.
  static var decoderConfiguration: NIOHTTPDecoderLimitConfiguration {
    var configuration = NIOHTTPDecoderLimitConfiguration()
    configuration.maxHeaderFieldSize = maximumField
    configuration.maxHeaderListSize = maximumHead
    configuration.maxHeaderFieldCount = maximumFieldCount
    return configuration
  }
}
