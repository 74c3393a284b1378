import Foundations
import Testing

@testable import ScenarioReport

@Suite("Formats of diagnostics")
struct DiagnosticFormatTests {
  private static let text = "name: 😀 usr: x\nname: b\n"

  private static var list: DiagnosticList {
    let range = SourceRange(file: "a b,c:d%.yaml", line: 1, column: 9, length: 3)
    let first = SourceRange(file: "a b,c:d%.yaml", line: 2, column: 1, length: 4)
    return DiagnosticList([
      Diagnostic(
        "unknown \"usr\"\nat 100%", code: .unknownKey, at: range, help: "did you, mean \"user\"?",
        fix: DiagnosticFix(replacing: range, with: "user"),
        notes: [Diagnostic.Note("first: here", at: first)]),
      Diagnostic("no place", code: .unused, at: nil),
    ]) { _ in nil }
  }

  private func document(_ format: DiagnosticFormat) throws -> String {
    try #require(
      format.document(Self.list, version: "1.2.3") { SourceText(path: $0, text: Self.text) })
  }

  @Test("Workflow commands escape what ends them")
  func github() throws {
    #expect(
      try document(.github) == """
        ::error file=a b%2Cc%3Ad%25.yaml,line=1,endLine=1,col=9,endColumn=12,title=E021::unknown "usr"%0Aat 100%25%0Anote: first: here (a b,c:d%25.yaml:2:1)%0Ahelp: did you, mean "user"?
        ::warning title=W010::no place

        """)
  }

  @Test("JSON has columns in scalars and in UTF-16, and the fix")
  func json() throws {
    let text = try document(.json)

    #expect(text.contains("\"errors\": 1,\n  \"warnings\": 1,\n  \"omitted\": 0,"))
    #expect(text.contains("\"code\": \"E021\""))
    #expect(text.contains("\"column\": 9,\n        \"endLine\": 1,\n        \"endColumn\": 12,"))
    #expect(text.contains("\"column\": 10,\n          \"endColumn\": 13"), "\(text)")
    #expect(text.contains("\"text\": \"user\""))
    #expect(text.contains("\"range\": null,\n      \"help\": null,\n      \"fix\": null"))
  }

  @Test("SARIF has the rules that were broken, places and changes")
  func sarif() throws {
    let text = try document(.sarif)

    #expect(text.contains("\"version\": \"2.1.0\""))
    #expect(text.contains("\"uri\": \"a%20b%2Cc%3Ad%25.yaml\""))
    #expect(text.contains("\"ruleId\": \"W010\",\n          \"ruleIndex\": 1,"))
    #expect(text.contains("\"insertedContent\": {"))
    #expect(text.contains("\"relatedLocations\": ["))
    #expect(text.contains("\"columnKind\": \"unicodeCodePoints\""))
    // What has no place has no locations.
    #expect(text.occurrences(of: "\"locations\"") == 1)
    #expect(text.occurrences(of: "\"fixes\"") == 1)
  }

  @Test("Paths become references")
  func paths() {
    #expect(URIPath.text(of: "/tmp/é.yaml") == "file:///tmp/%C3%A9.yaml")
    #expect(URIPath.text(of: "a/b-c_d.yaml") == "a/b-c_d.yaml")
    #expect(URIPath.text(of: "a\nb") == "a%0Ab")
  }

  @Test("Nothing found is a document all the same")
  func nothing() throws {
    let none = DiagnosticList([]) { _ in nil }
    func document(_ format: DiagnosticFormat) -> String? {
      format.document(none, version: "1") { _ in nil }
    }

    #expect(document(.github) == "")
    #expect(document(.json)?.contains("\"diagnostics\": []") == true)
    #expect(document(.sarif)?.contains("\"results\": []") == true)
    #expect(document(.text) == nil)
  }

  @Test("A file that cannot be read is a suite with an error, warnings aside")
  func junit() throws {
    let sink = CollectingSink()
    try InvalidInputReport.write(
      Self.list, renderer: DiagnosticRenderer { _ in Self.text }, to: .sink(sink),
      dialect: .jenkins)
    let text = sink.text

    #expect(text.contains("<testsuites name=\"scenario\" tests=\"1\" failures=\"0\" errors=\"1\""))
    #expect(text.contains("<testsuite name=\"a b,c:d%.yaml\""))
    #expect(text.contains("type=\"E021\""))
    #expect(text.contains("^^^\n"))
    #expect(!text.contains("no place"))
  }
}

extension String {
  fileprivate func occurrences(of text: String) -> Int {
    var count = 0
    var rest = self[...]
    while let start = rest.indices.first(where: { rest[$0...].hasPrefix(text) }) {
      count += 1
      rest = rest[rest.index(after: start)...]
    }
    return count
  }
}
