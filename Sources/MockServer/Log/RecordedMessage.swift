package import Foundations

/// A message that went over a WebSocket.
package struct RecordedMessage: Sendable, Hashable {
  /// The number of the request that opened the WebSocket.
  package var request: Int
  /// True if the client sent it.
  package var isFromClient: Bool
  /// True if it is text.
  package var isText: Bool
  /// The beginning of its bytes.
  package var bytes: [UInt8]
  /// The whole length in bytes.
  package var length: Int
  /// Virtual time since the scenario's start.
  package var time: Nanoseconds

  /// Creates a record.
  package init(
    request: Int, isFromClient: Bool, isText: Bool, bytes: [UInt8], length: Int,
    time: Nanoseconds
  ) {
    self.request = request
    self.isFromClient = isFromClient
    self.isText = isText
    self.bytes = bytes
    self.length = length
    self.time = time
  }
}
