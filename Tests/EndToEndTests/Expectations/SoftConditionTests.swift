import Testing

@Suite("Every condition that does not hold is reported, in every report")
struct SoftConditionTests {
  private static let text = """
    version: 2
    name: several
    target: { command: [bash, -c, 'echo what bob says here today; echo "{\\"total\\": 4, \\"name\\": \\"bob\\"}" > a.json'] }
    expect:
      stdout:
        contains: ada
        not: { contains: bob }
        line_count: 3
        all_of: [{ contains: what }, { contains: never }]
      files:
        a.json: { json: { $.total: 3, $.name: ada } }
    """
  /// Where each stands, what it says and what was there.
  private static let told = [
    ("6:15", "stdout: expected text that contains \"ada\"", "\"what bob says here today\\n\""),
    ("7:10", "stdout: expected something that does not contain \"bob\"", "the same"),
    ("8:17", "stdout: number of lines: expected 3", "1"),
    ("9:46", "stdout: expected text that contains \"never\"", "the same"),
    ("11:32", "a.json: $.total: expected 3", "4"),
    ("11:43", "a.json: $.name: expected \"ada\"", "\"bob\""),
  ]
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(
    _ text: String
  ) throws -> (outcome: BuiltRunner.Outcome, reports: [String: String]) {
    let path = folder.write(text, to: "s.yaml")
    let names = ["junit", "html", "jsonl", "ctrf", "tap"]
    let outcome = try BuiltRunner.run(
      ["run", path] + names.flatMap { ["--report", "\($0)=\(folder.path)/r.\($0)"] })
    var reports = ["terminal": outcome.output]
    for name in names { reports[name] = TemporaryFolder.read("\(folder.path)/r.\(name)") ?? "" }
    return (outcome, reports)
  }

  /// The text without the ways in which reports escape it.
  private func plain(_ text: String) -> String {
    text.replacing("&quot;", with: "\"").replacing("\\\"", with: "\"")
      .replacing("\\\\", with: "\\")
  }

  @Test("Each has its place, its message and what was there")
  func all() throws {
    let (outcome, reports) = try run(Self.text)

    outcome.expectExit(1)
    for (place, message, actual) in Self.told {
      #expect(outcome.output.contains("s.yaml:\(place): error: \(message)\n"), "\(outcome.text)")
      #expect(outcome.output.contains("^ \(actual)\n"), "\(outcome.text)")
      for (name, report) in reports {
        #expect(plain(report).contains(message), "\(name): \(message) in \(report)")
      }
    }
    #expect(reports["junit"]?.contains("also failed (5 more): ") == true)
    let places = Self.told.map { "s.yaml:\($0.0)" }
    #expect(places.allSatisfy { reports["junit"]?.contains($0) == true })
    // One element, whatever there is to tell.
    #expect(reports["junit"]?.split(separator: "<failure ").count == 2)
  }

  @Test("What holds is reported nowhere")
  func twin() throws {
    let (outcome, reports) = try run(
      Self.text.replacing("contains: ada", with: "contains: bob")
        .replacing("    not: { contains: bob }\n", with: "").replacing("count: 3", with: "count: 1")
        .replacing("contains: never", with: "contains: says")
        .replacing("total: 3, $.name: ada", with: "total: 3, $.name: bob"))

    outcome.expectExit(1)
    #expect(reports["junit"] != nil && reports["html"] != nil)
    for (name, report) in reports {
      #expect(plain(report).contains("a.json: $.total: expected 3"), "\(name)")
      for (_, message, _) in Self.told where !message.contains("total") {
        #expect(!plain(report).contains(message), "\(name): \(message)")
      }
    }
  }
}
