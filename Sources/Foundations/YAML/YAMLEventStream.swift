private import CYAML

/// libyaml's parser over bytes that are known to be UTF-8.
package struct YAMLEventStream: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let spelling: DialectSpelling
  private let escapes: SurrogateEscapes
  private let breaks: LineBreakSpelling?
  private var cursor = ByteCursor()
  /// The input that libyaml reads, part by part, for as long as the stream lives.
  private let input: YAMLInput

  /// Reads a text as YAML 1.2 says.
  package init(bytes: [UInt8]) throws(YAMLStreamFailure) {
    let breaks = try LineBreakSpelling(bytes)
    try self.init(DialectSpelling.found(in: breaks.bytes), breaks: breaks)
  }

  /// Reads a text whose signs are replaced, and whose letters may be.
  init(
    _ spelling: DialectSpelling, breaks: LineBreakSpelling? = nil
  ) throws(YAMLStreamFailure) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      throw YAMLStreamFailure(problem: "out of memory", context: "")
    }
    self.parser = parser
    self.spelling = spelling
    self.breaks = breaks
    let escapes = SurrogateEscapes(spelling.bytes)
    self.escapes = escapes
    let input = YAMLInput(escapes.bytes)
    self.input = input
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input(
      parser,
      { input, buffer, size, count in
        guard let input, let buffer, let count else { return 0 }
        let part = UnsafeMutableBufferPointer(start: buffer, count: size)
        count.pointee = Unmanaged<YAMLInput>.fromOpaque(input).takeUnretainedValue().next(part)
        return 1
      }, Unmanaged.passUnretained(input).toOpaque())
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// The next event; nothing may be asked for behind `streamEnd` or a failure.
  package mutating func next() throws(YAMLStreamFailure) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { yaml_event_delete(&event) }
    let read = YAMLEvent(
      kind: kind(of: event), start: Self.mark(event.start_mark),
      end: Self.mark(event.end_mark))
    return spelling.isNeeded ? restored(read) : read
  }

  /// The event with the signs that were replaced.
  private mutating func restored(_ event: YAMLEvent) -> YAMLEvent {
    let start = cursor.offset(of: event.start.index, in: spelling.bytes)
    func named(_ properties: YAMLEvent.NodeProperties) -> YAMLEvent.NodeProperties {
      var properties = properties
      properties.anchor = properties.anchor.map {
        spelling.restoredName($0, at: start, sign: UInt8(ascii: "&"))
      }
      return properties
    }
    var event = event
    switch event.kind {
    case .alias(let name):
      event.kind = .alias(spelling.restoredName(name, at: start, sign: UInt8(ascii: "*")))
    case .scalar(var text, let style, let properties):
      if style == .plain {
        let end = cursor.offset(of: event.end.index, in: spelling.bytes)
        text = spelling.restored(text, in: start..<max(start, end))
      }
      event.kind = .scalar(text: text, style: style, properties: named(properties))
    case .sequenceStart(let properties): event.kind = .sequenceStart(named(properties))
    case .mappingStart(let properties): event.kind = .mappingStart(named(properties))
    default: break
    }
    return event
  }

  // MARK: - From C

  private func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
    switch event.type {
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_ALIAS_EVENT: return .alias(Self.text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT: return scalar(event.data.scalar)
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      return .sequenceStart(
        .init(
          anchor: Self.text(start.anchor), tag: Self.text(start.tag),
          isFlow: start.style == YAML_FLOW_SEQUENCE_STYLE))
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return .mappingStart(
        .init(
          anchor: Self.text(start.anchor), tag: Self.text(start.tag),
          isFlow: start.style == YAML_FLOW_MAPPING_STYLE))
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    case YAML_STREAM_START_EVENT: return .streamStart
    default: return .streamEnd
    }
  }

  private func scalar(
    _ scalar: yaml_event_s.__Unnamed_union_data.__Unnamed_struct_scalar
  ) -> YAMLEvent.Kind {
    // The length counts, not the first NUL: "\0" is a letter like any other.
    let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    let style: YAMLScalar.Style =
      switch scalar.style {
      case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
      case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
      case YAML_LITERAL_SCALAR_STYLE: .literal
      case YAML_FOLDED_SCALAR_STYLE: .folded
      default: .plain
      }
    let read = String(decoding: bytes, as: UTF8.self)
    return .scalar(
      text: escapes.restored(
        breaks?.restored(read) ?? read, isDoubleQuoted: style == .doubleQuoted),
      style: style,
      properties: .init(anchor: Self.text(scalar.anchor), tag: Self.text(scalar.tag)))
  }

  private static func text(_ pointer: UnsafePointer<UInt8>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  private static func mark(_ mark: yaml_mark_t) -> YAMLMark {
    YAMLMark(line: Int(mark.line), column: Int(mark.column), index: Int(mark.index))
  }

  /// Returns the offset in the original bytes: a letter that is in the place of another one may have
  /// more bytes than it.
  private func originalOffset(_ offset: Int) -> Int {
    guard let breaks, escapes.isNeeded || breaks.isNeeded else { return offset }
    let letters = escapes.bytes.prefix(offset).count { $0 & 0xC0 != 0x80 }
    var cursor = ByteCursor()
    return cursor.offset(of: letters, in: breaks.original)
  }

  private func failure() -> YAMLStreamFailure {
    let state = parser.pointee
    let isReaderFailure = state.error == YAML_READER_ERROR
    return YAMLStreamFailure(
      problem: state.problem.map { String(cString: $0) } ?? "out of memory",
      mark: isReaderFailure ? nil : Self.mark(state.problem_mark),
      offset: isReaderFailure ? originalOffset(Int(state.problem_offset)) : nil,
      context: state.context.map { String(cString: $0) } ?? "",
      contextMark: state.context == nil ? nil : Self.mark(state.context_mark))
  }
}

/// Bytes that are handed out part by part, so that a large file is not held twice.
private final class YAMLInput {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Fills as much of a buffer as there is; how many bytes that is, 0 at the end.
  func next(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let count = min(buffer.count, bytes.count - position)
    _ = buffer.update(fromContentsOf: bytes[position..<(position + count)])
    position += count
    return count
  }
}
