import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite("How long cases took in earlier reports")
struct CaseTimingsTests {
  private func timings(_ files: [String: String]) -> CaseTimings {
    CaseTimings(files.map { ($0.key, Array($0.value.utf8)) })
  }

  private func duration(_ timings: CaseTimings, _ name: String = "ok") -> Nanoseconds? {
    timings.duration(identifier: "s/login.yaml::\(name)", file: "s/login.yaml", name: name)
  }

  @Test(
    "The dialects of others are read",
    arguments: [
      // jenkins: the file stands at the suite
      "<testsuites><testsuite file=\"s/login.yaml\"><testcase name=\"ok\" classname=\"x\" time=\"1.5\"/></testsuite></testsuites>",
      // extended: at the case
      "<testsuite><testcase file='s/login.yaml' name='ok' classname='x' time='1.500'></testcase></testsuite>",
      // ant, surefire: nowhere
      "<?xml version='1.0'?><testsuite name=\"s\"><testcase time=\"1.5\" classname=\"s.login\" name=\"ok\"><system-out><![CDATA[<testcase name=\"no\" classname=\"s.login\" time=\"9\"/>]]></system-out></testcase></testsuite>",
      "<!-- <testcase name=\"ok\" classname=\"s.login\" time=\"7\"/> --><testcase name=\"ok\" classname=\"s.login\" time=\"1.5\"/><testcase name=\"no",
    ])
  func dialects(xml: String) {
    let timings = timings(["a.xml": xml])
    #expect(duration(timings) == .milliseconds(1500))
    #expect(duration(timings, "no") == nil)
  }

  @Test("Entities, thousands and skipped cases")
  func details() {
    let timings = timings([
      "a.xml": """
      <testsuite><testcase classname="s.login" name="a &lt;&#x62;&#99;&amp;&quot;> &unknown;" time="1,234.5"/>
      <testcase classname="s.login" name="skipped" time="0"><skipped/></testcase>
      <testcase classname="s.login" name="none"/>
      <testcase classname="s.login" name="odd" time="NaN"/>
      <testcase classname="s.login" name="bad" time="-1"/></testsuite>
      """
    ])
    #expect(duration(timings, "a <bc&\"> &unknown;") == .milliseconds(1_234_500))
    for name in ["skipped", "none", "odd", "bad"] { #expect(duration(timings, name) == nil) }
  }

  @Test("Of the last five the median, by what reports say about their time and not by their names")
  func median() {
    var files: [String: String] = [:]
    for (day, seconds) in [(1, 900), (2, 900), (3, 5), (4, 1), (5, 3), (6, 2), (7, 4)] {
      files["\(9 - day).xml"] =
        "<testsuite timestamp=\"2026-01-0\(day)T00:00:00\"><testcase classname=\"s.login\" name=\"ok\" time=\"\(seconds)\"/></testsuite>"
    }
    #expect(duration(timings(files)) == .seconds(3))
  }

  @Test("Streams of events are read, a torn one as far as it goes")
  func events() throws {
    var run = SampleRun()
    run.addCase("ok", file: "s/login.yaml")
    run.end()
    let sink = CollectingSink()
    try run.play(to: JSONLinesRecorder(sink: sink))
    var text = sink.text
    text += "{\"event\":\"caseFin"
    let timings = timings(["a.jsonl": text])
    let identifier = try #require(run.events.first { $0.scenario != nil }?.scenario)
    #expect(
      timings.duration(identifier: identifier, file: "", name: "") == .milliseconds(31))
  }

  @Test(
    "Nonsense is nothing",
    arguments: ["", "<", "<testcase", "{", "\u{0}", "<testcase name=\"a", "<![CDATA["])
  func nonsense(text: String) {
    #expect(timings(["a": text]).isEmpty)
  }
}
