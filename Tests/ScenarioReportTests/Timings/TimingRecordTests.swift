import Foundations
import ScenarioReport
import Testing

@Suite("The record of a project's times")
struct TimingRecordTests {
  private func taken(_ durations: [Int64], into record: inout TimingRecord, name: String = "a") {
    for duration in durations {
      record.take([(file: "s.yaml", name: name, duration: Nanoseconds(duration))]) { _ in true }
    }
  }

  @Test("It holds the last five runs, reads what it wrote, and gives the median")
  func roundTrip() throws {
    var record = TimingRecord()
    taken([9_000, 1, 5, 3, 2, 4], into: &record, name: "a \"quoted\"\n")
    let text = record.jsonText
    #expect(try #require(TimingRecord(jsonText: Array(text.utf8))) == record)

    let timings = CaseTimings([(path: "timings.json", bytes: Array(text.utf8))])
    let name = "a \"quoted\"\n"
    #expect(
      timings.duration(identifier: "s.yaml::\(name)", file: "s.yaml", name: name) == Nanoseconds(3))
    #expect(CaseTimings([("x", Array(TimingRecord().jsonText.utf8))]).isEmpty)
    #expect(TimingRecord(jsonText: Array(text.replacing("\": 1", with: "\": 2").utf8)) == nil)
  }

  @Test("It stays bounded, and keeps what was run last")
  func bounds() {
    var record = TimingRecord()
    let many = (0..<TimingRecord.caseLimit).map {
      (file: "a.yaml", name: "\($0)", duration: Nanoseconds(1))
    }
    record.take(many) { _ in true }
    taken([1], into: &record, name: "new")
    #expect(record.cases.count == TimingRecord.caseLimit)
    #expect(record.cases["s.yaml::new"] != nil)
    record.take([]) { $0 == "s.yaml" }
    #expect(record.cases.keys.sorted() == ["s.yaml::new"])
  }
}
