internal import NIOCore
import Synchronization

/// The DNS ports that stand for name servers: one for each, and for each way to ask it.
final class DNSServerPorts: Sendable {
  /// How many are told apart; further ones share the first port.
  private static let limit = 64

  private struct Key: Hashable {
    var address: String
    var isStream: Bool
  }

  private let responder: DNSResponder
  private let eventLoop: EventLoopHandle
  private let whenFailed: @Sendable (any Error) -> Void
  /// The ports of the first name server.
  let first: (datagrams: UInt16, streams: UInt16)
  private let ports = Mutex<[Key: UInt16]>([:])

  /// Begins with two ports that are open already, for the first name server of each way.
  init(
    responder: DNSResponder, eventLoop: EventLoopHandle, datagrams: UInt16, streams: UInt16,
    whenFailed: @escaping @Sendable (any Error) -> Void
  ) {
    self.responder = responder
    self.eventLoop = eventLoop
    self.whenFailed = whenFailed
    first = (datagrams, streams)
  }

  /// The port that stands for a name server; opened at the first call for it.
  func port(address: String, isStream: Bool) throws -> UInt16 {
    let key = Key(address: address, isStream: isStream)
    let (known, count) = ports.withLock { ports in
      (ports[key], ports.count { $0.key.isStream == isStream })
    }
    if let known { return known }
    let port = count == 0 || count >= Self.limit ? nil : try open(isStream: isStream)
    let chosen = port ?? (isStream ? first.streams : first.datagrams)
    ports.withLock { $0[key] = chosen }
    return chosen
  }

  private func open(isStream: Bool) throws -> UInt16? {
    let responder = responder
    return try eventLoop.submit { [loop = eventLoop.loop, whenFailed] in
      let opening =
        isStream
        ? DNSListener.streams(on: loop, responder: responder)
        : DNSListener.datagrams(on: loop, responder: responder)
      opening.whenFailure(whenFailed)
      return opening
    }?.wait()
  }
}
