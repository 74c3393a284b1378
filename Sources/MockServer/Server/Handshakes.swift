internal import MockEngine
internal import NIOCore
internal import NIOSSL
internal import ScenarioModel

/// Decides how TLS handshakes go.
///
/// Lives on the event loop.
final class Handshakes {
  private let log: ExchangeLog
  private let contexts: TLSContextCache
  private let upstream: UpstreamFaults
  private let clock: VirtualClock

  init(
    log: ExchangeLog, authority: CertificateAuthority, upstream: UpstreamFaults,
    clock: VirtualClock
  ) {
    self.log = log
    contexts = TLSContextCache(authority: authority)
    self.upstream = upstream
    self.clock = clock
  }

  /// The author's fault of the handshake that begins on a connection; `nil` without one.
  func fault(of connection: ClientConnection) -> ConnectionFault.HandshakeFault? {
    if let fault = connection.link?.takeHandshakeFault() { return fault }
    let destination = connection.destination
    let names = [connection.serverName, destination.host, destination.address].compactMap { $0 }
    guard case .tls(let fault)? = log.fault(names, port: destination.port, in: .greeting) else {
      return nil
    }
    return fault
  }

  /// The fault that the real host's handshake has; `nil` where no real host is asked.
  func realFault(
    of connection: ClientConnection
  ) -> EventLoopFuture<ConnectionFault.HandshakeFault?>? {
    upstream.handshakeFault(of: connection)
  }

  /// The handler of the mock server's side of TLS.
  func serverHandler(
    for connection: ClientConnection, _ fault: ConnectionFault.HandshakeFault?
  ) throws -> NIOSSLServerHandler {
    let destination = connection.destination
    let demand = log.certificateDemand(
      of: [connection.serverName, destination.host, destination.address].compactMap { $0 },
      port: destination.port)
    connection.certificateDemand = demand
    let context = try contexts.context(
      for: connection.name, asking: demand, fault: fault, now: clock.now)
    guard demand != .none else { return NIOSSLServerHandler(context: context) }
    // The client has proved that the key is its own; the rest is for the conditions of entries.
    return NIOSSLServerHandler(context: context) { _, promise in
      promise.succeed(.certificateVerified)
    }
  }
}
