internal import NIOCore
internal import ScenarioModel
internal import ScenarioPlan

/// Reports the faults of connections to real hosts, before a client is admitted.
///
/// Lives on the event loop.
final class UpstreamFaults {
  private let network: PlannedNetwork
  private let log: ExchangeLog
  private let reporter: EventReporter
  private let loop: any EventLoop
  private let reach: UpstreamReach

  init(
    client: UpstreamClient, network: PlannedNetwork, log: ExchangeLog, reporter: EventReporter
  ) {
    self.network = network
    self.log = log
    self.reporter = reporter
    loop = client.loop
    reach = UpstreamReach(loop: client.loop, client: client)
  }

  /// Returns whether all requests to a host are forwarded to the real one.
  ///
  /// A spy's own responses may answer for a host that does not exist.
  private func leadsToRealHost(_ host: String) -> Bool {
    switch network.mode(ofHost: host) {
    case .offline: false
    case .record, .live: true
    case .spy: !log.mayAnswer(host: host)
    }
  }

  /// Finds the fault of a name's real lookup; `nil` if it succeeds.
  func nameFault(of name: String) -> EventLoopFuture<ConnectionFault.NameFault?>? {
    guard leadsToRealHost(name), !network.upstreams.contains(where: { $0.meant.host == name }),
      !name.isEmpty, name != "localhost", !name.hasSuffix(".localhost"), !name.hasSuffix(".arpa")
    else { return nil }
    let bound = NIOLoopBound(self, eventLoop: loop)
    return reach.failure(ofName: name).map { failure in
      guard let failure else { return nil }
      bound.value.recordUnreachable(name, port: nil, failure)
      if case .lookupFailed = failure { return .servfail }
      return .nxdomain
    }
  }

  /// Finds the fault of a real connection; `nil` if it succeeds.
  func connectionFault(
    of destination: Destination
  ) -> EventLoopFuture<ConnectionFault?> {
    let name = destination.name
    guard leadsToRealHost(name), !network.answersNames(at: destination) else {
      return loop.makeSucceededFuture(nil)
    }
    let place = network.upstream(ofHost: name, port: destination.port)
    let bound = NIOLoopBound(self, eventLoop: loop)
    let whenSpokenTo = {
      bound.value.reporter.reportWhileServing(.hostSpokeFirst(host: "\(name):\(destination.port)"))
    }
    let isRecorded = network.mode(ofHost: name) == .record
    return reach.failure(
      at: place.host, port: place.port, named: name, whenSpokenTo: isRecorded ? whenSpokenTo : nil
    ).map { failure in
      guard case .refused(let reason, let isUnreachable)? = failure else { return nil }
      bound.value.recordUnreachable(
        name, port: destination.port, .refused(reason, isUnreachable: isUnreachable))
      return isUnreachable ? .unreachable : .refuse
    }
  }

  /// Ignores the first bytes of a host from here on, as a client has begun to send to it.
  func endListening(to destination: Destination) {
    let place = network.upstream(ofHost: destination.name, port: destination.port)
    reach.endListening(at: place.host, port: place.port)
  }

  /// Finds the fault of a real handshake; `nil` if it succeeds.
  func handshakeFault(
    of connection: ClientConnection
  ) -> EventLoopFuture<ConnectionFault.HandshakeFault?>? {
    let name = connection.name
    let port = connection.destination.port
    guard leadsToRealHost(name), network.mode(ofHost: name) != .live,
      network.isUpstreamSecure(ofHost: name, port: port) ?? true,
      !network.answersNames(at: connection.destination)
    else { return nil }
    let place = network.upstream(ofHost: name, port: port)
    let bound = NIOLoopBound(self, eventLoop: loop)
    return reach.handshakeFailure(at: place.host, port: place.port, named: name).map { failure in
      guard case .insecure(let reason)? = failure, reason == "certificate verify failed"
      else { return nil }
      bound.value.recordUnreachable(name, port: port, .insecure(reason))
      return .untrusted
    }
  }

  private func recordUnreachable(_ host: String, port: UInt16?, _ failure: UpstreamFailure) {
    let place = port.map { "\(host):\($0)" } ?? host
    let isRecorded = network.mode(ofHost: host) == .record
    guard log.recordUnreachable(place, failure.fault, isRecorded: isRecorded) else { return }
    report(place, failure)
  }
  /// Reports a host that cannot be reached.
  func report(_ host: String, _ failure: UpstreamFailure) {
    reporter.reportWhileServing(
      .relayFailed(host: host, message: failure.message, help: failure.help))
  }
}
