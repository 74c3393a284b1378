import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("Files that a case has left are named where consumers look for them")
struct JUnitAttachmentTests {
  private static let names = [
    "a.log", "b/trace.json", "c/a.log", "two\nlines", "x]]y", "of ***.log",
  ]

  private func output(_ attachments: JUnitAttachments, directory: String?) throws -> String {
    var run = SampleRun()
    run.addCase(
      "n", output: "no line end", directory: directory,
      attachments: directory.map { directory in Self.names.map { "\(directory)/\($0)" } })
    run.end()
    let sink = CollectingSink()
    try run.play(
      to: JUnitRecorder(destination: .sink(sink), attachments: attachments))
    return sink.text
  }

  @Test("Each stands on a line of its own behind the output, each base name once")
  func lines() throws {
    let text = try output(JUnitAttachments(root: "/builds/ci"), directory: "/builds/ci/kept")

    #expect(
      text.contains(
        "<system-out>no line end\n[[ATTACHMENT|kept/a.log]]\n[[ATTACHMENT|kept/b/trace.json]]\n"
          + "</system-out>"))
    #expect(text.components(of: "ATTACHMENT") == 2)
  }

  @Test("What lies elsewhere keeps its whole path")
  func elsewhere() throws {
    let text = try output(JUnitAttachments(root: "/builds/ci"), directory: "/builds/ci-2")

    #expect(text.contains("[[ATTACHMENT|/builds/ci-2/a.log]]"))
    #expect(
      try output(JUnitAttachments(), directory: "/builds").contains("[[ATTACHMENT|/builds/a.log]]"))
  }

  @Test("Nothing is named where nothing was kept")
  func twin() throws {
    #expect(
      try !output(JUnitAttachments(root: "/builds/ci"), directory: nil).contains("ATTACHMENT"))
  }

  @Test("A page links to a file beside it from there, to another by its whole path")
  func links() {
    func link(to path: String, _ address: String? = nil, from folder: String?) -> PageLink {
      PageLink(to: Attachment(kind: .file, path: path, address: address), from: folder)
    }
    let beside = link(to: "/ci/out/a b#1.log", from: "/ci/out")
    #expect(beside.shown == "a b#1.log" && beside.address == "./a%20b%231.log")
    let elsewhere = link(to: "/tmp/ä", from: "/ci/out")
    #expect(elsewhere.shown == "/tmp/ä" && elsewhere.address == "file:///tmp/%C3%A4")
    #expect(link(to: "/ci/output/x", from: "/ci/out").address == "file:///ci/output/x")
    #expect(link(to: "/tmp/***", from: nil).address == nil)
    let odd = "/ci/o t/a\\xff"
    #expect(link(to: odd, "file:///ci/o%20t/a%FF", from: "/ci/o t").address == "./a%FF")
    #expect(
      link(to: odd, "file:///ci/o%20t/a%FF", from: nil).address == "file:///ci/o%20t/a%FF")
    #expect(link(to: odd, "file:///ci/***/a%FF", from: nil).address == nil)
  }

  @Test("A name that is not UTF-8 cannot be said in JUnit XML")
  func bytes() {
    let odd = Attachment(kind: .file, path: "/x/a\\xff", address: "file:///x/a%FF")
    let plain = Attachment(kind: .file, path: "/x/b")

    #expect(JUnitAttachments().lines([odd, plain]) == ["[[ATTACHMENT|/x/b]]"])
  }

  @Test(
    "A page, a terminal and JUnit XML tell what a case has captured, the last value of each name")
  func captures() throws {
    var run = SampleRun()
    run.addCase(
      "n", outcome: .failed, failures: [.wrongOutput], attachments: ["/x/<a>.log"],
      captures: [("port", "1"), ("user", "ada\u{1B}"), ("port", "8080")])
    run.end()
    let (page, terminal, junit) = (CollectingSink(), CollectingSink(), CollectingSink())
    try run.play(to: PageRecorder(sink: page, path: "/x/report.html"))
    try run.play(to: TerminalRecorder(sink: terminal, usesColour: false))
    try run.play(to: JUnitRecorder(sink: junit))

    #expect(page.text.contains(#"["captured","port = 8080"]"#))
    #expect(page.text.contains(#""files":[["file","\u003ca>.log","./%3Ca%3E.log"]]"#))
    #expect(terminal.text.contains("captured: port = 8080\ncaptured: user = ada\\x{1B}\n"))
    #expect(
      junit.text.contains(#"<property name="scenario.capture.port: n" value="8080"/>"#),
      "\(junit.text)")
    #expect(!junit.text.contains(#"value="1"/>"#))
  }
}
