internal import NIOCore
internal import NIOSSL
internal import ScenarioModel
internal import ScenarioPlan

extension Reception {
  /// Whether everything that a client asks of a host goes on to the real one.
  ///
  /// A spy's own responses may answer for a host that does not exist.
  private func leadsToRealHost(_ host: String) -> Bool {
    switch network.mode(ofHost: host) {
    case .offline: false
    case .record, .live: true
    case .spy: !log.mayAnswer(host: host)
    }
  }

  /// How a name is not resolved, because the real one is not; `nil` if it is.
  func realNameFault(_ name: String) -> EventLoopFuture<ConnectionFault.NameFault?>? {
    guard leadsToRealHost(name), !network.upstreams.contains(where: { $0.meant.host == name }),
      !name.isEmpty, name != "localhost", !name.hasSuffix(".localhost"), !name.hasSuffix(".arpa")
    else { return nil }
    let bound = NIOLoopBound(self, eventLoop: upstream.loop)
    return reach.failure(ofName: name).map { failure in
      guard let failure else { return nil }
      bound.value.noteUnreachable(name, port: nil, failure)
      if case .lookupFailed = failure { return .servfail }
      return .nxdomain
    }
  }

  /// How a connection does not come about, because the real one does not; `nil` if it does.
  func realConnectionFault(
    _ destination: Destination
  ) -> EventLoopFuture<ConnectionFault?> {
    let name = destination.name
    guard leadsToRealHost(name) else { return upstream.loop.makeSucceededFuture(nil) }
    let place = network.upstream(ofHost: name, port: destination.port)
    let bound = NIOLoopBound(self, eventLoop: upstream.loop)
    let whenSpokenTo = { bound.value.report(.hostSpokeFirst(host: "\(name):\(destination.port)")) }
    let isRecorded = network.mode(ofHost: name) == .record
    return reach.failure(
      at: place.host, port: place.port, named: name, whenSpokenTo: isRecorded ? whenSpokenTo : nil
    ).map { failure in
      guard case .refused(let reason, let isUnreachable)? = failure else { return nil }
      bound.value.noteUnreachable(
        name, port: destination.port, .refused(reason, isUnreachable: isUnreachable))
      return isUnreachable ? .unreachable : .refuse
    }
  }

  /// A client has begun to speak to a host.
  func endListening(to destination: Destination) {
    let place = network.upstream(ofHost: destination.name, port: destination.port)
    reach.endListening(at: place.host, port: place.port)
  }

  /// How a handshake goes wrong, because the real one does; `nil` if it does not.
  func realHandshakeFault(
    of connection: ClientConnection
  ) -> EventLoopFuture<ConnectionFault.HandshakeFault?>? {
    let name = connection.name
    let port = connection.destination.port
    guard leadsToRealHost(name), network.mode(ofHost: name) != .live else { return nil }
    let place = network.upstream(ofHost: name, port: port)
    let bound = NIOLoopBound(self, eventLoop: upstream.loop)
    return reach.handshakeFailure(at: place.host, port: place.port, named: name).map { failure in
      guard case .insecure(let reason)? = failure, reason.contains("CERTIFICATE_VERIFY_FAILED")
      else { return nil }
      bound.value.noteUnreachable(name, port: port, .insecure(reason))
      return .untrusted
    }
  }

  private func noteUnreachable(_ host: String, port: UInt16?, _ failure: UpstreamFailure) {
    let place = port.map { "\(host):\($0)" } ?? host
    let isRecorded = network.mode(ofHost: host) == .record
    guard log.noteUnreachable(place, failure.fault, isRecorded: isRecorded) else { return }
    recordUpstreamFailure(place, failure)
  }
}
