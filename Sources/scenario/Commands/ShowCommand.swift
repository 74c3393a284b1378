internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario show`.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Opens a run in the browser: its timeline, requests and output.",
    discussion: """
      A page that --report html=FILE has written is opened where it lies. For a stream of events, which --report \
      jsonl=FILE or blob=FILE has written, the page is made and served on 127.0.0.1, under an address that nobody \
      else knows, until Ctrl-C. The address is printed; the browser is that of BROWSER, or xdg-open's where \
      there is a display. A case that did not pass is compared with the last run in which it did, as far as \
      the project remembers one. On the terminal "scenario report show" shows a stream.
      """)

  @Argument(help: "A report: html, jsonl or blob; \"-\" is a stream of events on standard input.")
  var report: String

  @Option(
    help: ArgumentHelp(
      "Compare cases that did not pass with this stream, in which they did, and with no other run.",
      valueName: "events"))
  var against: String?

  @OptionGroup var viewing: ViewingOptions
  @OptionGroup var secrets: SecretOptions

  func run() throws {
    switch try kind() {
    case .page where against != nil:
      throw Refusal(
        "\"\(report)\" is a page, and a page is compared when it is made",
        help: "name the stream of events that --report jsonl=FILE has written"
      ).reported(.badArguments)
    case .page:
      try viewing.show("file://\(PercentEncoding.encodedPath(ReportPath(report).absolute.utf8))")
    case .events: try serve()
    }
  }

  // MARK: - The report

  private enum Kind {
    /// A page of this program.
    case page
    /// A stream of events.
    case events
  }

  /// The number of bytes at a file's beginning that tell what it is.
  private static let headLength = 256 << 10

  private func kind() throws -> Kind {
    guard report != "-" else { return .events }
    let descriptor = Glibc.open(report, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    var bytes = [UInt8](repeating: 0, count: Self.headLength)
    let count = descriptor < 0 ? -1 : read(descriptor, &bytes, bytes.count)
    let number = errno
    if descriptor >= 0 { close(descriptor) }
    guard count >= 0 else {
      throw Refusal(
        "\"\(report)\" cannot be read: \(SystemText.error(number))",
        help: "name a file that --report html=FILE or --report jsonl=FILE has written"
      ).reported(.unreadableFile)
    }
    if bytes.first == UInt8(ascii: "{") { return .events }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    guard text.hasPrefix("<!DOCTYPE html>"), text.contains("<title>scenario report</title>") else {
      throw Refusal(
        "\"\(report)\" is no report of a run",
        help: "name a file that --report html=FILE or --report jsonl=FILE has written"
      ).reported(.damagedReport)
    }
    return .page
  }

  /// Makes the page of a stream of events, and serves it.
  private func serve() throws -> Never {
    let redactor = secrets.redactor(nil)
    let sources = redactor.redacted { ImportedSource.text(of: $0) }
    let passed = try passedCases(redactor)
    let sink = MemorySink()
    _ = try EventReplay(path: report).replay {
      RecorderGroup(
        [PageRecorder(sink: sink, passed: passed, sources: sources)], redactor: redactor)
    }
    let page = PageServer.Reply(
      type: "text/html; charset=utf-8", body: .bytes(Array(sink.text.utf8)))
    let server = try viewing.server { $0.isEmpty ? page : nil }
    try viewing.show(server)
    Console.report("Ctrl-C ends\n")
    server.serve()
  }

  /// How cases were when they passed: in the run that was named, or in the last one that the project remembers.
  private func passedCases(_ redactor: SecretRedactor) throws -> (String) -> String? {
    guard let against else {
      let former = PassedCases(project: .current())
      return { former.read($0) }
    }
    var cases: [String: String] = [:]
    let recorder = PassedCaseRecorder { cases[$0] = $1 }
    _ = try EventReplay(path: against).replay { RecorderGroup([recorder], redactor: redactor) }
    return { [cases] in cases[$0] }
  }
}
