internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario show`.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Open a run in the browser: its timeline, requests and output.",
    discussion: CommandDiscussion(
      """
      Opens a page as it is if --report html=FILE wrote it. For an event stream, which --report jsonl=FILE or \
      blob=FILE wrote, it makes the page and serves it on 127.0.0.1, at a secret address, until Ctrl-C. The address \
      is printed; the browser is that of BROWSER, or that of xdg-open if there is a display. A case that did not pass is \
      compared with the last run in which it passed, if the project kept one. "scenario report show" shows an \
      event stream in the terminal.
      """,
      examples: [
        "scenario run --report html=report.html",
        "scenario show report.html",
        "scenario show run.jsonl --against passed.jsonl",
      ]
    ).rendered)

  @Argument(help: "A report: html, jsonl or blob; \"-\" is an event stream on standard input.")
  var report: String

  @Option(
    help: ArgumentHelp(
      "Compare cases that did not pass only with this event stream of a passing run.",
      valueName: "events"))
  var against: String?

  @OptionGroup(title: HelpTitle.browser) var viewing: ViewingOptions
  @OptionGroup(title: HelpTitle.values) var secrets: SecretOptions

  func run() throws {
    let (kind, opened) = try look()
    switch kind {
    case .page where against != nil:
      throw Refusal(
        "\"\(report)\" is a page, and --against works only while a page is made",
        help: "name the event stream that --report jsonl=FILE wrote"
      ).reported(.badArguments)
    case .page:
      try viewing.show("file://\(PercentEncoding.encodedPath(ReportPath(report).absolute.utf8))")
    case .events: try serve(opened)
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
  /// The number of bytes at a page's end that have its last line.
  private static let endLength = 64

  /// Looks at the beginning of the file.
  ///
  /// - Returns: what it is, and a stream of events with what was read of it: from a pipe it comes once.
  private func look() throws -> (Kind, OpenedStream?) {
    guard report != "-" else { return (.events, nil) }
    let descriptor = Glibc.open(report, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0, let head = Self.head(descriptor) else {
      let number = errno
      if descriptor >= 0 { close(descriptor) }
      throw Refusal(
        "\"\(report)\" cannot be read: \(SystemText.error(number))",
        help: "name a file that --report html=FILE or --report jsonl=FILE wrote"
      ).reported(.unreadableFile)
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = head.dropFirst(head.starts(with: mark) ? mark.count : 0)
      .drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if text.first == UInt8(ascii: "{") {
      return (.events, OpenedStream(descriptor: descriptor, head: head[...]))
    }
    defer { close(descriptor) }
    let beginning = String(decoding: text, as: UTF8.self)
    guard beginning.hasPrefix("<!DOCTYPE html>"),
      beginning.contains("<title>scenario report</title>")
    else {
      throw Refusal(
        "\"\(report)\" is not a report of a run",
        help: "name a file that --report html=FILE or --report jsonl=FILE wrote"
      ).reported(.damagedReport)
    }
    guard let end = Self.end(descriptor) else {
      throw Refusal(
        "\"\(report)\" is a page in a pipe, which a browser cannot open",
        help: "write it to a file, and name the file"
      ).reported(.badArguments)
    }
    guard end.hasSuffix("</html>") else {
      throw Refusal(
        "the page \"\(report)\" is incomplete: its end is missing",
        help: "copy it again; after a killed run, use the events of --report jsonl=FILE"
      ).reported(.damagedReport)
    }
    return (.page, nil)
  }

  /// The beginning of a file, or all that a pipe has in it at first; `nil` if it cannot be read, which leaves errno.
  private static func head(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: headLength)
    var count = 0
    // A page says what it is within its style, which may come in several pieces.
    while count < bytes.count {
      let length = bytes.withUnsafeMutableBytes { all in
        read(descriptor, all.baseAddress?.advanced(by: count), all.count - count)
      }
      if length < 0, errno == EINTR { continue }
      guard length >= 0 else { return nil }
      guard length > 0 else { break }
      count += length
    }
    return Array(bytes[..<count])
  }

  /// The last line of a file; `nil` for a pipe, which has none to look at.
  private static func end(_ descriptor: Int32) -> String? {
    let length = lseek(descriptor, 0, SEEK_END)
    guard length >= 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: endLength)
    let count = pread(
      descriptor, &bytes, bytes.count, max(0, length - off_t(endLength)))
    let end = bytes[..<max(0, count)]
    let rest = end.reversed().drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return String(decoding: rest.reversed(), as: UTF8.self)
  }

  /// Makes the page of a stream of events, and serves it.
  private func serve(_ opened: OpenedStream?) throws -> Never {
    let redactor = secrets.redactor(nil)
    let against = try passedCases(redactor)
    let sink = MemorySink()
    _ = try EventReplay(path: report, opened: opened).replay { run in
      let recorded = RecordedSources(run)
      let former = PassedCases(project: .current())
      let page = PageRecorder(
        sink: sink,
        passed: { identifier in
          guard let against else { return former.read(identifier, before: run.startedAt) }
          return against[identifier]
        },
        sources: redactor.redacted { recorded.text(of: $0) })
      return RecorderGroup([page], redactor: redactor)
    }
    let page = PageServer.Reply(
      type: "text/html; charset=utf-8", body: .bytes(Array(sink.text.utf8)))
    let server = try viewing.server { $0.isEmpty ? page : nil }
    try viewing.show(server)
    Console.report("press Ctrl-C to stop\n")
    server.serve()
  }

  /// How cases were when they passed in the run that was named; `nil` if none was.
  private func passedCases(_ redactor: SecretRedactor) throws -> [String: String]? {
    guard let against else { return nil }
    var cases: [String: String] = [:]
    let recorder = PassedCaseRecorder { cases[$0] = $1 }
    _ = try EventReplay(path: against).replay { _ in
      RecorderGroup([recorder], redactor: redactor)
    }
    return cases
  }
}
