internal import Glibc
internal import MockEngine

/// Reports the events of clients' connections, and finds their makers.
///
/// Lives on the event loop.
final class ConnectionReporter {
  private let peers: PeerRegistry
  private let reporter: EventReporter

  init(peers: PeerRegistry, reporter: EventReporter) {
    self.peers = peers
    self.reporter = reporter
  }

  /// Reports a client, and later that it has sent its first byte.
  func reportConnected(_ connection: ClientConnection, hasSpoken: Bool) {
    reporter.reportWhileServing(.connected(host: connection.place, hasSpoken: hasSpoken))
  }

  /// Reports a client that is none of the scenario's processes, and was refused.
  func reportStranger(_ connection: ClientConnection, _ stranger: Stranger) {
    connection.isBroken = true
    reporter.reportWhileServing(.stranger(host: connection.place, stranger))
  }

  /// Reports bytes that are no request.
  func reportMalformed(_ connection: ClientConnection, _ message: String) {
    if connection.isBroken { return }
    let host = "\(connection.name):\(connection.destination.port)"
    reporter.reportWhileServing(.malformedRequest(host: host, message: message))
  }

  /// Reports a client that does not trust the certificate.
  ///
  /// - Parameter hasAlert: whether it says so by an alert, and does not merely close the connection.
  func reportRejectedCertificate(_ connection: ClientConnection, _ message: String, hasAlert: Bool)
  {
    if connection.isBroken { return }
    let origin = origin(of: connection)
    reporter.reportWhileServing(
      .rejectedCertificate(
        host: connection.name, message: message, origin: origin,
        manner: hasAlert
          ? .alert : origin.map { Self.isAlive($0.process) } ?? true ? .closed : .left))
  }

  /// Reports a client that has no certificate where each entry wants one.
  func reportMissingCertificate(_ connection: ClientConnection) {
    if connection.isBroken { return }
    reporter.reportWhileServing(
      .missingCertificate(
        host: connection.place, program: origin(of: connection)?.program))
  }

  // MARK: - Peers

  /// The client's process and connection; `nil` if they are not known.
  func origin(of connection: ClientConnection) -> ClientOrigin? {
    peer(of: connection)?.origin
  }

  /// Returns whether a process has not begun to end: the kernel takes its memory before its descriptors, and its
  /// executable (proc(5)) with that.
  private static func isAlive(_ process: Int32) -> Bool {
    var character: CChar = 0
    return readlink("/proc/\(process)/exe", &character, 1) > 0
  }

  /// Returns whether the client's process has ended, or is about to, with the connection open.
  func endedOpen(_ connection: ClientConnection) -> Bool {
    peer(of: connection)?.hasEnded ?? false
  }

  /// The client's entry; `nil` before its process is known.
  func peer(of connection: ClientConnection) -> PeerRegistry.Entry? {
    guard let ports = connection.ports else { return nil }
    return peers.entry(sourcePort: ports.source, port: ports.local)
  }

  /// Forgets the maker of a closed connection.
  func forgetPeer(of connection: ClientConnection) {
    guard let ports = connection.ports, let entry = peer(of: connection) else { return }
    peers.forget(entry, sourcePort: ports.source, port: ports.local)
  }
}
