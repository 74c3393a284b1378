import Foundations
import ScenarioEvents

/// Texts made of bytes that reports have trouble with; the same seed gives the same texts.
struct ByteSoup {
  private static let morsels: [[UInt8]] = [
    [0x00], [0x01], [0x08], [0x0B], [0x1B], [0x7F], [0x0D], [0x0D, 0x0A], [0x0A], [0x09], [0x20],
    // CSI, OSC, DCS and APC, whole and cut off.
    Array("\u{1B}[31m".utf8), Array("\u{1B}[".utf8), Array("\u{1B}[1;".utf8), [0x9B, 0x31, 0x6D],
    Array("\u{1B}]0;title\u{07}".utf8), Array("\u{1B}]8;;http://a\u{1B}\\".utf8),
    Array("\u{1B}]0;ti".utf8), Array("\u{1B}Pq#0\u{1B}\\".utf8), Array("\u{1B}P".utf8),
    Array("\u{1B}_x".utf8), [0xC2, 0x9B], [0xC2, 0x9D, 0x61], [0xC2, 0x85], [0xC2, 0x9C],
    // What XML gives a meaning to.
    Array("]]>".utf8), Array("<![CDATA[".utf8), Array("&amp;".utf8), Array("&#0;".utf8),
    Array("<!--".utf8), Array("--".utf8), Array("<?xml?>".utf8), Array("\"'<>&".utf8),
    // U+FFFE, U+FFFF, a byte order mark, and characters beyond the first plane.
    [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF], [0xEF, 0xBB, 0xBF], [0xF0, 0x9F, 0x98, 0x80],
    [0xF4, 0x8F, 0xBF, 0xBF], [0xCC, 0x81],
    // Surrogates, overlong forms, what is beyond Unicode, and characters cut off.
    [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0xAF],
    [0xF0, 0x80, 0x80, 0xAF], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE],
    [0xFF], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3], [0x80], [0xBF],
    Array("[[ATTACHMENT|x]]".utf8), Array("::error::x".utf8), Array("x".utf8), Array("7".utf8),
  ]

  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
  }

  private mutating func next(below bound: Int) -> Int {
    // xorshift64*
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % bound
  }

  /// The next bytes: morsels, and now and then any byte at all.
  mutating func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<next(below: 12) {
      if next(below: 5) == 0 {
        bytes.append(UInt8(next(below: 256)))
      } else {
        bytes += Self.morsels[next(below: Self.morsels.count)]
      }
    }
    return bytes
  }

  /// The next bytes as the runner hands them on.
  mutating func text() -> String {
    String(decoding: bytes(), as: UTF8.self)
  }

  /// A run with such texts wherever a text stands.
  mutating func run() -> SampleRun {
    var run = SampleRun(caseCount: 8, hostname: text())
    for index in 0..<6 {
      var failure = Failure.wrongOutput
      failure.type = text()
      failure.message = text()
      failure.actual = text()
      failure.details = [text(), text()]
      failure.help = text()
      failure.range?.file = text()
      failure.category = index.isMultiple(of: 2) ? .expectation : .error
      let outcomes: [CaseResult.Outcome?] = [.passed, .failed, .errored, .skipped, nil, .failed]
      let isBad = outcomes[index] == .failed || outcomes[index] == .errored
      run.addCase(
        text(), file: index == 0 ? "a/b.yaml" : text(), outcome: outcomes[index],
        failures: isBad ? [failure] : [], warnings: [text()], output: text(),
        errorOutput: text(), directory: text(), index: index)
    }
    run.addFlakyCase(text(), output: text(), index: 6)
    run.append(.failed(Failure(category: .error, type: text(), message: text())))
    run.end()
    return run
  }
}
