internal import NIOCore

/// The settings by which real hosts are reached.
package struct UpstreamSettings: Sendable {
  /// A bundle, or a folder, of the authorities that are trusted; `nil` is the system's bundle.
  package var trustPath: String?
  /// The longest time that a connection may take, in real time.
  var connectTimeout = TimeAmount.seconds(10)
  /// The longest time for which a host may be silent while an answer is pending, in real time.
  var silenceTimeout = TimeAmount.seconds(30)

  /// Creates settings.
  package init(trustPath: String? = nil) {
    self.trustPath = trustPath
  }
}

/// Counts a scenario's real connections.
package struct RealConnections: Sendable, Hashable {
  /// The number of connections that were made to each host and port, as `api.example.com:443`, or as
  /// `api.example.com at 127.0.0.1:8443` where a host is reached elsewhere.
  package var counts: [String: Int] = [:]

  /// Creates an empty account.
  package init() {}
}
