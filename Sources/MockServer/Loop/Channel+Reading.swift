internal import NIOCore

extension Channel {
  /// Reads on, or not; a channel that is gone does neither.
  func setReading(_ reads: Bool) {
    try? syncOptions?.setOption(ChannelOptions.autoRead, value: reads)
    // A stream of HTTP/2 does not begin by itself.
    if reads { read() }
  }
}
