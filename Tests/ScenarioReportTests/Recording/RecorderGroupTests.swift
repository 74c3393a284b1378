import ScenarioReport
import Testing

@Suite("Several recorders hear the same events")
struct RecorderGroupTests {
  @Test("Each recorder hears each event and completes its report")
  func all() {
    var run = SampleRun()
    run.addCase("holds")
    run.end()
    let sinks = [CollectingSink(), CollectingSink()]
    let group = RecorderGroup(sinks.map { JSONLinesRecorder(sink: $0) })

    for event in run.events { group.record(event) }

    #expect(group.finish() == [])
    #expect(sinks.map(\.writes.count) == [4, 4])
    #expect(sinks.filter(\.isFinished).count == 2)
  }

  @Test("One report that cannot be written does not take the others with it")
  func oneFails() {
    var run = SampleRun()
    run.addCase("holds")
    run.end()
    let broken = FailingSink(after: 0)
    let whole = CollectingSink()
    let group = RecorderGroup([
      JSONLinesRecorder(sink: broken), TerminalRecorder(sink: whole, usesColour: false),
    ])

    for event in run.events { group.record(event) }

    #expect(group.finish() == [broken.error])
    #expect(whole.text.hasSuffix("1 passed, 0 failed\n"))
  }
}
