import FaultEngine
import Foundations
import ScenarioModel
import ScenarioPlan
import Synchronization
import Testing

@testable import MockServer

/// Which questions for a name are one lookup, and who is to account for it.
@Suite("Lookups")
struct LookupTests {
  /// Virtual time that a test moves.
  private final class Time: Sendable {
    private let state = Mutex(Nanoseconds.zero)

    var now: Nanoseconds { state.withLock { $0 } }

    func pass(_ length: Nanoseconds) { state.withLock { $0 += length } }
  }

  private let time = Time()

  private static let nxdomain = LinkFault.NameAnswer.fault(.nxdomain)
  private static let servfail = LinkFault.NameAnswer.fault(.servfail)

  /// Faults by which lookups get these answers one after the other.
  private func faults(
    _ answers: LinkFault.NameAnswer?..., host: String = "a.test", process: String? = nil
  ) throws -> LinkFaults {
    var chaos = PlannedChaos(
      name: "names", target: .link(PlannedLink(host: host, isAboutNames: true)),
      provider: .sequence(answers.map { $0.map { .link([.dns($0)]) } ?? .original }),
      range: SourceRange(file: "x.yaml", line: 1, column: 1))
    if let process { chaos.conditions[.process] = .pattern(process) }
    let time = time
    let faults = LinkFaults(
      entries: [chaos], seed: 0, elapsed: { time.now }, now: { WallInstant(seconds: 0) + time.now })
    return try #require(faults)
  }

  /// One thread, or one process, that asks by its sockets.
  private struct Asker {
    var faults: LinkFaults
    var process = 1
    var thread = 1
    var name = "a.test"
    var searchesRoot = true
    var program = ProgramNames(executable: "/usr/bin/getent")

    func ask(
      _ type: UInt16, _ socket: UInt64, isStream: Bool = false, round: Int? = nil
    ) -> LinkFault.NameAnswer? {
      let client = DNSClient(
        process: Int32(process) + 100, processOrdinal: process, threadOrdinal: thread,
        program: program, socket: socket, place: CausalOrder(lineage: [], ordinal: 0))
      return faults.answer(
        to: DNSQuery(
          name: name, type: type, isStream: isStream, searchesRoot: searchesRoot, client: client),
        round: round
      ).answer
    }

    func asks(_ types: UInt16..., socket: UInt64, round: Int? = nil) -> [LinkFault.NameAnswer?] {
      types.map { ask($0, socket, round: round) }
    }
  }

  @Test("Both kinds of addresses of one lookup get one answer, and the next lookup another")
  func lookups() throws {
    let faults = try faults(Self.nxdomain, Self.servfail, nil)
    let getent = Asker(faults: faults)

    #expect(getent.asks(1, 28, socket: 1) == [Self.nxdomain, Self.nxdomain])
    // glibc asks once more for a name that does not exist, over a socket of its own.
    #expect(getent.asks(1, 28, socket: 2) == [Self.nxdomain, Self.nxdomain])
    #expect(getent.asks(28, 1, socket: 3) == [Self.servfail, Self.servfail])
    // A failure is asked for again at once by no one.
    #expect(getent.asks(1, 28, socket: 4) == [nil, nil])
    let account = try #require(faults.account().first)
    #expect(account.counts.matched == 3)
    #expect(account.counts.fired == 2)
  }

