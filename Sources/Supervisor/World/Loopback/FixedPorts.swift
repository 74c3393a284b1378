internal import Synchronization

/// The ports of this machine's loopback that the cases of a run have bound by their numbers.
///
/// A case has a port until its end, even if its sockets are closed before: closes are not recorded.
package final class FixedPorts: Sendable {
  /// A port of one transport.
  struct Port: Hashable {
    var transport: TransportKind
    var number: UInt16
  }

  private struct State {
    var caseCount = 0
    /// The addresses that cases have bound, by the cases' numbers; none where the port is a case's own.
    var addresses: [Port: [Int: Set<[UInt8]>]] = [:]
  }

  private let state = Mutex(State())

  /// Creates a record of none.
  package init() {}

  /// Adds a case.
  package func enter() -> CasePorts {
    CasePorts(
      of: self,
      number: state.withLock { state in
        state.caseCount += 1
        return state.caseCount
      })
  }

  fileprivate func claim(_ address: InternetAddress, _ port: Port, of number: Int) -> Bool {
    state.withLock { state in
      let holders = state.addresses[port] ?? [:]
      guard holders.keys.allSatisfy({ $0 == number }) else { return false }
      state.addresses[port, default: [:]][number, default: []].insert(address.unmapped.bytes)
      return true
    }
  }

  fileprivate func recordMove(of port: Port, _ number: Int) {
    state.withLock { $0.addresses[port, default: [:]][number] = [] }
  }

  fileprivate func abandon(_ port: Port, of number: Int) {
    state.withLock { state in
      state.addresses[port]?[number] = nil
      if state.addresses[port]?.isEmpty ?? false { state.addresses[port] = nil }
    }
  }

  fileprivate func abandonAll(of number: Int) {
    state.withLock { state in
      state.addresses = state.addresses.mapValues { $0.filter { $0.key != number } }
        .filter { !$0.value.isEmpty }
    }
  }

  fileprivate func holds(_ port: Port, _ number: Int) -> Bool {
    state.withLock { $0.addresses[port]?[number] != nil }
  }

  fileprivate func hasOthers(than number: Int, at port: UInt16?) -> Bool {
    state.withLock { state in
      guard !state.addresses.isEmpty else { return false }
      guard let port else {
        return state.addresses.values.contains { $0.keys.contains { $0 != number } }
      }
      return [TransportKind.stream, .datagram].contains { transport in
        state.addresses[Port(transport: transport, number: port)]?.keys.contains { $0 != number }
          ?? false
      }
    }
  }

  /// Returns whether other cases receive what is sent to an address, and the case itself does not.
  fileprivate func leadsToOthers(
    _ address: InternetAddress, _ transport: TransportKind, than number: Int
  ) -> Bool {
    let port = Port(transport: transport, number: address.port)
    let bytes = address.unmapped.bytes
    return state.withLock { state in
      let receivers = (state.addresses[port] ?? [:]).filter { holder in
        holder.value.contains { Self.receives($0, bytes) }
      }
      return !receivers.isEmpty && receivers[number] == nil
    }
  }

  /// Returns whether who is bound to an address receives what is sent to another one.
  private static func receives(_ bound: [UInt8], _ address: [UInt8]) -> Bool {
    guard bound.allSatisfy({ $0 == 0 }) else { return bound == address }
    return bound.count == 16 || address.count == 4
  }
}

/// The ports of this machine's loopback that one case has.
package final class CasePorts: Sendable {
  private let all: FixedPorts
  private let number: Int
  private let entranceText = Mutex<String?>(nil)

  fileprivate init(of all: FixedPorts, number: Int) {
    self.all = all
    self.number = number
  }

  deinit { end() }

  /// The address of this machine at which what targets bind is reached where a port is the case's own; `nil` while none
  /// is.
  package var entrance: String? {
    get { entranceText.withLock { $0 } }
    set { entranceText.withLock { $0 = newValue } }
  }

  /// The case has ended: its ports are free for others.
  package func end() { all.abandonAll(of: number) }

  /// True if other cases have ports.
  var hasOthers: Bool { all.hasOthers(than: number, at: nil) }

  /// Takes a port at an address; false if another case has it.
  func claim(_ address: InternetAddress, _ transport: TransportKind) -> Bool {
    all.claim(
      address, FixedPorts.Port(transport: transport, number: address.port), of: number)
  }

  /// The port is the case's own, and not this machine's: whoever comes next does not get it here either, so that it has
  /// room where it is.
  func recordMove(of port: FixedPorts.Port) { all.recordMove(of: port, number) }

  /// Gives a port back that could not be bound.
  func abandon(_ port: FixedPorts.Port) { all.abandon(port, of: number) }

  /// Returns whether the case has a port.
  func holds(_ port: FixedPorts.Port) -> Bool { all.holds(port, number) }

  /// Returns whether another case has a port of either transport.
  func isOthers(port: UInt16) -> Bool { all.hasOthers(than: number, at: port) }

  /// Returns whether what is sent to an address is received by other cases, and not by this one.
  func leadsToOthers(_ address: InternetAddress, _ transport: TransportKind) -> Bool {
    all.leadsToOthers(address, transport, than: number)
  }
}
