internal import ScenarioPlan
import Synchronization

/// Who has made the connections that are open, by the ports at their two ends.
final class ClientOrigins: Sendable {
  private struct Ports: Hashable {
    var source: UInt16
    var local: UInt16
  }

  private let origins = Mutex<[Ports: ClientOrigin]>([:])

  /// Takes note of a connection; one that had the same ports before it is over.
  func note(_ origin: ClientOrigin, sourcePort: UInt16, port: UInt16) {
    origins.withLock { $0[Ports(source: sourcePort, local: port)] = origin }
  }

  /// Who has made a connection.
  func origin(sourcePort: UInt16, port: UInt16) -> ClientOrigin? {
    origins.withLock { $0[Ports(source: sourcePort, local: port)] }
  }
}