  @Test("Whoever asks libc for one kind and then for the other looks up once")
  func oneKindAfterTheOther() throws {
    let faults = try faults(Self.nxdomain, nil)
    let getent = Asker(faults: faults)

    #expect(
      getent.asks(28, socket: 1) + getent.asks(28, socket: 2) == [Self.nxdomain, Self.nxdomain])
    #expect(
      getent.asks(1, socket: 3) + getent.asks(1, socket: 4) == [Self.nxdomain, Self.nxdomain])
    #expect(getent.asks(28, socket: 5) == [nil])
  }

  @Test(
    "libc asks once more for an address of IPv6, which no name has, unless it has the other one")
  func noAddress() throws {
    let getent = Asker(faults: try faults(nil, nil, Self.servfail))
    #expect(getent.asks(28, socket: 1) + getent.asks(28, socket: 2) == [nil, nil])
    #expect(getent.asks(1, socket: 3) == [nil])
    #expect(getent.asks(1, 28, socket: 4) == [nil, nil])
    #expect(getent.asks(28, socket: 5) == [Self.servfail])
  }

  @Test("A resolver that does not ask once more has a lookup with each question that it repeats")
  func otherResolvers() throws {
    var node = Asker(faults: try faults(Self.nxdomain, nil, Self.servfail))
    node.searchesRoot = false
    #expect(node.ask(1, 1) == Self.nxdomain)
    #expect(node.ask(1, 1) == nil)
    #expect(node.ask(1, 2) == Self.servfail)

    // A name without a dot is searched at once.
    var single = Asker(faults: try faults(Self.nxdomain, nil, host: "db"))
    single.name = "db"
    #expect(single.asks(1, 28, socket: 1) == [Self.nxdomain, Self.nxdomain])
    #expect(single.asks(1, 28, socket: 2) == [nil, nil])
  }

  @Test("Processes that ask at one time have a lookup each, and so have threads")
  func askers() throws {
    let faults = try faults(Self.nxdomain, Self.servfail, nil, Self.nxdomain)
    let first = Asker(faults: faults)
    var second = Asker(faults: faults)
    second.process = 2
    var third = first
    third.thread = 2

    #expect(first.ask(1, 1) == Self.nxdomain)
    #expect(second.ask(1, 2) == Self.servfail)
    #expect(third.ask(1, 3) == nil)
    #expect(third.ask(28, 3) == nil)
    #expect(second.ask(28, 2) == Self.servfail)
    #expect(first.ask(28, 1) == Self.nxdomain)
    // Once more: the first alone.
    #expect(first.asks(1, 28, socket: 4) == [Self.nxdomain, Self.nxdomain])
    let account = try #require(faults.account().first)
    #expect(account.counts.matched == 3)
    #expect(account.countsByProcess.mapValues(\.matched) == [1: 2, 2: 1])
    #expect(account.countsByProcess.mapValues(\.fired) == [1: 1, 2: 1])
  }

  @Test("Go asks for each kind over a socket of its own, before it waits for an answer")
  func sockets() throws {
    var first = Asker(faults: try faults(Self.nxdomain, nil, Self.servfail))
    first.searchesRoot = false
    var second = first
    second.thread = 2

    #expect(first.ask(28, 1, round: 1) == Self.nxdomain)
    #expect(second.ask(1, 2, round: 1) == Self.nxdomain)
    #expect(second.ask(1, 3, round: 2) == nil)
    // Asked behind the answer, and so of another lookup.
    #expect(first.ask(28, 4, round: 3) == Self.servfail)
  }

  @Test("Asked for one kind behind the other, over a socket each, a lookup of one thread is one")
  func sequentialSockets() throws {
    var first = Asker(faults: try faults(Self.nxdomain, Self.servfail, nil))
    first.searchesRoot = false
    var second = first
    second.thread = 2

    #expect(first.ask(28, 1, round: 1) == Self.nxdomain)
    #expect(first.ask(1, 2, round: 2) == Self.nxdomain)
    #expect(second.ask(1, 3, round: 3) == Self.servfail)
    #expect(first.ask(28, 4, round: 4) == nil)
  }

  @Test("Time ends a lookup, other names have others, and other records are nobody's business")
  func otherLookups() throws {
    let faults = try faults(Self.nxdomain, Self.servfail, nil, host: "*.test")
    var getent = Asker(faults: faults)

    #expect(getent.ask(12, 1) == nil)
    #expect(getent.ask(1, 1) == Self.nxdomain)
    time.pass(.seconds(1))
    #expect(getent.ask(28, 1) == Self.servfail)
    getent.name = "b.test"
    #expect(getent.ask(1, 1) == nil)
    getent.name = "b.example"
    #expect(getent.ask(1, 1) == nil)
    #expect(try #require(faults.account().first).counts.seen == 4)
  }

  @Test("A truncated answer is asked for again over TCP, which is the same lookup")
  func truncated() throws {
    let faults = try faults(.fault(.truncated), nil)
    let getent = Asker(faults: faults)

    #expect(getent.ask(1, 1) == .fault(.truncated))
    #expect(getent.ask(1, 2, isStream: true) == .fault(.truncated))
    #expect(try #require(faults.account().first).counts.matched == 1)
    #expect(getent.ask(1, 3) == nil)
  }

  @Test("An entry may want one program's lookups alone, and tells who has asked")
  func process() throws {
    let faults = try faults(Self.nxdomain, process: "curl")
    var curl = Asker(faults: faults)
    #expect(curl.ask(1, 1) == nil)
    curl.program = ProgramNames(executable: "/usr/bin/curl")
    curl.process = 3

    let client = DNSClient(
      process: 103, processOrdinal: 3, threadOrdinal: 2, program: curl.program, socket: 2,
      place: CausalOrder(lineage: [], ordinal: 0))
    let fault = faults.answer(
      to: DNSQuery(
        name: "a.test", type: 1, isStream: false, searchesRoot: true, client: client), round: nil
    ).fault

    #expect(fault?.process == 103)
    #expect(fault?.processOrdinal == 3)
    #expect(fault?.threadOrdinal == 2)
    #expect(fault?.program.name == "curl")
  }

  // MARK: - Order

  /// Asks by a socket at a place of the tree.
  private func client(_ lineage: [UInt32], process: Int, of test: TestServer) throws -> Client {
    let client = try Client(port: test.server.nameServerPort, datagrams: true)
    test.server.recordAsker(
      DNSClient(
        process: Int32(process), processOrdinal: process, threadOrdinal: 1,
        program: ProgramNames(executable: "/bin/x"), socket: UInt64(process),
        place: CausalOrder(lineage: lineage, ordinal: 0)),
      sourcePort: try client.sourcePort, port: test.server.nameServerPort)
    return client
  }

  @Test("Who was made first is the first to be counted, although he asks last")
  func order() throws {
    let world = ManualWorld(restsWhenTold: true)
    let links = try faults(Self.nxdomain, Self.servfail, nil)
    let test = try TestServer([], world: world, links: links)
    let clients = try [
      client([1], process: 3, of: test), client([0, 7], process: 2, of: test),
      client([], process: 1, of: test),
    ]
    let stranger = try Client(port: test.server.nameServerPort, datagrams: true)

    for client in clients {
      try client.send(NameQuery.bytes("a.test"))
      // Returns once the loop has read what was sent before: a name that no entry means goes at once.
      try stranger.send(NameQuery.bytes("other.test"))
      _ = try stranger.receive()
    }
    #expect(!clients.contains { $0.hasBytes })
    world.rest()

    let codes = try clients.map { NameQuery.parse(try $0.receive())?.code }
    #expect(codes == [0, 2, 3])
    #expect(world.events.compactMap(\.faultyProcess) == [1, 2])
  }
}

extension MockServerEvent {
  fileprivate var faultyProcess: Int? {
    if case .linkFault(let fault) = self { fault.processOrdinal } else { nil }
  }
}
