import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioRunner

@Suite("A world is reported in bounded space")
struct WorldKeeperTests {
  private static let bound = EventSampler.firstLimit + EventSampler.lastLimit

  private func wait(_ index: Int) -> Event.Kind {
    .waited(
      WaitSpan(
        processOrdinal: 1, threadOrdinal: 1, systemCall: "poll", from: .seconds(Int64(index)),
        to: .seconds(Int64(index) + 1), requested: .seconds(1), realLength: .zero, end: .due))
  }

  private func reported(_ kinds: [Event.Kind]) -> [Event.Kind] {
    var events: [Event] = []
    let log = CaseLog(scenario: "s", runStart: .zero) { events.append($0) }
    log.inbox.stamp(asTimeline: true) { CaseLog.Inbox.Time(elapsed: .zero) }
    for kind in kinds { log.inbox.add(kind) }
    log.addRemainder()
    log.addRemainder()
    return events.map(\.kind)
  }

  @Test("Of a million waits the first and the last are reported, and the sum of the others")
  func million() {
    let count = 1_000_000
    let kinds = reported((0..<count).map { wait($0) })

    #expect(kinds.count == Self.bound + 1)
    #expect(kinds.first == wait(0))
    #expect(kinds.last == wait(count - 1))
    let unreported = count - Self.bound
    #expect(
      kinds[EventSampler.firstLimit]
        == .worldUntold(DroppedEvents(waits: unreported, waited: .seconds(Int64(unreported)))))
    #expect(kinds[EventSampler.firstLimit + 1] == wait(count - EventSampler.lastLimit))
  }

  @Test("What is within the bound is all told, in its order, and nothing is said of a rest")
  func few() {
    let all = (0..<Self.bound).map { wait($0) }

    #expect(reported(all) == all)
  }

  @Test("Output and births have bounds of their own")
  func sorts() {
    let pieces = (0...Self.bound).map { _ in
      Event.Kind.outputWritten(OutputPiece(stream: "stdout", text: "", byteCount: 7))
    }
    let birthBound = EventSampler.firstBirthLimit + EventSampler.lastLimit
    let births = (0...birthBound).map {
      Event.Kind.processBorn(ProcessBirth(ordinal: $0, parent: nil, program: "p"))
    }
    let kinds = reported(pieces + births + [wait(1)])

    #expect(kinds.contains(wait(1)))
    #expect(kinds.contains(.worldUntold(DroppedEvents(pieces: 1, bytes: 7, births: 1))))
    #expect(kinds.count == Self.bound + birthBound + 2)
  }
}
