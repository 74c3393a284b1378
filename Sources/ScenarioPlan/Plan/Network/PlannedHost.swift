/// A machine of a case's world, on which one of its targets runs.
package struct PlannedHost: Sendable, Hashable, Codable {
  /// The names by which every target reaches it, the first one its own.
  package var names: [String]
  /// What targets take for its address.
  package var address: String

  /// Creates a host.
  package init(names: [String], address: String) {
    self.names = names
    self.address = address
  }

  /// The address of the host of a number, from 1, out of those that RFC 2544 sets aside for benchmarks; the one behind the
  /// last host's is that of whoever is on none of them.
  package static func address(ofNumber number: Int) -> String { "198.18.0.\(number)" }
}
