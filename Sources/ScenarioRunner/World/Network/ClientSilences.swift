internal import OrderedCollections

/// The hosts to which clients connected without ever saying a word.
///
/// Clients of protocols in which the server speaks first wait for what never comes.
struct ClientSilences {
  /// The maximum number of hosts that are kept; a client that scans has as many as it likes.
  private static let hostLimit = 1_000
  /// The maximum number of hosts that are reported.
  private static let lineLimit = 5

  private var hasSpoken: OrderedDictionary<String, Bool> = [:]

  /// Records a connection to a host, or the first byte on it.
  mutating func record(_ host: String, hasSpoken: Bool) {
    if self.hasSpoken[host] == nil, self.hasSpoken.count >= Self.hostLimit { return }
    if hasSpoken || self.hasSpoken[host] == nil { self.hasSpoken[host] = hasSpoken }
  }

  /// The silent hosts, a line each.
  var lines: [String] {
    hasSpoken.filter { !$0.value }.keys.prefix(Self.lineLimit).map { host in
      """
      \(host): the client sent nothing on its connection; the mock server waits for the client to begin, \
      unless an entry of "responses" with `host:` and `tcp:` says what the server sends first
      """
    }
  }
}
