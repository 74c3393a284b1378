import Foundations
import ScenarioEvents
import Supervisor
import Testing

@testable import ScenarioRunner

@Suite("What escapes control")
struct EscapeTests {
  private static let range = SourceRange(file: "a.yaml", line: 3, column: 4)
  private static let escapes: [SupervisorEvent] = [
    .outOfReach(process: 7, reason: "it has no vDSO"),
    .waitEscaped(
      process: 7, program: "sh", systemCall: "poll", length: .seconds(2), reason: "unseen"),
    .waitEscaped(process: 7, program: "sh", systemCall: "poll", length: nil, reason: "unseen"),
  ]

  private func reported(_ event: SupervisorEvent, allowsEscapes: Bool) -> [Event.Kind] {
    var kinds: [Event.Kind] = []
    let log = CaseLog(scenario: "a", runStart: .zero) { kinds.append($0.kind) }
    let view = ClockView(nil, present: .epoch)
    log.inbox.add(event, allowsEscapes: allowsEscapes, range: Self.range, clock: view)
    log.flush()
    #expect(log.hasFailed == kinds.contains { $0.name == .failed })
    return kinds
  }

  @Test("It is reported as it is, and fails the case, with the way to allow it", arguments: 0..<3)
  func fails(index: Int) {
    let kinds = reported(Self.escapes[index], allowsEscapes: false)

    #expect(kinds.count == 2)
    #expect(kinds.first?.name == (index == 0 ? .outOfReach : .waitEscaped))
    guard case .failed(let failure)? = kinds.last else {
      Issue.record("the case did not fail")
      return
    }
    #expect(failure.category == .error)
    #expect(failure.range == Self.range)
    #expect(failure.help?.contains("`clock: { escapes: allow }`") == true)
  }

  @Test("Where it is allowed, it is a warning", arguments: 0..<3)
  func allowed(index: Int) {
    let kinds = reported(Self.escapes[index], allowsEscapes: true)

    #expect(kinds.map(\.name) == [index == 0 ? .outOfReach : .waitEscaped, .warning])
  }

  @Test("Of processes out of reach the first one fails the case, and nothing is decided then")
  func undecided() {
    var kinds: [Event.Kind] = []
    let log = CaseLog(scenario: "a", runStart: .zero) { kinds.append($0.kind) }
    let view = ClockView(nil, present: .epoch)
    for process: Int32 in 7...9 {
      log.inbox.add(
        .outOfReach(process: process, reason: "it has no vDSO"), allowsEscapes: false,
        range: Self.range, clock: view)
    }
    log.flush()

    #expect(kinds.map(\.name) == [.outOfReach, .failed, .outOfReach, .outOfReach])
    #expect(log.isUnknown)
  }

  @Test("An escaped wait leaves the conditions decided")
  func decided() {
    let log = CaseLog(scenario: "a", runStart: .zero) { _ in }
    log.inbox.add(
      Self.escapes[1], allowsEscapes: false, range: Self.range,
      clock: ClockView(nil, present: .epoch))
    log.flush()

    #expect(!log.isUnknown)
  }

  @Test("A notice fails nothing")
  func notice() {
    let kinds = reported(.notice(process: 7, text: "told"), allowsEscapes: false)

    #expect(kinds == [.warning("told", range: Self.range)])
  }

  @Test("The account is one line, and says what is unusual only where it is")
  func account() {
    let usual = TimeAccount(waits: 1, moves: 2, moved: .seconds(3_600))
    var unusual = usual
    unusual.processesOutOfReach = 1
    unusual.waits = 0
    unusual.counterReaders = ["java", "perl"]

    #expect(
      usual.text == "1 wait in virtual time, 0 in real time, the clock moved by 1h in 2 steps")
    #expect(
      unusual.text
        == "0 waits in virtual time, 0 in real time, 1 out of reach, the clock moved by 1h in 2 steps,"
        + " the processor's counter read by java, perl")
  }
}
