/// The numbers of the target's connections, redirected and refused.
package struct ConnectionAccount: Sendable, Hashable {
  /// The largest number of distinct addresses that are listed.
  static let limit = 100

  /// The number of connections that were redirected.
  package internal(set) var connections = 0
  /// The number of calls that would have left this machine, and were refused or lead nowhere.
  package internal(set) var refused = 0
  /// The places beyond this machine that were refused, in order, each with the program that wanted to reach it first;
  /// the first of them.
  package internal(set) var refusals: [RefusedPlace] = []
  /// Addresses beyond this machine that the target was let through to, in order, with their ports; the
  /// first of them.
  package internal(set) var reached: [String] = []
  /// The largest possible number of addresses beyond those that are listed.
  package internal(set) var unlisted = 0

  /// Creates an account of nothing.
  package init() {}

  /// Records that a program of the target was refused an address.
  mutating func recordRefusal(
    of address: InternetAddress, _ transport: TransportKind, by name: String?, program: String
  ) {
    refused += 1
    let target = address.unmapped
    let place = RefusedPlace(
      host: name ?? target.text, port: target.port, transport: transport, program: program)
    guard refusals.count < Self.limit,
      !refusals.contains(where: { $0.isSamePlace(as: place) })
    else { return }
    refusals.append(place)
  }

  /// Records that the target was let through to an address.
  mutating func recordReached(_ address: InternetAddress, by name: String?) {
    let target = address.unmapped
    let host = name ?? (target.bytes.count == 16 ? "[\(target.text)]" : target.text)
    let text = "\(host):\(target.port)"
    guard !reached.contains(text) else { return }
    if reached.count < Self.limit { reached.append(text) } else { unlisted += 1 }
  }
}

/// A place beyond this machine that the target wanted to reach, and was refused.
package struct RefusedPlace: Sendable, Hashable {
  /// The name that led to the address; the address itself if none did.
  package var host: String
  /// The port.
  package var port: UInt16
  /// The kind of the connection.
  package var transport: TransportKind
  /// The name of the program that wanted to reach it, without its folder.
  package var program: String

  /// Returns whether another one differs in nothing but the program.
  func isSamePlace(as other: RefusedPlace) -> Bool {
    host == other.host && port == other.port && transport == other.transport
  }
}
