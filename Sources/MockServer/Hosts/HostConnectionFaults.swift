internal import FaultEngine
internal import Foundations
internal import ScenarioModel

/// The fault decisions about a connection between hosts: one per direction, or one for both.
///
/// Lives on the event loop.
final class HostConnectionFaults {
  /// One direction.
  private final class Way: FaultTaker {
    weak var owner: HostConnectionFaults?
    var ticket: Int?
    var decision: LinkDecision?
    var hasFired = false

    func take(_ decision: LinkDecision?) {
      self.decision = decision
      hasFired = false
      owner?.whenChanged()
    }

    func open() {}
  }

  private let connections: FaultyConnections
  /// The directions: from the client, and from the server.
  private let ways = [Way(), Way()]
  /// Called with each other decision.
  var whenChanged: () -> Void = {}

  /// - Parameter names: the names of the targets on the hosts.
  init(_ request: HostConnection, names: [String], _ connections: FaultyConnections) {
    self.connections = connections
    let (from, to) = (names[request.from], names[request.to])
    for (index, way) in ways.enumerated() {
      way.owner = self
      way.ticket = connections.follow(
        way,
        HostWay(
          from: index == 0 ? from : to, to: index == 0 ? to : from, isReturn: index == 1),
        port: request.port, of: request.maker)
    }
  }

  /// The decision about what an end sends.
  func decision(of side: RelayedConnection.Side) -> LinkDecision? { way(of: side).decision }

  private func way(of side: RelayedConnection.Side) -> Way {
    let own = ways[side.rawValue]
    guard side == .server, let shared = ways[0].decision, connections.isTwoWay(shared),
      own.decision.map({ shared.entry < $0.entry }) ?? true
    else { return own }
    return ways[0]
  }

  /// The toxics that work on what an end sends.
  func toxics(of side: RelayedConnection.Side) -> [Toxic] { decision(of: side)?.toxics ?? [] }

  /// True if a fault takes the server down.
  var isDown: Bool { ways.contains { $0.decision?.faults.contains(.down) ?? false } }

  /// A fault has shown in what an end sends.
  func recordFired(of side: RelayedConnection.Side) {
    let way = way(of: side)
    guard !way.hasFired, let ticket = way.ticket, way.decision != nil else { return }
    way.hasFired = true
    connections.recordFired(ticket)
  }

  /// Releases the faults of a connection that has ended or was never made.
  func end() {
    whenChanged = {}
    for way in ways {
      if let ticket = way.ticket { connections.forget(ticket) }
      way.ticket = nil
    }
  }

  // MARK: - Handshakes

  /// The delay of the SYN.
  var delayUp: Nanoseconds { Self.delay(toxics(of: .client)) }
  /// The delay of the answer.
  var delayDown: Nanoseconds { Self.delay(toxics(of: .server)) }

  /// True if nothing gets through at all; a connection that is to be closed after a while is made first.
  var isBlocked: Bool {
    (toxics(of: .client) + toxics(of: .server)).contains { $0.kind == .timeout(.zero) }
  }

  /// The probability that the SYN or its answer is lost.
  var loss: Double {
    1
      - (toxics(of: .client) + toxics(of: .server)).reduce(1) { rest, toxic in
        if case .loss(let part) = toxic.kind { rest * (1 - part) } else { rest }
      }
  }

  private static func delay(_ toxics: [Toxic]) -> Nanoseconds {
    toxics.reduce(.zero) { sum, toxic in
      if case .latency(let length, _) = toxic.kind { sum + length } else { sum }
    }
  }
}

extension LinkDecision {
  /// The toxics among the faults, for both streams: which bytes are meant, the link says.
  var toxics: [Toxic] {
    faults.compactMap { fault in
      if case .toxic(let toxic) = fault { Toxic(toxic.kind, stream: .both) } else { nil }
    }
  }
}
