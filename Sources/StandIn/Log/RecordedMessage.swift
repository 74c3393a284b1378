public import ScenarioModel

/// A message that went over a WebSocket.
public struct RecordedMessage: Sendable, Hashable {
  /// The number of the request that opened the WebSocket.
  public var request: Int
  /// Whether the client sent it.
  public var isFromClient: Bool
  /// Whether it is text.
  public var isText: Bool
  /// The beginning of its bytes.
  public var bytes: [UInt8]
  /// The whole length in bytes.
  public var length: Int
  /// Virtual time since the scenario's start.
  public var time: Nanoseconds

  /// Creates a record.
  public init(
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
