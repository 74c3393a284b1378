internal import FaultEngine
internal import NIOCore
import Synchronization

/// The name server of a scenario: the addresses that it gives out, its clients, and its ports.
///
/// Each name server that the target knows has a port of its own, and for each way to ask it.
final class DNSServer: Sendable {
  /// The maximum number of name servers that have a port of their own; further ones share the first.
  private static let limit = 64

  private struct Key: Hashable {
    var address: String
    var isStream: Bool
  }

  /// Resolves names.
  let resolver: DNSResolver
  /// Answers messages, whichever way they come.
  let responder: DNSResponder
  private let clients: DNSClients
  private let sequencer: QuerySequencer?
  private let eventLoop: EventLoopHandle
  private let admit: @Sendable (any Channel) throws -> Void
  private let whenFailed: @Sendable (any Error) -> Void
  private let ports = Mutex<[Key: UInt16]>([:])
  /// The port on 127.0.0.1 that answers datagrams.
  let datagramPort: UInt16
  /// The port on 127.0.0.1 that answers streams.
  let streamPort: UInt16

  /// Opens the first two ports.
  ///
  /// - Parameters:
  ///   - faults: decides about queries; `nil` without faults of names.
  ///   - admit: called on the event loop for each client that connects; adds what stands before the answers.
  ///   - whenFailed: called on the event loop if a port cannot be opened.
  init(
    _ responder: DNSResponder, faults: (any DNSFaultSource)?, quiescence: QuiescenceSignal?,
    eventLoop: EventLoopHandle, upstreamCalls: PendingUpstreamCalls, reporter: EventReporter,
    admit: @escaping @Sendable (any Channel) throws -> Void,
    whenFailed: @escaping @Sendable (any Error) -> Void
  ) throws {
    resolver = responder.resolver
    let clients = DNSClients()
    self.clients = clients
    sequencer = faults.map {
      QuerySequencer(
        faults: $0, quiescence: quiescence, eventLoop: eventLoop, upstreamCalls: upstreamCalls,
        clients: clients, reporter: reporter)
    }
    var responder = responder
    responder.faults = sequencer
    responder.reportUnknown = { name, ports in
      let client = ports.flatMap { clients.client(at: $0) }
      reporter.report(.unknownName(name, program: client?.program.name))
    }
    self.responder = responder
    self.eventLoop = eventLoop
    self.admit = admit
    self.whenFailed = whenFailed
    datagramPort = try DNSListener.datagrams(on: eventLoop.loop, responder: responder).wait()
    streamPort = try DNSListener.streams(
      on: eventLoop.loop, responder: responder, admit: admit
    ).wait()
  }

  /// Returns the port that stands for a name server; opened at the first call for it.
  func port(address: String, isStream: Bool) throws -> UInt16 {
    let key = Key(address: address, isStream: isStream)
    let (known, count) = ports.withLock { ports in
      (ports[key], ports.count { $0.key.isStream == isStream })
    }
    if let known { return known }
    let port = count == 0 || count >= Self.limit ? nil : try open(isStream: isStream)
    let chosen = port ?? (isStream ? streamPort : datagramPort)
    ports.withLock { $0[key] = chosen }
    return chosen
  }

  private func open(isStream: Bool) throws -> UInt16? {
    let responder = responder
    return try eventLoop.submit { [loop = eventLoop.loop, admit, whenFailed] in
      let opening =
        isStream
        ? DNSListener.streams(on: loop, responder: responder, admit: admit)
        : DNSListener.datagrams(on: loop, responder: responder)
      opening.whenFailure(whenFailed)
      return opening
    }?.wait()
  }

  /// Records which client has a port from now on.
  func record(_ client: DNSClient, at ports: DNSPorts) {
    clients.record(client, at: ports)
  }

  /// Decides about all queries that wait; called on the event loop.
  func admitAll() {
    sequencer?.admitAll()
  }
}
