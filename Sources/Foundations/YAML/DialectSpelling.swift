/// Makes libyaml, which reads YAML 1.1, read `{ ?foo: bar }` and `&an:chor` as YAML 1.2 does.
///
/// A last line of blanks gets the line end that it lacks: libyaml would take the blanks for text of
/// a block (`|`), while an empty line of a block is one by YAML 1.2 however many blanks it has
/// (section 8.1.1.1).
///
/// A sign that libyaml takes for one of its own is replaced by a letter, and put back in libyaml's
/// events: every place stays the same. The places of such signs are not guessed from the text:
/// libyaml itself is asked, which knows what is quoted, a comment or a block, up to the first sign
/// that it misreads, and then again behind it.
struct DialectSpelling {
  /// The bytes that libyaml reads, at the same places as the text.
  let bytes: [UInt8]
  /// The text.
  private let original: [UInt8]
  /// The offsets at which a letter replaces a question mark that begins a text.
  private let questionMarks: Set<Int>
  /// True if anything was replaced.
  let isNeeded: Bool

  private init(
    _ original: [UInt8], questionMarks: Set<Int> = [], names: [Range<Int>] = []
  ) {
    self.original = original
    self.questionMarks = questionMarks
    isNeeded = !questionMarks.isEmpty || !names.isEmpty
    var bytes = original
    for offset in questionMarks { bytes[offset] = UInt8(ascii: "q") }
    for offset in names.joined() where !YAMLDialect.isWordByte(bytes[offset]) {
      bytes[offset] = UInt8(ascii: "_")
    }
    if Self.endsWithBlanks(original) { bytes.append(UInt8(ascii: "\n")) }
    self.bytes = bytes
  }

  /// Returns whether the last line has no end, and nothing but blanks.
  private static func endsWithBlanks(_ bytes: [UInt8]) -> Bool {
    guard bytes.last == UInt8(ascii: " "),
      let last = bytes.last(where: { $0 != UInt8(ascii: " ") })
    else { return false }
    return last == 0x0A || last == 0x0D
  }

  /// The maximum number of bytes that are read to find the signs; what is left then is refused.
  private static let readLimit = 64 << 20

  /// Finds the signs of a text.
  static func found(in original: [UInt8]) -> DialectSpelling {
    var spelling = DialectSpelling(original)
    guard mayDiffer(original) else { return spelling }
    let source = SourceText(path: "", bytes: original)
    var questionMarks: Set<Int> = []
    var names: [Range<Int>] = []
    // What was replaced already, and is still in libyaml's way, is a mistake.
    var known: Set<YAMLDialect.Misreading> = []
    for _ in 0..<max(2, readLimit / max(1, original.count)) {
      let found = misreadings(of: source, as: spelling).filter { known.insert($0).inserted }
      guard !found.isEmpty else { break }
      for misreading in found {
        switch misreading {
        case .questionMark(let offset): questionMarks.insert(offset)
        case .name(let range): names.append(range)
        }
      }
      spelling = DialectSpelling(original, questionMarks: questionMarks, names: names)
    }
    return spelling
  }

  /// Returns the misreadings that are known from one reading.
  private static func misreadings(
    of source: SourceText, as spelling: DialectSpelling
  ) -> [YAMLDialect.Misreading] {
    var found: [YAMLDialect.Misreading] = []
    var dialect = YAMLDialect(source: source)
    do throws(YAMLStreamFailure) {
      var stream = try YAMLEventStream(spelling)
      while true {
        let event = try stream.next()
        if let misreading = dialect.misreading(at: event) {
          found.append(misreading)
          // From here on libyaml may read everything otherwise.
          guard misreading.endsWhereItSeemsTo(in: source.bytes) else { return found }
        }
        if case .streamEnd = event.kind { return found }
      }
    } catch {
      if let misreading = dialect.misreading(behind: error),
        spelling.bytes[misreading.start] == source.bytes[misreading.start]
      {
        found.append(misreading)
      }
      return found
    }
  }

  /// Returns whether there may be such a sign, by the bytes alone.
  private static func mayDiffer(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      for offset in bytes.indices {
        let byte = bytes[offset]
        guard byte == UInt8(ascii: "?") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "*"),
          offset + 1 < bytes.count, !YAMLDialect.endsName(bytes[offset + 1]),
          offset == 0 || YAMLDialect.endsName(bytes[offset - 1])
        else { continue }
        if byte == UInt8(ascii: "?") { return true }
        var end = offset + 1
        while end < bytes.count, YAMLDialect.isWordByte(bytes[end]) { end += 1 }
        if end < bytes.count, !YAMLDialect.endsName(bytes[end]) { return true }
      }
      return false
    }
  }

  // MARK: - Putting back

  /// The text of a scalar without quotes, as it is written.
  ///
  /// - Parameter range: where it stands with its properties.
  func restored(_ text: String, in range: Range<Int>) -> String {
    // All of them stand in a row at its beginning.
    let count = range.count { questionMarks.contains($0) }
    // By scalars: a combining mark may stand behind the sign.
    let rest = String.UnicodeScalarView(text.unicodeScalars.dropFirst(count))
    return String(repeating: "?", count: count) + String(rest)
  }

  /// The name of an alias, or of the anchor in front of a node, as it is written.
  ///
  /// - Parameter start: where the alias, or the node's first property, stands.
  func restoredName(_ name: String, at start: Int, sign: UInt8) -> String {
    var offset = start
    while offset < original.count, original[offset] != sign { offset += 1 }
    let range = (offset + 1)..<min(original.count, offset + 1 + name.utf8.count)
    return range.isEmpty ? name : String(decoding: original[range], as: UTF8.self)
  }
}
