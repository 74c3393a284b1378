import FoundationEssentials
import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("What the timeline of a case is made of")
struct WorldLogTests {
  struct Entry: Codable {
    var k: String
    var v: Int64
    var r: Int64
    var p: Int?
    var to: Int64?
    var others: Int?
  }

  private func entries(_ events: [Event], startedAt: Nanoseconds = .zero) throws -> [Entry] {
    var log = WorldLog(startedAt: startedAt)
    for event in events { log.add(event) }
    return try JSONDecoder().decode([Entry].self, from: Data(log.json.utf8))
  }

  private func event(
    _ kind: Event.Kind, at real: Int64 = 0, elapsed: Int64? = 0, process: Int32? = nil
  ) -> Event {
    var event = Event(realTime: .seconds(real), scenario: "c", process: process, kind: kind)
    event.elapsed = elapsed.map { .seconds($0) }
    return event
  }

  @Test("A process is known by its number in the order of births, also where its pid comes again")
  func ordinals() throws {
    let list = try entries([
      event(.processBorn(ProcessBirth(ordinal: 1, parent: nil, program: "sh")), process: 70),
      event(.processStarted(arguments: ["sh"]), process: 70),
      event(.processEnded(exitCode: 0, signal: nil), process: 70),
      event(.processBorn(ProcessBirth(ordinal: 2, parent: nil, program: "sh")), process: 70),
      event(.processStarted(arguments: ["ls"]), process: 70),
    ])

    #expect(list.map(\.p) == [1, 1, 1, 2, 2])
  }

  @Test("Without births, as in a recording that has none, processes are counted as they start")
  func noBirths() throws {
    let list = try entries([
      event(.processStarted(arguments: ["a"]), process: 9),
      event(.processStarted(arguments: ["b"]), process: 8),
      event(.processEnded(exitCode: 0, signal: nil), process: 9),
    ])

    #expect(list.map(\.p) == [1, 2, 1])
  }

  @Test("A process whose birth was not told has no number, nor that of the one whose pid it has")
  func untoldBirth() throws {
    let list = try entries([
      event(.processBorn(ProcessBirth(ordinal: 1, parent: nil, program: "sh")), process: 70),
      event(.processEnded(exitCode: 0, signal: nil), process: 70),
      event(.processStarted(arguments: ["ls"]), process: 70),
      event(.processStarted(arguments: ["ls"]), process: 71),
    ])

    #expect(list.map(\.p) == [1, 1, nil, nil])
  }

  @Test("Ten thousand processes are told of one by one")
  func manyProcesses() throws {
    let list = try entries(
      (1...10_002).map {
        event(.processBorn(ProcessBirth(ordinal: $0, parent: nil, program: "sh")), process: 7)
      })

    #expect(list.count == WorldLog.processLimit + 1)
    #expect(list.last?.others == 2)
  }

  @Test("A wait begins when it began, and real time counts from the case's beginning")
  func wait() throws {
    let span = WaitSpan(
      processOrdinal: 3, threadOrdinal: 1, systemCall: "poll", from: .seconds(5), to: .seconds(9),
      requested: .seconds(4), realLength: .zero, end: .due)
    let list = try entries([event(.waited(span), at: 12, elapsed: 9)], startedAt: .seconds(10))

    #expect(list.map(\.v) == [5_000_000_000])
    #expect(list.map(\.to) == [9_000_000_000])
    #expect(list.map(\.r) == [2_000_000_000])
    #expect(list.map(\.p) == [3])
  }

  @Test("Where virtual time is not told, the wall clock says it, and without one the real one")
  func fallback() throws {
    var first = event(.stepStarted(index: 1, name: "a", range: .sample), elapsed: nil)
    first.virtualTime = WallInstant(seconds: 100)
    var second = event(.warning("w", range: nil), at: 1, elapsed: nil)
    second.virtualTime = WallInstant(seconds: 160)
    let third = event(.warning("w", range: nil), at: 2, elapsed: nil)

    #expect(try entries([first, second, third]).map(\.v) == [0, 60_000_000_000, 2_000_000_000])
  }

  @Test("More events of a kind than are kept are counted")
  func bounded() throws {
    let fault = FaultDescription(
      entry: "e", occurrence: 1, action: "EIO", systemCall: "read", subject: nil, result: nil,
      error: "EIO", processOrdinal: 1, threadOrdinal: 1)
    let list = try entries(
      (0..<WorldLog.limit + 3).map { _ in event(.faultInjected(fault)) }
        + [event(.stepFinished(index: 1, duration: .zero))])

    #expect(list.count == WorldLog.limit + 2)
    #expect(list.last?.others == 3)
    #expect(list.contains { $0.k == "stepend" })
  }
}

extension SourceRange {
  fileprivate static let sample = SourceRange(file: "a.yaml", line: 1, column: 1)
}
