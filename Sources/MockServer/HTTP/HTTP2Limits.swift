internal import NIOHTTP2

/// Bounds on what one client of HTTP/2 may do.
enum HTTP2Limits {
  /// The maximum number of streams that may be open at once.
  static let maximumStreams = 256
  /// The maximum number of streams that a client may cancel, or break, in the window of the library.
  ///
  /// The window is real time, and virtual time is often much faster: a client that gives up a
  /// request each virtual second is none that floods.
  static let maximumResets = 20_000
  /// The largest number of SETTINGS and PING frames in that window.
  static let maximumControlFrames = 20_000
  /// The maximum number of bytes that a client may send ahead, for each stream and for all together.
  static let window = 1024 * 1024
  /// The number of bytes of a reply that wait for the client's window.
  static let highWatermark = 256 * 1024

  /// The bounds for a connection.
  static var connection: NIOHTTP2Handler.ConnectionConfiguration {
    var configuration = NIOHTTP2Handler.ConnectionConfiguration()
    configuration.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: maximumStreams),
      // A little more than is taken, so that the answer can say which bound was broken.
      HTTP2Setting(parameter: .maxHeaderListSize, value: 2 * HTTPLimits.maximumHead),
      HTTP2Setting(parameter: .initialWindowSize, value: window),
    ]
    configuration.targetWindowSize = window
    configuration.controlFrameRateLimit.maximumCount = maximumControlFrames
    return configuration
  }

  /// The bounds for a connection to a real host.
  static var upstream: NIOHTTP2Handler.ConnectionConfiguration {
    var configuration = NIOHTTP2Handler.ConnectionConfiguration()
    configuration.initialSettings = [
      HTTP2Setting(parameter: .enablePush, value: 0),
      HTTP2Setting(parameter: .initialWindowSize, value: window),
    ]
    configuration.targetWindowSize = window
    return configuration
  }

  /// The bounds for a stream.
  static var stream: NIOHTTP2Handler.StreamConfiguration {
    var configuration = NIOHTTP2Handler.StreamConfiguration()
    configuration.targetWindowSize = window
    configuration.outboundBufferSizeHighWatermark = highWatermark
    configuration.outboundBufferSizeLowWatermark = highWatermark / 2
    configuration.streamResetFrameRateLimit.maximumCount = maximumResets
    return configuration
  }
}
