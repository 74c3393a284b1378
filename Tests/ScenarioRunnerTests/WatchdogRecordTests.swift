import Foundations
import Testing

@testable import ScenarioRunner

@Suite("What a service says of its life")
struct WatchdogRecordTests {
  private func record(_ words: [(String, Int64)]) -> WatchdogRecord {
    var record = WatchdogRecord()
    for (word, second) in words { record.take(word[...], at: .seconds(second)) }
    return record
  }

  private func silence(_ words: [(String, Int64)], until end: Int64) -> [Int64]? {
    record(words).longestSilence(until: .seconds(end)).map {
      [$0.from.count / 1_000_000_000, $0.to.count / 1_000_000_000]
    }
  }

  @Test("The longest silence counts, from when it is ready to when it is looked at")
  func silences() {
    #expect(
      silence([("READY=1", 5), ("WATCHDOG=1", 15), ("WATCHDOG=1", 40)], until: 50) == [15, 40])
    #expect(silence([("READY=1", 5), ("WATCHDOG=1", 15)], until: 50) == [15, 50])
    #expect(silence([("WATCHDOG=1", 15)], until: 15) == [15, 15])
  }

  @Test("What was asked to end, or is about to, need not say anything from then on")
  func ends() {
    #expect(silence([("READY=1", 5), ("WATCHDOG=1", 15)], until: 20) == [5, 15])
    #expect(silence([("READY=1", 5), ("WATCHDOG=1", 15)], until: 10) == [5, 15])
    #expect(
      silence([("READY=1", 5), ("STOPPING=1", 15), ("WATCHDOG=1", 90)], until: 200) == [5, 15])
  }

  @Test("Who was asked to end is not watched on its way there, and was until then")
  func asked() {
    var quick = record([("READY=1", 5)])
    quick.expectEnd(at: .seconds(15))
    quick.take("STOPPING=1", at: .seconds(90))
    #expect(quick.longestSilence(until: .seconds(200))?.length == .seconds(10))

    var mute = record([("STATUS=up", 5)])
    mute.expectEnd(at: .seconds(15))
    #expect(mute.longestSilence(until: .seconds(200)) == nil)
  }

  @Test("Other words say nothing, and whoever has said nothing has no silence")
  func nothing() {
    #expect(silence([("STATUS=well", 5), ("WATCHDOG=0", 6), ("", 7)], until: 50) == nil)
    #expect(record([("WATCHDOG=1", 1), ("READY=1", 2), ("WATCHDOG=1", 3)]).count == 2)
  }
}
