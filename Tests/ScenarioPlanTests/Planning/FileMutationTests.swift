import Foundations
import ScenarioCompiler
import ScenarioModel
import ScenarioSyntax
import Testing

/// Files that nobody wrote on purpose give messages and never end the program; `make fuzz` goes on where
/// this ends.
@Suite("Mutated files")
struct FileMutationTests {
  /// A small generator with a fixed seed: each run tries the same texts.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  private static let examples = DiagnosticCode.allCases.flatMap { code in
    [code.explanation.wrong, code.explanation.right].compactMap { $0?.fileText }
  }

  /// What a mutation puts in: signs of YAML and of expressions, and words that lead to rare ways.
  private static let pieces = [
    "{", "}", "[", "]", ": ", "- ", "\n", "\n  ", "\t", "&x ", "*x", "<<: ", "${{ ", " }}", "'",
    "\"", "|\n", "!", "\0", "\\ud83d\\ude00", "$build: ", "$list: ", "count: 9", "self.", "parent.",
    "9223372036854775807", "-1", "1e308", "null", "\u{301}", "日本", "\u{FEFF}",
  ]

  @Test("Whatever its bytes, a file is planned or refused with messages", arguments: 0..<6)
  func survives(seed: UInt64) throws {
    var generator = Generator(state: seed)
    for example in Self.examples where Bool.random(using: &generator) {
      var bytes = Array(example.utf8)
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        let place = Int.random(in: 0..<max(1, bytes.count), using: &generator)
        guard place < bytes.count else { continue }
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 12))
        case 3:
          // A piece of another file.
          let other = Array((Self.examples.randomElement(using: &generator) ?? "").utf8)
          bytes.insert(contentsOf: other.suffix(30), at: place)
        default:
          bytes.insert(
            contentsOf: Array((Self.pieces.randomElement(using: &generator) ?? "").utf8), at: place)
        }
      }
      try check(bytes)
    }
  }

  private func check(_ bytes: [UInt8]) throws {
    let (file, read) = ScenarioFile.parsePart(bytes: bytes, path: "f")
    let isRefused = read.contains { $0.severity == .error }
    #expect(file != nil || isRefused)
    var found = read
    if let file {
      let (plan, diagnostics) = Planner.plan(
        files: [file], options: PlannerOptions(fileExists: { _ in true }))
      #expect((plan == nil) == diagnostics.contains { $0.severity == .error })
      found += diagnostics
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let source = SourceText(path: "f", text: text)
    let list = DiagnosticList(found) { _ in source }
    let shown = DiagnosticRenderer { _ in text }.render(list.shown)
    #expect(shown.isEmpty == found.isEmpty)
    // Nothing of the file can steer a terminal.
    #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" })
    // Fixes change places of the text and nothing else.
    let mended = FixedText(bytes, path: "f", fixes: list.certainFixes)
    guard mended.count > 0 else {
      #expect(mended.bytes == bytes)
      return
    }
    #expect(String(validating: mended.bytes, as: UTF8.self) != nil)
  }

  @Test(
    "What the fuzzer has found is a mistake and no trap",
    arguments: ["request.method + nope", "nope + request.method", "[request.method, nope]"])
  func found(expression: String) throws {
    let text = """
      version: 2
      target: { command: [date] }
      responses: [{ GET https://api.example.com/: { text: "${{ json(\(expression)) }}" } }]

      """
    let (file, diagnostics) = ScenarioFile.parse(text: text, path: "f")
    let options = PlannerOptions(fileExists: { _ in true })
    let planned = Planner.plan(files: [try #require(file)], options: options)

    #expect(diagnostics.isEmpty)
    #expect(planned.diagnostics.map(\.message).contains("unknown name \"nope\""))
  }

  @Test("There are files to begin with")
  func count() {
    #expect(Self.examples.count > 150)
  }
}
