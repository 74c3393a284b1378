import Foundations
import Testing

@testable import Supervisor

@Suite("What is under way between two ends of a connection")
struct ConnectionsUnderWayTests {
  private static func end(_ port: UInt16, _ last: UInt8 = 1) -> Connection.End {
    Connection.End(address: Connection.End.mappedPrefix + [127, 0, 0, last], port: port)
  }

  private static func client(
    _ state: Connection.State, received: UInt32 = 0, sending: UInt32 = 0,
    progress: Connection.Progress? = nil
  ) -> Connection {
    Connection(
      local: end(4000), remote: end(80), state: state, receiveQueue: received, sendQueue: sending,
      inode: 7, progress: progress)
  }

  private static func server(
    _ state: Connection.State, received: UInt32 = 0, sending: UInt32 = 0,
    progress: Connection.Progress? = nil
  ) -> Connection {
    Connection(
      local: end(80), remote: end(4000), state: state, receiveQueue: received, sendQueue: sending,
      inode: 8, progress: progress)
  }

  private static func progress(
    unsent: UInt64 = 0, sent: UInt64 = 0, received: UInt64 = 0
  ) -> Connection.Progress {
    Connection.Progress(unsent: unsent, sent: sent, received: received)
  }

  private static let cases: [(String, [Connection], ConnectionsUnderWay.Reason?)] = [
    ("two ends that are silent", [client(.established), server(.established)], nil),
    ("a connection that is asked for", [client(.synSent)], .connecting),
    ("one that is not taken yet", [client(.established), server(.synReceived)], .connecting),
    (
      "bytes that have not arrived",
      [
        client(.established, sending: 9, progress: progress(sent: 9)),
        server(.established, progress: progress()),
      ], .bytes
    ),
    (
      "bytes that arrived and are not acknowledged",
      [
        client(.established, sending: 9, progress: progress(sent: 9)),
        server(.established, progress: progress(received: 9)),
      ], nil
    ),
    (
      "bytes behind others that are not acknowledged",
      [
        client(.established, sending: 2, progress: progress(unsent: 1, sent: 1)),
        server(.established, progress: progress(received: 1)),
      ], .heldBytes
    ),
    (
      "bytes for which a receiver that does not read has no room",
      [
        client(.established, sending: 9, progress: progress(unsent: 9)),
        server(.established, received: 5, progress: progress(received: 5)),
      ], nil
    ),
    (
      "bytes of which no more is known",
      [client(.established, sending: 9), server(.established)], .heldBytes
    ),
    ("bytes to another machine", [client(.established, sending: 9)], nil),
    (
      "an end that has not arrived", [client(.finWait1, sending: 1), server(.established)], .end
    ),
    (
      "an end that arrived and is not acknowledged",
      [client(.finWait1, sending: 1), server(.closeWait, received: 1)], nil
    ),
    (
      "an end behind bytes that nobody reads",
      [
        client(.finWait1, sending: 9, progress: progress(unsent: 4)),
        server(.established, received: 5, progress: progress()),
      ], nil
    ),
    (
      "the second end", [client(.lastAcknowledgement, sending: 1), server(.finWait2)], .end
    ),
    ("a half that stays open", [client(.finWait2), server(.closeWait)], nil),
  ]

  @Test("Each pair of states tells what is under way, or that nothing is", arguments: cases)
  func pairs(name: String, connections: [Connection], reason: ConnectionsUnderWay.Reason?) {
    let look = ConnectionsUnderWay(connections)

    #expect(look.findings.map(\.reason) == (reason.map { [$0] } ?? []), "\(name)")
    #expect(!look.isQuiet || reason == nil, "\(name): quiet, and something is under way")
  }

  @Test("Who asks a host elsewhere is not waited for")
  func elsewhere() {
    var connection = Self.client(.synSent)
    connection.local.address = Connection.End.mappedPrefix + [10, 0, 0, 1]
    connection.remote.address = Connection.End.mappedPrefix + [192, 0, 2, 1]

    #expect(ConnectionsUnderWay([connection]).findings == [])
  }

  @Test("The other end is in the same network namespace, or where an address leads to")
  func namespaces() {
    func own(_ connection: Connection, _ namespace: UInt64) -> Connection {
      var connection = connection
      connection.namespace = namespace
      return connection
    }
    let sender = own(Self.client(.established, sending: 9), 1)
    let readers = [
      own(Self.server(.established, received: 4), 0), own(Self.server(.established), 1),
    ]

    #expect(ConnectionsUnderWay([sender] + readers).findings.map(\.reason) == [.heldBytes])
    #expect(ConnectionsUnderWay([sender, readers[0]]).findings == [], "a loopback of its own")

    func moved(_ connection: Connection) -> Connection {
      var connection = connection
      connection.local.address[12] = 10
      connection.remote.address[12] = 10
      return connection
    }
    let cable = ConnectionsUnderWay([moved(sender), moved(own(Self.server(.established), 2))])
    #expect(cable.findings.map(\.reason) == [.heldBytes])
    #expect(cable.findings.map(\.key.namespace) == [1])
  }

