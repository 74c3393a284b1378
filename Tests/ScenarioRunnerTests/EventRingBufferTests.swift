import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioRunner

@Suite("The last things that happened in a world")
struct RecentWorldTests {
  private static func birth(_ ordinal: Int, of parent: Int?, _ program: String = "sh") -> Event.Kind
  {
    .processBorn(ProcessBirth(ordinal: ordinal, parent: parent, program: program))
  }

  private static func output(_ text: String, _ stream: String = "stdout") -> Event.Kind {
    .outputWritten(OutputPiece(stream: stream, text: text, byteCount: text.utf8.count))
  }

  private static func wait(_ end: WaitSpan.End, _ length: Int64 = 1) -> Event.Kind {
    .waited(
      WaitSpan(
        processOrdinal: 1, threadOrdinal: 1, systemCall: "futex", from: .zero,
        to: .seconds(length), requested: .seconds(5), realLength: .zero, end: end))
  }

  private static func move(_ reason: String = "sh in poll") -> Event.Kind {
    .clockMoved(by: .seconds(1), reason: reason)
  }

  private func reported(_ kinds: [(Event.Kind, Int32?)]) -> [String] {
    var world = EventRingBuffer()
    for (index, (kind, process)) in kinds.enumerated() {
      world.record(kind, process: process, elapsed: .seconds(Int64(index)))
    }
    return world.takeNews()?.map { moment in
      "\(moment.process ?? 0) \(moment.program ?? "-") \(moment.text)"
        + (moment.count.map { " ×\($0)" } ?? "")
    } ?? []
  }

