import FoundationEssentials
import ScenarioReport
import Testing

/// A report in a folder of its own, to be opened in a headless browser.
struct BrowserPage {
  /// What a look at it gave.
  struct Look: Codable {
    /// What the `eval` steps gave, as JSON.
    var results: [String] = []
    var problems: [String]
    var requests: [String]

    enum CodingKeys: CodingKey {
      case problems, requests
    }
  }

  private let folder: TemporaryFolder
  private var path: String { folder.path + "/report.html" }

  /// Writes the report of a run, changed in some way.
  init(
    _ run: SampleRun, round: Int? = nil, change: (String) -> String = { $0 },
    passed: @escaping (String) -> String? = { _ in nil }
  ) throws {
    folder = try TemporaryFolder()
    let source = String(repeating: "key: value\n", count: 20)
    let collected = CollectingSink()
    try run.play(
      to: PageRecorder(sink: collected, round: round, passed: passed, sources: { _ in source }))
    let sink = try FileSink(path: folder.path + "/report.html")
    try sink.write(change(collected.text))
    try sink.finish()
  }

  /// A script of Tests/Browser as a step.
  static func script(_ name: String) -> String? {
    TextFile.read("\(Command.root)/Tests/Browser/\(name)").map { "eval:\($0)" }
  }

  /// A step that waits until all cases were searched.
  static let searched = """
    eval:new Promise((done) => {
      const look = () => document.querySelector('.bar [role=status]').textContent.includes('searching')
        ? setTimeout(look, 10) : done(0);
      look();
    })
    """

  /// Writes a document.
  init(document: String) throws {
    folder = try TemporaryFolder()
    try TextFile.write(document, to: folder.path + "/report.html")
  }

  /// Does what the steps say; see Tests/Browser/look.py.
  func look(
    _ steps: [String], options: [String] = [], in browser: Browser = .standard
  ) throws -> Look {
    try Self.look(["look.py", path], steps, options, browser)
  }

  /// The same with this page and then others, which are served as those of `scenario ui`; see Tests/Browser/rounds.py.
  ///
  /// - Parameter event: what the page hears of the run.
  func look(_ steps: [String], before others: [BrowserPage], event: String) throws -> Look {
    try Self.look(
      ["rounds.py", event, path] + others.map(\.path) + ["--"], steps, [], .standard)
  }

  private static func look(
    _ command: [String], _ steps: [String], _ options: [String], _ browser: Browser
  ) throws -> Look {
    let words = (command.dropFirst() + ["--browser", browser.rawValue] + options + steps).map {
      "'\($0.replacing("'", with: "'\\''"))'"
    }
    let (status, output) = Command.run(
      "python3 \(Command.root)/Tests/Browser/\(command[0]) \(words.joined(separator: " "))")
    try #require(status == 0, "\(output)")
    let lines = output.split(separator: "\n").map(String.init)
    let last = try #require(lines.last)
    var look = try JSONDecoder().decode(Look.self, from: Data(last.utf8))
    look.results = Array(lines.dropLast())
    return look
  }
}
