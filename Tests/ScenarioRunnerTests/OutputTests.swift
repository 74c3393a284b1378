import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioRunner
@testable import Supervisor

@Suite("Output that is too long to keep")
struct OutputTests {
  @Test("A stream that is whole can be judged, one that is not cannot")
  func judged() {
    let whole = CapturedOutput(bytes: [1, 2], omitted: 0)
    let cut = CapturedOutput(bytes: [1, 2], omitted: 3)

    #expect(Failure(incomplete: whole, of: .output) == nil)
    let failure = Failure(incomplete: cut, of: .error)
    #expect(failure?.category == .error)
    #expect(failure?.message == "stderr is longer than 2 bytes; 3 bytes were not kept")
    #expect(failure?.help == "let the target write less, or to a file")
  }

  @Test("The text of all starts ends with what is missing")
  func kept() {
    var output = KeptOutput()
    output.add(CapturedOutput(bytes: Array("one\n".utf8), omitted: 0))
    #expect(output.text(of: .output) == "one\n")

    output.add(CapturedOutput(bytes: Array("two".utf8), omitted: 4))
    output.add(CapturedOutput(bytes: [], omitted: 5))
    #expect(output.text(of: .output) == "one\ntwo\n[9 bytes of stdout were not kept]\n")
  }

  @Test("Moves of the clock beyond the limit are reported as one, but for the last ones")
  func clockMoves() {
    var events: [Event] = []
    let log = CaseLog(scenario: "s", runStart: .zero) { events.append($0) }
    let reported = CaseLog.clockMoveLimit
    let last = CaseLog.lastClockMoveLimit
    for index in 1...(reported + last) {
      log.inbox.add(.clockMoved(by: .seconds(1), reason: "\(index)"))
    }
    log.flush()
    #expect(events.count == reported)

    for index in 1...2 {
      log.inbox.add(.clockMoved(by: .seconds(Int64(index)), reason: "late \(index)"))
    }
    log.addRemainder()
    #expect(events.count == reported + 1 + last)
    #expect(
      events[reported].kind == .clockMoved(by: .seconds(2), reason: "2 more moves, not listed"))
    #expect(events.last?.kind == .clockMoved(by: .seconds(2), reason: "late 2"))
  }

  @Test("Moves of the supervisor's clock are recorded as other events are, each with its reason")
  func supervisedMoves() {
    var events: [Event] = []
    let log = CaseLog(scenario: "s", runStart: .zero) { events.append($0) }
    let clock = ClockView(nil, present: WallInstant(seconds: 1))
    let range = SourceRange(file: "a.yaml", line: 1, column: 1)
    let reasons: [ClockMoveReason] = [
      .step, .step, .delayedReply, .spin(program: "a", process: 7), .spin(program: "b", process: 7),
    ]
    for reason in reasons {
      log.inbox.add(
        .clockMoved(by: .seconds(1), reason: reason), allowsEscapes: false, range: range,
        clock: clock)
    }
    log.flush()

    #expect(
      events.map(\.kind) == reasons.map { .clockMoved(by: .seconds(1), reason: $0.text) })
    #expect(events.map(\.process) == [nil, nil, nil, 7, 7])
  }

  @Test("Moves of the clock within the limit are all reported, and nothing is reported twice")
  func fewClockMoves() {
    var events: [Event] = []
    let log = CaseLog(scenario: "s", runStart: .zero) { events.append($0) }
    for _ in 0..<3 { log.inbox.add(.clockMoved(by: .seconds(1), reason: "step")) }

    log.addRemainder()
    log.addRemainder()

    #expect(events.count == 3)
  }
}
