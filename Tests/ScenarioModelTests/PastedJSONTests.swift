@testable import Foundations
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite("Pasted JSON")
struct PastedJSONTests {
  /// What stands at a key of `build`, by a file that is YAML around the JSON.
  private func value(_ json: String) throws -> DataNode.Content {
    let text = "version: 2\ntarget: { command: [date] }\nbuild: { a: \(json) }\n"
    let (file, diagnostics) = ScenarioFile.parse(text: text, path: "f")
    #expect(diagnostics.map(\.message) == [])
    return try #require(file?.defaults.builds.first?.value.content)
  }

  @Test(
    "Escapes mean what they mean in JSON",
    arguments: [
      (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00!""#, "😀!"), (#""a\/b""#, "a/b"),
      (#""\u00e9""#, "é"), (#""\\ud83d\\ude00""#, #"\ud83d\ude00"#),
      (#""\\\ud83d\ude00""#, #"\😀"#), (#""\ud83d\ude00\ud83d\ude01""#, "😀😁"),
      (#"'\ud83d\ude00'"#, #"\ud83d\ude00"#), (#""\"\b\f\n\r\t""#, "\"\u{8}\u{c}\n\r\t"),
    ])
  func escapes(json: String, text: String) throws {
    #expect(try value(json) == .literal(.string(text)))
  }

  @Test("Half of a pair is no character")
  func halves() {
    for json in [#""\ud83d""#, #""\ude00\ud83d""#, #""\ud83dx\ude00""#] {
      let text = "version: 2\nname: \(json)\n"
      let found = ScenarioFile.parse(text: text, path: "f").diagnostics
      #expect(found.map(\.code) == [.badEscape], "\(json)")
    }
  }

  @Test("Columns behind an escape are those of the file")
  func columns() {
    let text = "version: 2\nbuild: { a: \"\\ud83d\\ude00\", b: { $uid: 1 } }\n"
    let found = ScenarioFile.parse(text: text, path: "f").diagnostics

    #expect(found.map(\.range?.column) == [34])
    // In a plain text it is text, whatever stands around.
    let plain = "version: 2\nname: a\\ud83d\\ude00\nseed: x\0\n"
    let control = ScenarioFile.parse(text: plain, path: "f").diagnostics
    #expect(control.map { [$0.range?.line, $0.range?.column] } == [[3, 8]])
  }

  @Test("Numbers stay as they are written where text is meant")
  func numbers() throws {
    let text =
      #"{"version": 1, "target": {"command": ["x", 1.0, 1.10, 1e3, 12345678901234567890]}}"#
    let file = try #require(ScenarioFile.parse(text: text, path: "f").file)
    guard case .arguments(let words)? = file.defaults.target?.command else {
      Issue.record("the command is no list")
      return
    }

    #expect(
      words.map(\.content)
        == ["x", "1.0", "1.10", "1e3", "12345678901234567890"].map { .literal(.string($0)) })
  }

  @Test("A number that 64 bits cannot hold is no data, and is not rounded")
  func bigNumbers() throws {
    #expect(try value("9223372036854775807") == .literal(.integer(.max)))
    #expect(try value("1.0") == .literal(.number(1)))
    let text = #"{"version": 1, "build": {"a": 9223372036854775808}}"#
    let found = ScenarioFile.parse(text: text, path: "f").diagnostics
    #expect(found.map(\.message) == ["the number 9223372036854775808 is out of range"])
    #expect(found.map(\.range?.column) == [31])
  }

  @Test("A file that is JSON as a whole may have long keys, tabs and any line end")
  func whole() throws {
    let key = String(repeating: "k", count: 2000)
    let text =
      "\u{FEFF}{\r\n\t\"version\": 1,\r\n\t\"build\": {\"\(key)\": \"\\ud83d\\ude00\"}\r\n}\r\n"
    let (file, diagnostics) = ScenarioFile.parse(text: text, path: "f")

    #expect(diagnostics.map(\.message) == [])
    #expect(file?.defaults.builds.first?.key.value == key)
    #expect(file?.defaults.builds.first?.value.content == .literal(.string("😀")))
  }
}
