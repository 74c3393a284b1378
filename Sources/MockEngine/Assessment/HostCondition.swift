internal import Patterns

/// The hosts and ports that an entry with `host:` is about.
struct HostCondition: Sendable {
  private let glob: CompiledGlob?
  private let address: IPv6Literal?
  private let port: UInt16?

  /// Reads a condition; `port` is `nil` for any.
  init(host: String, port: UInt16?) {
    glob = CompiledGlob(host)
    address = IPv6Literal(host)
    self.port = port
  }

  /// Returns whether a place fits.
  ///
  /// - Parameters:
  ///   - names: the host's name and its address, as far as they are known.
  ///   - port: the port; `nil` where it is not known yet.
  func fits(_ names: [String], port: UInt16?) -> Bool {
    guard self.port == nil || port == nil || self.port == port else { return false }
    // An address of IPv6 is written in many ways.
    if let address { return names.contains { IPv6Literal($0) == address } }
    return names.contains { glob?.matches($0.lowercased()) ?? false }
  }
}
