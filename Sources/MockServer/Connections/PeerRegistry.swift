internal import MockEngine
import Synchronization

/// The makers of open connections, by the ports at their two ends.
final class PeerRegistry: Sendable {
  /// The entry of a connection.
  struct Entry: Sendable {
    var origin: ClientOrigin
    /// The position of its maker in the tree of threads; `nil` if it is not known.
    var place: CausalOrder?
    /// Its number at `LinkFaults`.
    var ticket: Int?
    /// True once its maker ends while the connection is open.
    var hasEnded = false
  }

  private struct Ports: Hashable {
    var source: UInt16
    var local: UInt16
  }

  private let entries = Mutex<[Ports: Entry]>([:])

  /// Records a connection; replaces an earlier one with the same ports.
  func record(_ entry: Entry, sourcePort: UInt16, port: UInt16) {
    entries.withLock { $0[Ports(source: sourcePort, local: port)] = entry }
  }

  /// The maker of a connection ends, and leaves it to the kernel to close it.
  func recordEnd(sourcePort: UInt16, port: UInt16) {
    entries.withLock { $0[Ports(source: sourcePort, local: port)]?.hasEnded = true }
  }

  /// The maker of a connection.
  func entry(sourcePort: UInt16, port: UInt16) -> Entry? {
    entries.withLock { $0[Ports(source: sourcePort, local: port)] }
  }

  /// Forgets a closed connection, unless another one has its ports.
  func forget(_ entry: Entry, sourcePort: UInt16, port: UInt16) {
    entries.withLock { entries in
      let ports = Ports(source: sourcePort, local: port)
      guard entries[ports]?.origin.connection == entry.origin.connection else { return }
      entries.removeValue(forKey: ports)
    }
  }

  /// The number of connections that are open.
  var count: Int { entries.withLock { $0.count } }
}
