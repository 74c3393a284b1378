/// The numbers of the target's connections, redirected and refused.
package struct ConnectionAccount: Sendable, Hashable {
  /// The largest number of distinct addresses that are listed.
  static let limit = 100

  /// The number of connections that were redirected.
  package internal(set) var connections = 0
  /// The number of calls that would have left this machine, and were refused or lead nowhere.
  package internal(set) var refused = 0
  /// Addresses beyond this machine that the target was let through to, in order, with their ports; the
  /// first of them.
  package internal(set) var reached: [String] = []
  /// The largest possible number of addresses beyond those that are listed.
  package internal(set) var unlisted = 0

  /// Creates an account of nothing.
  package init() {}

  /// Records that the target was let through to an address.
  mutating func recordReached(_ address: InternetAddress, by name: String?) {
    let target = address.unmapped
    let host = name ?? (target.bytes.count == 16 ? "[\(target.text)]" : target.text)
    let text = "\(host):\(target.port)"
    guard !reached.contains(text) else { return }
    if reached.count < Self.limit { reached.append(text) } else { unlisted += 1 }
  }
}
