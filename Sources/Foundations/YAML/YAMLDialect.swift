/// Finds what libyaml, which reads YAML 1.1, takes for something else than YAML 1.2 says.
///
/// Text that `DialectSpelling` has not translated is refused: quotes or a blank make it clear to every reader.
/// Events must be shown in their order.
struct YAMLDialect {
  /// A sign that libyaml takes for one of its own.
  enum Misreading: Hashable {
    /// A question mark that begins a text, at this byte.
    case questionMark(Int)
    /// A name that goes on where libyaml ends it: all of its bytes, without the sign in front.
    case name(Range<Int>)

    /// The offset at which it begins.
    var start: Int {
      switch self {
      case .questionMark(let offset): offset
      case .name(let range): range.lowerBound
      }
    }

    /// Returns whether what it belongs to ends where libyaml takes its end to be.
    func endsWhereItSeemsTo(in bytes: [UInt8]) -> Bool {
      guard case .questionMark(let offset) = self else { return false }
      return offset + 1 < bytes.count && YAMLDialect.isWordByte(bytes[offset + 1])
    }
  }

  private let source: SourceText
  private var cursor = ByteCursor()
  /// The offset at which the event before has ended.
  private var end = 0
  /// The offset of the event before, if it is a map.
  private var map: Int?
  /// Whether each of the open lists and maps is in brackets or braces.
  private var flows: [Bool] = []

  init(source: SourceText) {
    self.source = source
  }

  /// Returns the mistake in front of an event, or in its name; `nil` if there is none.
  ///
  /// - Returns: The mistake, and whether it is one of a comment, behind which all is read as it is
  ///   meant.
  mutating func problem(at event: YAMLEvent) -> (diagnostic: Diagnostic, isComment: Bool)? {
    let start = byteOffset(of: event.start.index)
    let problem =
      tightComment(in: end..<max(end, start)).map { ($0, true) }
      ?? questionMark(before: start, event).map { (refusal(ofQuestionMark: $0, event), false) }
      ?? cutName(of: event, at: start).map { (refusal(ofName: $0, event), false) }
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

  /// Returns the sign in front of an event, or in its name, that a letter may encode; `nil` if
  /// there is none.
  mutating func misreading(at event: YAMLEvent) -> Misreading? {
    let start = byteOffset(of: event.start.index)
    defer { _ = problem(at: event) }
    if let offset = questionMark(before: start, event) {
      guard offset + 1 < source.bytes.count, !Self.endsName(source.bytes[offset + 1]) else {
        return nil
      }
      return .questionMark(offset)
    }
    return cutName(of: event, at: start).flatMap { name(behind: $0.sign) }
  }

  /// The sign because of which libyaml could not go on; `nil` if it is another reason.
  mutating func misreading(behind failure: YAMLStreamFailure) -> Misreading? {
    let bytes = source.bytes
    if let mark = failure.contextMark,
      failure.context.hasSuffix("an anchor")
        || failure.context.hasSuffix("an alias")
    {
      let sign = byteOffset(of: mark.index)
      guard sign < bytes.count, bytes[sign] == UInt8(ascii: "&") || bytes[sign] == UInt8(ascii: "*")
      else { return nil }
      return name(behind: sign)
    }
    guard flows.last == true, let mark = failure.mark else { return nil }
    let offset = byteOffset(of: mark.index)
    guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "?"),
      !Self.endsName(bytes[offset + 1])
    else { return nil }
    return .questionMark(offset)
  }

  /// Returns the whole name behind a sign, if it is one by YAML 1.2 and letters of ASCII may encode
  /// it.
  private func name(behind sign: Int) -> Misreading? {
    let bytes = source.bytes
    var end = sign + 1
    while end < bytes.count, !Self.endsName(bytes[end]) {
      // `&copy;` and `&&` are text that should be in quotes, and nobody's name.
      guard Self.isWordByte(bytes[end]) || Self.nameSigns.contains(bytes[end]) else { return nil }
      end += 1
    }
    // `*a: b` is as likely meant as a key.
    guard end > sign + 1, bytes[end - 1] != UInt8(ascii: ":"),
      !bytes[(sign + 1)..<end].allSatisfy(Self.isWordByte)
    else { return nil }
    return .name((sign + 1)..<end)
  }

  /// The signs that names have in practice.
  private static let nameSigns = Array(":./@+".utf8)

  private mutating func byteOffset(of target: Int) -> Int {
    cursor.offset(of: target, in: source.bytes)
  }

  // MARK: - Comments

  /// Finds `[a, b,#c`: a comment must be separated from the text in front of it (YAML 1.2, section
  /// 6.6).
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

  /// `{ ?foo: bar }`: directly in front of text the sign is a part of it (YAML 1.2, section 7.3.3), and so
  /// it is in front of a colon, as in `{ ?: 1 }`, where libyaml sees an empty key.
  private func questionMark(before start: Int, _ event: YAMLEvent) -> Int? {
    guard flows.last == true else { return nil }
    // A map that is an element of a list begins with the sign itself.
    if event.start == event.end, let map, source.bytes[map] == UInt8(ascii: "?") {
      return map + 1 < source.bytes.count && !Self.endsName(source.bytes[map + 1]) ? map : nil
    }
    guard start > end || start > 0 && map == start - 1,
      source.bytes[start - 1] == UInt8(ascii: "?")
    else { return nil }
    switch event.kind {
    case .scalar, .alias, .sequenceStart, .mappingStart: return start - 1
    default: return nil
    }
  }

  private func refusal(ofQuestionMark offset: Int, _ event: YAMLEvent) -> Diagnostic {
    var word = range(at: offset)
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
  ///
  /// - Returns: Where the name's own sign stands, and the one at which it was ended.
  private func cutName(of event: YAMLEvent, at start: Int) -> (sign: Int, end: Int)? {
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
    guard end < bytes.count, !Self.endsName(bytes[end]) else { return nil }
    return (sign, end)
  }

  private func refusal(ofName name: (sign: Int, end: Int), _ event: YAMLEvent) -> Diagnostic {
    let bytes = source.bytes
    let isAlias = if case .alias = event.kind { true } else { false }
    var last = name.end
    while last < bytes.count, !Self.isBlank(bytes[last]) { last += 1 }
    let whole = String(decoding: bytes[name.sign..<last], as: UTF8.self)
    var place = range(at: name.sign)
    place.length = whole.unicodeScalars.count
    return Diagnostic(
      "the name of an \(isAlias ? "alias" : "anchor") cannot hold \"\(letter(at: name.end))\"",
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

  /// Returns whether a byte ends the name of an anchor or alias, and any text in brackets or braces.
  static func endsName(_ byte: UInt8) -> Bool {
    isBlank(byte) || ",[]{}".utf8.contains(byte)
  }

  /// Returns whether libyaml takes a byte for a part of a name.
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// Returns the range of one column at a byte.
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

/// Finds bytes by Unicode scalars; marks hardly ever go back, so that a text is walked along once.
struct ByteCursor {
  /// The position: a scalar of the text, and the byte at which it begins.
  private var index = 0
  private var offset = 0

  /// The byte at which a scalar begins.
  mutating func offset(of target: Int, in bytes: [UInt8]) -> Int {
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
}
