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

  /// What a case has at an address of a port.
  private struct Use {
    /// The number of calls that bind there and have not returned.
    var underWay = 0
    /// True if one has succeeded.
    var isBound = false
  }

  private struct State {
    var caseCount = 0
    /// What cases have bound on this machine, by the cases' numbers; nothing where the port is a case's own.
    var uses: [Port: [Int: [BoundAddress: Use]]] = [:]
    /// The ports that cases had which have ended.
    var former: Set<Port> = []
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

  fileprivate func claim(_ address: BoundAddress, _ port: Port, of number: Int) -> Bool {
    state.withLock { state in
      let uses = state.uses[port] ?? [:]
      // Who has the port on this machine keeps it, also when others were moved.
      guard uses[number]?.isEmpty == false || uses.keys.allSatisfy({ $0 == number }) else {
        return false
      }
      state.uses[port, default: [:]][number, default: [:]][address, default: Use()].underWay += 1
      return true
    }
  }

  fileprivate func settle(_ address: BoundAddress, _ port: Port, of number: Int, isBound: Bool) {
    state.withLock { state in
      guard var use = state.uses[port]?[number]?[address] else { return }
      use.underWay -= 1
      use.isBound = use.isBound || isBound
      let isOver = use.underWay == 0 && !use.isBound
      state.uses[port]?[number]?[address] = isOver ? nil : use
      guard isOver, state.uses[port]?[number]?.isEmpty ?? false else { return }
      state.uses[port]?[number] = nil
      if state.uses[port]?.isEmpty ?? false { state.uses[port] = nil }
    }
  }

  fileprivate func recordMove(of port: Port, from address: BoundAddress, _ number: Int) {
    state.withLock { state in
      let left = (state.uses[port]?[number] ?? [:]).filter { !$0.key.meets(address) }
      state.uses[port, default: [:]][number] = left
    }
  }

  fileprivate func abandonAll(of number: Int) {
    state.withLock { state in
      for (port, holders) in state.uses {
        guard let uses = holders[number] else { continue }
        if uses.values.contains(where: \.isBound) { state.former.insert(port) }
        state.uses[port]?[number] = nil
        if state.uses[port]?.isEmpty ?? false { state.uses[port] = nil }
      }
    }
  }

  fileprivate func holds(_ port: Port, meeting address: BoundAddress, _ number: Int) -> Bool {
    state.withLock { $0.uses[port]?[number]?.keys.contains { $0.meets(address) } ?? false }
  }

  fileprivate func isFormer(_ port: Port) -> Bool { state.withLock { $0.former.contains(port) } }

  fileprivate func hasOthers(than number: Int, at port: UInt16) -> Bool {
    state.withLock { state in
      [TransportKind.stream, .datagram].contains { transport in
        state.uses[Port(transport: transport, number: port)]?.keys.contains { $0 != number }
          ?? false
      }
    }
  }

  /// Returns whether other cases receive what is sent to an address, and the case itself does not.
  fileprivate func leadsToOthers(
    _ address: InternetAddress, _ transport: TransportKind, than number: Int
  ) -> Bool {
    let port = Port(transport: transport, number: address.port)
    return state.withLock { state in
      let receivers = (state.uses[port] ?? [:]).filter { holder in
        holder.value.keys.contains { $0.receives(address) }
      }
      return !receivers.isEmpty && receivers[number] == nil
    }
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

  /// Begins to take a port at an address; false if another case has the port.
  func claim(_ address: BoundAddress, _ port: FixedPorts.Port) -> Bool {
    all.claim(address, port, of: number)
  }

  /// A call that was to bind what was claimed has returned.
  ///
  /// - Parameter isBound: whether it has succeeded: the case has the port there from then on.
  func settle(_ address: BoundAddress, _ port: FixedPorts.Port, isBound: Bool) {
    all.settle(address, port, of: number, isBound: isBound)
  }

  /// The port is the case's own at an address, and not this machine's: whoever comes next does not get it here either, so
  /// that it has room where it is.
  func recordMove(of port: FixedPorts.Port, from address: BoundAddress) {
    all.recordMove(of: port, from: address, number)
  }

  /// Returns whether the case has, or is about to have, an address of this machine's port that conflicts with another.
  func holds(_ port: FixedPorts.Port, meeting address: BoundAddress) -> Bool {
    all.holds(port, meeting: address, number)
  }

  /// Returns whether a case that has ended had a port.
  func isFormer(_ port: FixedPorts.Port) -> Bool { all.isFormer(port) }

  /// Returns whether another case has a port of either transport.
  func isOthers(port: UInt16) -> Bool { all.hasOthers(than: number, at: port) }

  /// Returns whether what is sent to an address is received by other cases, and not by this one.
  func leadsToOthers(_ address: InternetAddress, _ transport: TransportKind) -> Bool {
    all.leadsToOthers(address, transport, than: number)
  }
}
