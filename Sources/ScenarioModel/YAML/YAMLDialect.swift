/// Finds what libyaml, which reads YAML 1.1, takes for something else than YAML 1.2 says.
///
/// Each of these is refused: whichever of both readings an author means, quotes or a blank say it to every reader.
/// Events must be shown in their order.
struct YAMLDialect {
  private let source: SourceText
  /// Where the cursor stands: a scalar of the text, and the byte at which it begins.
  private var index = 0
  private var offset = 0
  /// Where the event before has ended.
  private var end = 0
  /// Where the event before has begun, if it is a map.
  private var map: Int?
  /// Which of the lists and maps that are open stand in brackets or braces.
  private var flows: [Bool] = []

  init(source: SourceText) {
    self.source = source
  }

  /// What is wrong in front of an event, or with its name; `nil` if nothing is.
  mutating func problem(at event: YAMLEvent) -> Diagnostic? {
    let start = byteOffset(of: event.start.index)
    let problem =
      tightComment(in: end..<max(end, start)) ?? questionMark(before: start, event)
      ?? name(of: event, at: start)
    map = nil
    switch event.kind {
    case .mappingStart(let properties):
      flows.append(properties.isFlow)
      map = start
    case .sequenceStart(let properties): flows.append(properties.isFlow)
    case .sequenceEnd, .mappingEnd: _ = flows.popLast()
    default: break
    }
    end = max(end, byteOffset(of: event.end.index))
    return problem
  }

  /// Moves the cursor; marks hardly ever go back, so that a text is walked along once.
  private mutating func byteOffset(of target: Int) -> Int {
    let bytes = source.bytes
    while index < target, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      index += 1
    }
    while index > target, offset > 0 {
      offset -= 1
      while offset > 0, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
      index -= 1
    }
    return offset
  }

  // MARK: - Comments

  /// `[a, b,#c`: a comment must be parted from what stands in front of it (YAML 1.2, section 6.6).
  private func tightComment(in gap: Range<Int>) -> Diagnostic? {
    let place = source.bytes.withUnsafeBufferPointer { bytes -> Int? in
      var offset = gap.lowerBound
      while offset < gap.upperBound {
        guard bytes[offset] == UInt8(ascii: "#") else {
          offset += 1
          continue
        }
        if offset > 0, !Self.isBlank(bytes[offset - 1]) { return offset }
        while offset < gap.upperBound, bytes[offset] != 0x0A, bytes[offset] != 0x0D { offset += 1 }
      }
      return nil
    }
    return place.map {
      Diagnostic(
        "a \"#\" stands directly behind other text", code: .needsQuotes, at: range(at: $0),
        help: "put a blank in front of a comment; text that begins with \"#\" must be in quotes")
    }
  }

  // MARK: - Keys

  /// `{ ?foo: bar }`: directly in front of text the sign is a part of it (YAML 1.2, section 7.3.3).
  private func questionMark(before start: Int, _ event: YAMLEvent) -> Diagnostic? {
    // A map that is an element of a list begins with the sign itself.
    guard flows.last == true, start > end || start > 0 && map == start - 1,
      source.bytes[start - 1] == UInt8(ascii: "?"),
      event.start != event.end
    else { return nil }
    switch event.kind {
    case .scalar, .alias, .sequenceStart, .mappingStart: break
    default: return nil
    }
    var word = range(at: start - 1)
    if case .scalar(_, .plain, _) = event.kind, event.start.line == event.end.line {
      word.length = event.end.column - event.start.column + 1
    }
    let text = source.text(at: word)
    return Diagnostic(
      "a \"?\" stands directly in front of a value", code: .needsQuotes, at: word,
      help: "put text that begins with \"?\" into quotes, as in \"\(text ?? "?")\"",
      fix: text.flatMap { text in
        word.length > 1 && !text.contains("\"") && !text.contains("\\")
          ? DiagnosticFix(replacing: word, with: "\"\(text)\"", confidence: .likely) : nil
      })
  }

  // MARK: - Names

  /// `&an:chor value`: libyaml ends the name at a sign that belongs to it by YAML 1.2, section 6.9.2.
  private func name(of event: YAMLEvent, at start: Int) -> Diagnostic? {
    let bytes = source.bytes
    var sign = start
    let name: String
    switch event.kind {
    case .alias(let alias): name = alias
    case .scalar(_, _, let properties), .sequenceStart(let properties),
      .mappingStart(let properties):
      guard let anchor = properties.anchor else { return nil }
      name = anchor
      // A tag may stand in front.
      while sign < bytes.count, bytes[sign] != UInt8(ascii: "&") { sign += 1 }
    default: return nil
    }
    let end = sign + 1 + name.utf8.count
    guard end < bytes.count, !Self.isBlank(bytes[end]), !",[]{}".utf8.contains(bytes[end])
    else { return nil }
    let isAlias = if case .alias = event.kind { true } else { false }
    var last = end
    while last < bytes.count, !Self.isBlank(bytes[last]) { last += 1 }
    let whole = String(decoding: bytes[sign..<last], as: UTF8.self)
    var place = range(at: sign)
    place.length = whole.unicodeScalars.count
    return Diagnostic(
      "the name of an \(isAlias ? "alias" : "anchor") cannot hold \"\(letter(at: end))\"",
      code: .badAlias, at: place,
      help: "write letters, digits, \"_\" and \"-\", and a blank behind the name")
  }

  private func letter(at offset: Int) -> String {
    let bytes = source.bytes
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return String(decoding: bytes[offset..<end], as: UTF8.self)
  }

  // MARK: - Places

  /// Blanks and line ends.
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// One column at a byte.
  private func range(at offset: Int) -> SourceRange {
    var (low, high) = (0, source.lineStarts.count)
    while low < high {
      let middle = (low + high) / 2
      if source.lineStarts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    let start = source.lineStarts[max(0, low - 1)]
    let column = source.bytes[start..<offset].count { $0 & 0xC0 != 0x80 }
    return SourceRange(file: source.path, line: max(1, low), column: column + 1)
  }
}
