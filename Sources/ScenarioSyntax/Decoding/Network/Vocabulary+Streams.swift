extension Vocabulary {
  /// Bodies of replies that happen over time.
  static let streamedBodies = ["grpc", "stream", "websocket"]
  /// What a reply may say about its way over the wire.
  static let wire = ["encoding", "trailers"]

  static let pieces = ["base64", "file", "json", "text"]
  static let streamActions = ["close", "send"]
  static let streamStep = streamActions + ["after"]
  static let webSocketActions = ["close", "expect", "ping", "send"]
  static let webSocketStep = webSocketActions + ["after"]
  static let webSocketClose = ["code", "reason"]
  static let grpc = ["error", "message", "messages", "status"]
  static let grpcMessage = pieces + ["after", "expect"]
}
