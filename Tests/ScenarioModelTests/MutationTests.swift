import Foundations
import ScenarioModel
import ScenarioSyntax
import Testing

/// Input that nobody wrote on purpose must give messages and never end the program.
@Suite struct MutationTests {
  private static let seedText = """
    version: 2
    target: { command: [a, "${{ build.x.y[0] }}"], env: { A: &e "b\\n" }, files: { a: { json: { $build: u } } } }
    clock: { at: 1955-11-12T06:38:00Z, flow: held }
    factories: { u: { fields: { id: { $seq: { start: 1 } }, n: 'é' } } }
    responses:
      - GET https://a.example/{id}: { json: [1, -2.5e3, null], after: 1h30m }
      - { query: A, reply: [ { data: { a: *e } } ] }
    chaos: [ { call: fsync, when: { skip: 2 }, provide: { error: EIO } } ]
    steps:
      - travel: { to: +14d, steps: [ { tick: next } ] }
      - run:
          - |
            text ${{ lower('x') }}
        expect: { exit: 0, stdout: { json: { $.a: { between: [1, 2] } } } }
    """

  /// A small generator with a fixed seed: each run tries the same texts.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  @Test("A file that is refused says why, whatever its bytes", arguments: 0..<8)
  func survivesMutations(seed: UInt64) {
    var generator = Generator(state: seed)
    let pieces = [
      "{", "}", "[", "]", ":", "- ", "\n", "\t", "&x ", "*x", "<<: ", "${{", "}}", "'", "\"", "|",
      "!", "\0",
    ]
    for _ in 0..<250 {
      var bytes = Array(Self.seedText.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2:
          bytes.insert(
            contentsOf: pieces.randomElement(using: &generator)?.utf8 ?? "".utf8, at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
        }
      }
      let result = ScenarioFile.parse(bytes: bytes, path: "f")
      #expect((result.file == nil) == result.diagnostics.contains { $0.severity == .error })
      let text = String(decoding: bytes, as: UTF8.self)
      let renderer = DiagnosticRenderer { _ in text }
      #expect(renderer.render(result.diagnostics).isEmpty == result.diagnostics.isEmpty)
    }
  }

  @Test("The text that is mutated is itself in order")
  func startsFromOrder() {
    #expect(parse(Self.seedText).messages.isEmpty)
  }
}
