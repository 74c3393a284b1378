/// Ways to leave a message without its end.
enum AbortMode: Hashable {
  /// The connection is closed in order.
  case close
  /// The connection is reset: the client reads ECONNRESET.
  case reset
  /// The stream ends with an error code of RFC 9113, section 7; HTTP/1 resets the connection.
  case resetStream(code: Int)
  /// The connection's streams all end, GOAWAY (RFC 9113, section 6.8); HTTP/1 closes the
  /// connection.
  case goAway(code: Int)
  /// A text that is no chunk comes where a chunk should, then the connection is closed. HTTP/2 has
  /// no chunks: its stream ends with PROTOCOL_ERROR, as when an intermediary has met such a chunk
  /// (RFC 9113, section 8.1.1).
  case malformedChunk
}
