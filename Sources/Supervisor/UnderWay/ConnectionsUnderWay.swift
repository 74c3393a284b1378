/// The connections of this machine that have something under way: the kernel will deliver it by
/// itself, soon or when one of its own timers expires, and then a thread may wake up.
///
/// Pure: a decision from the kernel's lists at one moment.
struct ConnectionsUnderWay {
  /// The kind of what is under way.
  enum Reason: Hashable {
    /// A connection is being made: the other side has not answered, or has not taken the answer.
    case connecting
    /// Bytes have been sent and have not arrived.
    case bytes
    /// Bytes wait in the kernel until earlier ones are acknowledged, which the receiver's kernel may put off for 40 ms
    /// of real time (RFC 9293, section 3.7.4, and RFC 1122, section 4.2.3.2), until the receiver has room for them, or,
    /// as their sender has asked for it, for 200 ms (tcp(7), TCP_CORK).
    case heldBytes
    /// Bytes have arrived and are not acknowledged, and a thread may be told of that.
    case acknowledgement
    /// The end of the connection has been sent and has not arrived.
    case end
  }

  /// A connection with something under way.
  struct Finding: Hashable {
    /// The end that sends.
    var connection: Connection
    /// The kind of what is under way.
    var reason: Reason
    /// The number of bytes that have arrived at the other end, as far as that is known.
    var arrived: UInt64 = 0

    /// The part that stays the same as long as nothing happens.
    var key: Key {
      Key(
        namespace: connection.namespace, local: connection.local, remote: connection.remote,
        reason: reason)
    }
  }

  /// The identity of a finding from one reading to the next.
  struct Key: Hashable {
    var namespace: UInt64 = 0
    var local: Connection.End
    var remote: Connection.End
    var reason: Reason
  }

  private struct Pair: Hashable {
    var namespace: UInt64
    var local: Connection.End
    var remote: Connection.End
  }

  private let connections: [Connection]
  private let byEnds: [Pair: Connection]
  /// True if some are of another network namespace than the runner's.
  private let areOfSeveralNamespaces: Bool
  private let reportsAcknowledgements: Bool

  /// - Parameters:
  ///   - connections: all of the machine's, at one moment.
  ///   - reportsAcknowledgements: whether threads are told of acknowledgements (MSG_ZEROCOPY).
  init(_ connections: [Connection], reportsAcknowledgements: Bool = false) {
    self.connections = connections
    self.reportsAcknowledgements = reportsAcknowledgements
    byEnds = Dictionary(
      connections.map {
        (Pair(namespace: $0.namespace, local: $0.local, remote: $0.remote), $0)
      },
      uniquingKeysWith: { first, _ in first })
    areOfSeveralNamespaces = connections.contains { $0.namespace != 0 }
  }

  /// True if none sends anything, so that nothing can be under way.
  var isQuiet: Bool {
    connections.allSatisfy { connection in
      connection.sendQueue == 0
        && [.established, .finWait2, .closeWait, .closed, .timeWait].contains(connection.state)
    }
  }

  /// The other end of a connection; `nil` if it is not of this machine, or gone.
  func peer(of connection: Connection) -> Connection? {
    let pair = Pair(
      namespace: connection.namespace, local: connection.remote, remote: connection.local)
    if let near = byEnds[pair] { return near }
    // Every namespace has a loopback of its own; another address may lead from one to the next.
    guard areOfSeveralNamespaces, !connection.remote.isLoopback else { return nil }
    return connections.first { $0.local == connection.remote && $0.remote == connection.local }
  }

  /// The connections that have something under way.
  var findings: [Finding] {
    connections.compactMap { connection in
      let other = peer(of: connection)
      return reason(of: connection, other).map {
        Finding(connection: connection, reason: $0, arrived: other?.progress?.received ?? 0)
      }
    }
  }

  private func reason(of connection: Connection, _ peer: Connection?) -> Reason? {
    switch connection.state {
    case .synSent:
      // Who is elsewhere answers whenever it likes.
      let isHere =
        connection.remote.isLoopback || connection.remote.address == connection.local.address
      return isHere ? .connecting : nil
    case .synReceived, .newSynReceived:
      return peer == nil ? nil : .connecting
    case .established, .closeWait:
      return connection.sendQueue > 0 ? reasonOfBytes(connection, peer) : nil
    case .finWait1:
      return reasonOfEnd(connection, peer)
    case .closing, .lastAcknowledgement:
      return peer?.state == .finWait1 || peer?.state == .finWait2 ? .end : nil
    case .finWait2, .timeWait, .closed, .listening:
      return nil
    }
  }

  /// Bytes are not acknowledged.
  private func reasonOfBytes(_ sender: Connection, _ receiver: Connection?) -> Reason? {
    guard let receiver else { return nil }
    if reportsAcknowledgements, sender.progress?.unsent == 0 { return .acknowledgement }
    // Who has not read what came before is not waiting for what comes behind it.
    guard receiver.receiveQueue == 0 else { return nil }
    guard let sent = sender.progress, let arrived = receiver.progress else { return .heldBytes }
    if sent.unsent > 0 { return .heldBytes }
    // A late acknowledgement wakes no other thread.
    return sent.sent == arrived.received ? nil : .bytes
  }

  /// A FIN is not acknowledged.
  private func reasonOfEnd(_ sender: Connection, _ receiver: Connection?) -> Reason? {
    guard let receiver else { return nil }
    switch receiver.state {
    case .established, .finWait1, .finWait2, .synReceived:
      // Behind bytes for which a receiver that does not read has no room, it stays where it is.
      return receiver.receiveQueue > 0 && (sender.progress?.unsent ?? 0) > 0 ? nil : .end
    case .synSent, .timeWait, .closed, .closeWait, .lastAcknowledgement, .listening, .closing,
      .newSynReceived:
      return nil
    }
  }
}

extension ConnectionsUnderWay.Reason {
  /// The reason in words, behind "the kernel".
  var text: String {
    switch self {
    case .connecting: "still makes a connection"
    case .bytes: "still delivers bytes"
    case .heldBytes:
      "still holds bytes back until earlier ones are acknowledged, or the receiver has room"
    case .acknowledgement: "still waits until the bytes of a MSG_ZEROCOPY are acknowledged"
    case .end: "still delivers the end of a connection"
    }
  }
}