  @Test("A process that is born to run a program is one line, one that goes on is another")
  func births() {
    let lines = reported([
      (Self.birth(1, of: nil), 70), (.processStarted(arguments: ["/bin/sh", "-c", "a b"]), 70),
      (Self.birth(2, of: 1), 71), (Self.birth(3, of: 1), 72),
      (.processStarted(arguments: ["/usr/bin/curl", "x"]), 72),
      (.processEnded(exitCode: nil, signal: "KILL"), 72),
      (.processEnded(exitCode: 3, signal: nil), 70),
    ])

    #expect(
      lines == [
        "1 sh runs sh -c \"a b\"", "2 sh forked by process 1",
        "3 curl runs curl x, started by process 1", "3 curl is killed by SIGKILL",
        "1 sh exits with 3",
      ])
  }

  @Test("The last dozen is kept, whatever came before")
  func bounded() {
    let lines = reported((0..<1000).map { (Self.birth($0, of: 1, "p"), Int32($0)) })

    #expect(lines.count == 12)
    #expect(lines.last == "999 p forked by process 1")
  }

  @Test("What repeats itself is counted, also where threads take turns in it")
  func repeated() {
    let turn: [(Event.Kind, Int32?)] = [(Self.move("java in futex"), nil), (Self.move(), nil)]
    let lines = reported([(Self.birth(1, of: nil), 1)] + (0..<100).flatMap { _ in turn })

    #expect(
      lines == [
        "1 sh starts", "0 - time +1s: java in futex ×100", "0 - time +1s: sh in poll ×100",
      ])
    // Something else between two of them keeps them apart.
    #expect(
      reported([(Self.move(), nil), (Self.birth(1, of: nil), 1), (Self.move(), nil)]).count == 3)
  }

  @Test("A move that repeats the last event is counted as if it were recorded, any other is not")
  func repeatedMoves() {
    var world = EventRingBuffer()
    world.record(Self.birth(1, of: nil), process: 7, elapsed: .zero)
    let isRepeatedBirth = world.repeatMove(Self.move(), process: 7, elapsed: .seconds(1))
    world.record(Self.move(), process: 7, elapsed: .seconds(1))

    let isRepeatedMove = world.repeatMove(Self.move(), process: 7, elapsed: .seconds(2))
    let isOfOther = world.repeatMove(Self.move(), process: 8, elapsed: .seconds(3))
    let isInSelect = world.repeatMove(
      Self.move("sh in select"), process: 7, elapsed: .seconds(3))

    #expect(!isRepeatedBirth && isRepeatedMove && !isOfOther && !isInSelect)
    let news = world.takeNews()
    #expect(news?.map(\.text) == ["starts", "time +1s, in poll"])
    #expect(news?.last?.count == 2 && news?.last?.elapsed == .seconds(2))
  }

  @Test("A wait whose end the clock has gone to is told by that, another by itself")
  func waits() {
    var world = EventRingBuffer()
    world.record(Self.birth(1, of: nil), process: 7, elapsed: .zero)
    world.record(Self.move(), process: 7, elapsed: .seconds(1))
    world.record(Self.wait(.due), process: 7, elapsed: .seconds(1))
    world.record(Self.wait(.woken), process: 7, elapsed: .seconds(1))
    world.record(Self.wait(.due), process: 7, elapsed: .seconds(2))

    #expect(
      world.takeNews()?.map(\.text) == [
        "starts", "time +1s, in poll", "is woken in futex after 1s of 5s",
        "has waited 5s in futex",
      ])
  }

  @Test("Where the clock is real, a failure has no virtual time, whoever tells it")
  func real() {
    var events: [Event] = []
    let log = CaseLog(scenario: "s", runStart: .zero) { events.append($0) }
    log.inbox.stamp(asTimeline: false) { CaseLog.Inbox.Time(elapsed: .seconds(3)) }
    let failure = Failure(category: .error, type: "Timeout", message: "late")
    log.add(.failed(failure), virtualTime: WallInstant(seconds: 1))

    #expect(events.map(\.virtualTime) == [nil] && events.map(\.elapsed) == [nil])
  }

  @Test("What the runner does because of a failure is not told as its cause, what follows is")
  func held() {
    var world = EventRingBuffer()
    world.record(Self.birth(1, of: nil), process: 7, elapsed: .zero)
    world.hold()
    world.record(.processEnded(exitCode: nil, signal: "TERM"), process: 7, elapsed: .zero)
    #expect(world.takeNews()?.map(\.text) == ["starts"])
    world.record(Self.birth(2, of: 1), process: 8, elapsed: .zero)
    #expect(world.takeNews()?.map(\.text) == ["starts", "forked by process 1"])
  }

  @Test("Paths below the target's folder are told from there, but for what it writes itself")
  func folder() {
    var world = EventRingBuffer()
    world.folder = "/case-1/work/"
    world.record(Self.birth(1, of: nil), process: 7, elapsed: .zero)
    world.record(.processStarted(arguments: ["cat", "/case-1/work/a"]), process: 7, elapsed: .zero)
    world.record(Self.output("/case-1/work/a"), process: 7, elapsed: .zero)
    #expect(world.takeNews()?.map(\.text) == ["runs cat a", "stdout: \"/case-1/work/a\""])
  }

  @Test("Output is the same line however the kernel cut it, and its length is told where it is cut")
  func output() {
    let whole = reported([(Self.output("one\ntwo\n"), nil)])
    #expect(whole == ["0 - stdout: \"one\\ntwo\\n\""])
    #expect(
      reported([(Self.output("o"), nil), (Self.output("ne\n"), nil), (Self.output("two\n"), nil)])
        == whole)
    let both = reported([
      (Self.output("a"), nil), (Self.output("e", "stderr"), nil), (Self.output("b"), nil),
    ])
    #expect(both == ["0 - stderr: \"e\"", "0 - stdout: \"ab\""])
    let long = reported([(Self.output(String(repeating: "x", count: 300)), nil)])
    #expect(long.first?.hasSuffix("x…\" (300 bytes)") ?? false, "\(long)")
    let zeros = reported([(Self.output(String(repeating: "\0", count: 300)), nil)])
    #expect(zeros.first?.hasSuffix("\\u0000…\" (300 bytes)") ?? false, "\(zeros)")
    #expect((zeros.first?.count ?? 0) < 200)
  }

  @Test("A failure is reported with what happened since the one before, or with nothing")
  func news() throws {
    var events: [Event] = []
    let log = CaseLog(scenario: "s", runStart: .zero) { events.append($0) }
    let wall = WallInstant(seconds: 1)
    log.inbox.stamp(asTimeline: false) {
      CaseLog.Inbox.Time(elapsed: .seconds(3), wall: wall)
    }
    let failure = Failure(category: .error, type: "Timeout", message: "late")
    log.add(.stepStarted(index: 1, name: "run", range: SourceRange(file: "f", line: 1, column: 1)))
    log.fail(failure)
    log.inbox.add(Self.birth(1, of: nil), process: 7)
    log.inbox.add(.processEnded(exitCode: 0, signal: nil), process: 7)
    log.fail(failure)
    log.fail(failure)

    let failed = events.compactMap { event -> (Event, Failure)? in
      if case .failed(let failure) = event.kind { (event, failure) } else { nil }
    }
    #expect(
      failed.map { $0.1.lastEvents?.map(\.text) } == [
        nil, ["step 1: run", "starts", "exits with 0"], nil,
      ])
    #expect(failed.allSatisfy { $0.0.elapsed == .seconds(3) && $0.0.virtualTime == wall })
    // What only a timeline shows is not told one by one.
    #expect(!events.contains { if case .processBorn = $0.kind { true } else { false } })
    #expect(log.failures == [failure, failure, failure])
  }
}
