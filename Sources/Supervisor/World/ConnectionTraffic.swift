internal import CSupervisor
internal import Glibc
internal import ScenarioModel

/// Whether something is under way between the target and those that it was sent to.
///
/// The kernel may put off what is sent, also over loopback: packets wait for a busy processor, small ones
/// for an acknowledgement. Both ends sleep then, and virtual time must not move all the same.
final class ConnectionTraffic {
  /// How many connections are looked at.
  private static let capacity = 4096
  /// How long bytes may wait to be sent before the receiver is taken for one that does not read.
  private static let patience = Nanoseconds.milliseconds(60)

  private let query = scenario_open_connection_query()
  private var ports: [UInt16] = []
  private var waitingSince: Nanoseconds?

  deinit {
    if query >= 0 { close(query) }
  }

  /// Adds a port of 127.0.0.1 that the target is sent to.
  func watch(_ port: UInt16) {
    if !ports.contains(port) { ports.append(port) }
  }

  /// Whether everything that was sent has arrived.
  ///
  /// - Parameter real: the kernel's CLOCK_MONOTONIC.
  func isQuiet(real: Nanoseconds) -> Bool {
    guard !ports.isEmpty, query >= 0 else { return true }
    guard Self.isUnderWay(list()) else {
      waitingSince = nil
      return true
    }
    let since = waitingSince ?? real
    waitingSince = since
    return real - since >= Self.patience
  }

  private func list() -> [scenario_connection] {
    [scenario_connection](unsafeUninitializedCapacity: Self.capacity) { buffer, count in
      let result = scenario_list_connections(
        query, ports, UInt32(ports.count), buffer.baseAddress, UInt32(buffer.count))
      count = max(0, Int(result))
    }
  }

  /// Whether a connection is being opened, or has bytes that one end has sent and the other lacks.
  static func isUnderWay(_ connections: [scenario_connection]) -> Bool {
    struct Ends: Hashable {
      var local: UInt16
      var remote: UInt16
    }
    var byEnds: [Ends: scenario_connection] = [:]
    for connection in connections {
      if connection.is_opening != 0 || connection.unsent != 0 { return true }
      byEnds[Ends(local: connection.local_port, remote: connection.remote_port)] = connection
    }
    return connections.contains { connection in
      // An end that is gone takes nothing more.
      guard
        let peer = byEnds[Ends(local: connection.remote_port, remote: connection.local_port)]
      else { return false }
      return connection.sent > peer.received
    }
  }
}
