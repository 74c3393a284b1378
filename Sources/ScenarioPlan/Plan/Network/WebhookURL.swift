package import Patterns

/// The URL of a webhook.
package struct WebhookURL: Sendable, Hashable {
  /// The names and addresses of this machine's loopback.
  package static let loopback = ["localhost", "127.0.0.1", "[::1]"]

  /// Returns whether a host is this machine's loopback.
  package static func isLoopback(_ host: String) -> Bool { loopback.contains(host) }

  /// The host in lower case, and the port.
  package var host: String
  /// The port.
  package var port: UInt16
  /// Path and query as they are written.
  package var path: String

  /// Reads a URL.
  ///
  /// - Throws: `PatternError` if it is none that a webhook can have.
  package init(_ text: String) throws(PatternError) {
    guard let goal = try Self.goal(of: text, isWhole: true) else { throw Self.malformed(text) }
    (host, port) = goal
    let rest = text.dropFirst(Self.scheme.count)
    let behind = rest[(rest.firstIndex(where: { "/?#".contains($0) }) ?? rest.endIndex)...]
    let plain = behind.prefix { $0 != "#" }
    path = plain.hasPrefix("/") ? String(plain) : "/" + plain
    guard path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw PatternError(
        "the URL \"\(text)\" holds a letter that cannot stand in one",
        help: "write url_encode(…) around what it is made of")
    }
  }

  /// Returns where a URL leads; `nil` if that is not known yet by its beginning.
  ///
  /// - Throws: `PatternError` if the text begins no URL of a webhook.
  package static func goal(
    of text: String, isWhole: Bool
  ) throws(PatternError) -> (host: String, port: UInt16)? {
    guard isWhole || text.count >= scheme.count else {
      guard scheme.hasPrefix(text) else { throw malformed(text) }
      return nil
    }
    if text.lowercased().hasPrefix("https://") {
      throw PatternError(
        "the webhook goes to \"\(text)\", and webhooks speak no TLS",
        help: "write http://\(text.dropFirst("https://".count))")
    }
    guard text.hasPrefix(scheme) else { throw malformed(text) }
    let rest = text.dropFirst(scheme.count)
    let end = rest.firstIndex(where: { "/?#".contains($0) })
    guard isWhole || end != nil else { return nil }
    let authority = String(rest[..<(end ?? rest.endIndex)])
    let (host, port) = try URLParts.hostAndPort(authority, in: text)
    return (host, port ?? 80)
  }

  private static let scheme = "http://"

  private static func malformed(_ text: String) -> PatternError {
    PatternError(
      "\"\(text)\" is not the URL of a webhook",
      help: "write http:// with host and path, such as http://hook.test/paid")
  }
}