  @Test("What never arrives is waited for so long, once, and told")
  func patience() {
    var account = UnderWayAccount()
    let key = ConnectionsUnderWay.Finding(connection: Self.client(.synSent), reason: .connecting)
      .key
    let patience = UnderWayAccount.patience

    let first = account.record([key: 0], real: .seconds(1))
    let second = account.record(
      [key: 0], real: .seconds(1) + (patience - Nanoseconds.microseconds(1)))
    let third = account.record([key: 0], real: .seconds(1) + patience)
    let fourth = account.record([key: 0], real: .seconds(9))
    _ = account.record([:], real: .seconds(9))
    let again = account.record([key: 0], real: .seconds(10))

    #expect(first.mustWait && second.mustWait && first.lost == [] && second.lost == [])
    #expect(!third.mustWait && third.lost == [key])
    #expect(!fourth.mustWait && fourth.lost == [])
    #expect(again.mustWait)
  }

  @Test("What arrives slowly is waited for as long as some of it arrives, also after a long pause")
  func progress() {
    var account = UnderWayAccount()
    let key = ConnectionsUnderWay.Finding(
      connection: Self.client(.established), reason: .heldBytes
    ).key
    let patience = UnderWayAccount.patience

    let slow = (0..<10).map { step in
      account.record([key: UInt64(step)], real: .seconds(2 * step))
    }
    let pause = account.record([key: 9], real: .seconds(18) + patience)
    let further = account.record([key: 10], real: .seconds(60))

    #expect(slow.allSatisfy { $0.mustWait && $0.lost == [] })
    #expect(!pause.mustWait && pause.lost == [key])
    #expect(further.mustWait && further.lost == [])
  }

  @Test("Where a sender is told of acknowledgements, late ones are under way, read or not")
  func acknowledgements() {
    let client = Self.client(.established, sending: 9, progress: Self.progress(sent: 9))
    for unread in [UInt32(0), 9] {
      let server = Self.server(
        .established, received: unread, progress: Self.progress(received: 9))
      let look = ConnectionsUnderWay([client, server], reportsAcknowledgements: true)
      #expect(look.findings.map(\.reason) == [.acknowledgement])
      #expect(look.findings.map(\.arrived) == [9])
    }
  }

  @Test(
    "The calls that hold bytes back, or ask for acknowledgements, are told from others",
    arguments: [
      (SystemCallNumber.sendto, [5, 0, 3, 0xC000], DelayedSends.ofBytes),
      (SystemCallNumber.sendto, [5, 0, 3, 0x4000], []),
      (SystemCallNumber.sendmsg, [5, 0, 0x8000], .ofBytes),
      (SystemCallNumber.sendmmsg, [5, 0, 1, 0x8000], .ofBytes),
      (SystemCallNumber.splice, [5, 0, 6, 0, 9, 4], .ofBytes),
      (SystemCallNumber.setsockopt, [5, 6, 3], .ofBytes),
      (SystemCallNumber.setsockopt, [5, 6, 1], []),
      (SystemCallNumber.setsockopt, [5, 1, 60], .ofAcknowledgements),
      (SystemCallNumber.setsockopt, [5, 1, 3], []),
    ] as [(Int, [UInt64], DelayedSends)])
  func delayedSends(call: Int, arguments: [UInt64], kinds: DelayedSends) {
    var registers = Registers()
    registers.systemCall = call
    for (place, argument) in arguments.enumerated() { registers[argument: place] = argument }

    #expect(DelayedSends(of: registers) == kinds)
  }

  @Test("A line of /proc/net/tcp tells the same as the kernel's own answer")
  func lines() throws {
    let line =
      "   1: 0100007F:1F90 0200007F:C350 08 00000003:00000002 00:00000000 00000000  0 0 4711 1 0 20"
    let connection = try #require(Connection(line: line[...]))

    #expect(connection.local == Self.end(8080) && connection.remote == Self.end(50_000, 2))
    #expect(connection.state == .closeWait && connection.inode == 4711)
    #expect(connection.sendQueue == 3 && connection.receiveQueue == 2)
    #expect(Connection(line: "  sl  local_address rem_address   st tx_queue rx_queue tr") == nil)
    #expect(Connection.End(address: [UInt8](repeating: 0, count: 15) + [1], port: 1).isLoopback)
    #expect(!Connection.End(address: [UInt8](repeating: 0, count: 16), port: 1).isLoopback)
  }

  @Test("Files tell of a connection whatever sock_diag tells")
  func bothSources() throws {
    let pair = try LoopbackPair()
    let lists = [true, false].map { usesNetlink in
      ConnectionList(usesNetlink: usesNetlink).read(asksProgress: false)
        .filter { $0.local.port == pair.clientPort || $0.remote.port == pair.clientPort }
    }

    #expect(lists[0].count == 2 && Set(lists[0].map(\.local)) == Set(lists[1].map(\.local)))
    #expect(lists.allSatisfy { $0.allSatisfy { $0.state == .established } })
    #expect(lists[0].allSatisfy { $0.progress == nil })
    withExtendedLifetime(pair) {}
  }

  @Test("The numbers of all processors are summed, of what waits and of what was delivered")
  func backlog() {
    var reader = PacketBacklog.Reader()
    let lines = """
      0000e8d5 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000002 00000000
      00000010 00000000 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 0000000f 00000001

      """
    for byte in lines.utf8 { reader.take(byte) }

    #expect(reader.count == PacketBacklog.Count(waiting: 17, delivered: 0xe8e5))
  }
}
