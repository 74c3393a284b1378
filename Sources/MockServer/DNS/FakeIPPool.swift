import Synchronization

/// The fake addresses that stand for host names.
///
/// Addresses are assigned in the order of the first query, so that two runs that ask alike get
/// alike answers. They come from 198.18.0.0/15, which RFC 2544 sets aside for benchmarks.
final class FakeIPPool: Sendable {
  /// The first address that is given out.
  static let firstAddress = IPv4Address(198, 18, 0, 1)
  /// The last address that is given out.
  static let lastAddress = IPv4Address(198, 19, 255, 254)

  private struct State {
    var addresses: [String: IPv4Address] = [:]
    var names: [IPv4Address: String] = [:]
    var next = FakeIPPool.firstAddress
    /// Addresses that belong to names of the scenario, and are given to no other.
    var taken: Set<IPv4Address> = []
  }

  private let state: Mutex<State>

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - hosts: addresses that lower-case names have from the beginning.
  ///   - reserved: how many addresses at the beginning are given to no other name.
  ///   - taken: further addresses that are given to no other name.
  init(
    hosts: [String: IPv4Address] = [:], reserved: Int = 0, taken: Set<IPv4Address> = []
  ) {
    var state = State(addresses: hosts, taken: taken)
    for (name, address) in hosts.sorted(by: { $0.key > $1.key }) { state.names[address] = name }
    state.next.rawValue += UInt32(reserved)
    self.state = Mutex(state)
  }

  /// The address of a lower-case name; `nil` once all addresses are given out.
  func address(ofHost name: String) -> IPv4Address? {
    state.withLock { state in
      if let known = state.addresses[name] { return known }
      while state.taken.contains(state.next) { state.next.rawValue += 1 }
      let address = state.next
      guard address.rawValue <= Self.lastAddress.rawValue else { return nil }
      state.next.rawValue += 1
      state.addresses[name] = address
      state.names[address] = name
      return address
    }
  }

  /// The name that an address stands for.
  func name(ofAddress address: IPv4Address) -> String? {
    state.withLock { $0.names[address] }
  }
}
