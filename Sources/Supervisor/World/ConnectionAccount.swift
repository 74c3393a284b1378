/// What became of the target's connections.
package struct ConnectionAccount: Sendable, Hashable {
  /// How many distinct addresses are listed at most.
  static let limit = 100

  /// How many connections were redirected.
  package internal(set) var connections = 0
  /// How many calls that would have left this machine were refused, or lead nowhere.
  package internal(set) var refused = 0
  /// Addresses beyond this machine that the target was let through to, in order, with their ports; the
  /// first of them.
  package internal(set) var reached: [String] = []
  /// How many there are beyond those that are listed, at most.
  package internal(set) var unlisted = 0

  /// Nothing has happened.
  package init() {}

  /// Notes that the target was let through to an address.
  mutating func recordReached(_ address: InternetAddress, by name: String?) {
    let target = address.unmapped
    let host = name ?? (target.bytes.count == 16 ? "[\(target.text)]" : target.text)
    let text = "\(host):\(target.port)"
    guard !reached.contains(text) else { return }
    if reached.count < Self.limit { reached.append(text) } else { unlisted += 1 }
  }
}
