/// The headers that are about the connection and not about the message.
package enum MessageHeaders {
  /// Headers of one hop (RFC 9110 section 7.6.1), and those that say how a body was framed or packed.
  private static let connection: Set<String> = [
    "alt-svc", "connection", "content-encoding", "content-length", "date", "keep-alive",
    "proxy-authenticate", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Returns whether a recording leaves the header out.
  package static func isOfConnection(_ name: String) -> Bool {
    connection.contains(name.lowercased()) || name.hasPrefix(":")
  }
}
