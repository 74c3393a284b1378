internal import Foundations

/// Reads a text into a tree that keeps everything that its author wrote.
///
/// libyaml drops comments: they are found between its events, and belong to the entry that follows them,
/// to the one in whose line they stand, or to the end of the block that they are indented like.
struct FormatReader {
  /// An event and its place.
  struct Step {
    /// The event of libyaml.
    var event: YAMLEvent
    /// The offset of its beginning.
    var start: Int
    /// The offset of its end.
    var end: Int
    /// Anchor and tag as written.
    var properties: String
    /// The offset of the node itself, behind its properties.
    var content: Int
  }

  /// The text.
  let source: FormatSource
  private var steps: [Step] = []
  private var comments: ArraySlice<FormatComment> = []
  private var next = 0
  /// Lines of blocks whose empty lines at the end count.
  var keptLines: Set<Int> = []

  /// Reads a text that holds one document.
  static func read(_ source: FormatSource) throws(YAMLStreamFailure) -> FormatDocument {
    var reader = FormatReader(source: source)
    try reader.readEvents()
    return reader.document()
  }

  /// The comments of a text, in order.
  static func comments(in source: FormatSource) throws(YAMLStreamFailure) -> [String] {
    var reader = FormatReader(source: source)
    try reader.readEvents()
    return reader.comments.map(\.text)
  }

  private init(source: FormatSource) {
    self.source = source
  }

  // MARK: - Events

  private mutating func readEvents() throws(YAMLStreamFailure) {
    var stream = try YAMLEventStream(bytes: source.bytes)
    var covered: [Range<Int>] = []
    var headers: [FormatComment] = []
    while true {
      let event = try stream.next()
      var step = Step(
        event: event, start: source.offset(of: event.start), end: source.offset(of: event.end),
        properties: "", content: source.offset(of: event.start))
      switch event.kind {
      case .streamEnd:
        steps.append(step)
        comments =
          (source.comments(outside: covered) + headers)
          .sorted { $0.offset < $1.offset }[...]
        return
      case .alias: covered.append(step.start..<step.end)
      case .scalar(_, let style, _):
        readProperties(&step, &covered)
        covered.append(step.content..<max(step.content, step.end))
        if style == .literal || style == .folded, let comment = headerComment(step) {
          headers.append(comment)
        }
      case .sequenceStart, .mappingStart: readProperties(&step, &covered)
      case .documentStart: coverDirectives(step, &covered)
      default: break
      }
      steps.append(step)
    }
  }

  /// Reads anchor and tag, in the order in which they are written.
  private func readProperties(_ step: inout Step, _ covered: inout [Range<Int>]) {
    var offset = step.start
    var found: [String] = []
    while offset < step.end, source.scalars[offset] == "&" || source.scalars[offset] == "!" {
      let start = offset
      // A verbatim tag, `!<tag:yaml.org,2002:str>`, has letters that end others (YAML 1.2, section 6.9.1).
      let isVerbatim = source.text(start..<min(start + 2, step.end)) == "!<"
      if isVerbatim { while offset < step.end, source.scalars[offset] != ">" { offset += 1 } }
      while offset < step.end, !Self.endsProperty(source.scalars[offset]) { offset += 1 }
      covered.append(start..<offset)
      found.append(source.text(start..<offset))
      step.content = offset
      skipSpace(&offset, until: step.end)
    }
    if !found.isEmpty, offset <= step.end { step.content = offset }
    step.properties = found.joined(separator: " ")
  }

  private static func endsProperty(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || FormatSource.isBreak(scalar)
      || ",[]{}".unicodeScalars.contains(scalar)
  }

  /// Passes over white space, line breaks and comments.
  private func skipSpace(_ offset: inout Int, until end: Int) {
    while offset < end {
      let scalar = source.scalars[offset]
      if scalar == "#" {
        while offset < end, !FormatSource.isBreak(source.scalars[offset]) { offset += 1 }
      } else if scalar == " " || scalar == "\t" || FormatSource.isBreak(scalar) {
        offset += 1
      } else {
        return
      }
    }
  }

  private func coverDirectives(_ step: Step, _ covered: inout [Range<Int>]) {
    var offset = step.start
    while offset < step.end, source.scalars[offset] == "%" {
      let start = offset
      while offset < step.end, !FormatSource.isBreak(source.scalars[offset]) { offset += 1 }
      covered.append(start..<offset)
      skipSpace(&offset, until: step.end)
    }
  }

  /// The comment behind the `|` of a block.
  private func headerComment(_ step: Step) -> FormatComment? {
    var offset = step.content
    while offset < step.end, !FormatSource.isBreak(source.scalars[offset]) {
      if source.scalars[offset] == "#" {
        var end = offset
        while end < step.end, !FormatSource.isBreak(source.scalars[end]) { end += 1 }
        return source.comment(offset..<end)
      }
      offset += 1
    }
    return nil
  }

  // MARK: - The document

  private mutating func document() -> FormatDocument {
    next = steps.firstIndex { if case .documentStart = $0.event.kind { true } else { false } } ?? 0
    let start = steps[next]
    next += 1
    var document = FormatDocument(root: FormatNode(properties: "", content: .absent, end: 0))
    document.hasStart = start.start < start.end
    if document.hasStart {
      document.prologue = lines(before: start.end)
      var covered: [Range<Int>] = []
      coverDirectives(start, &covered)
      document.directives = covered.map { source.text($0) }
      if let comment = comments.first, !comment.isOwnLine,
        comment.line == source.line(at: start.end)
      {
        let isBare = source.scalars[start.end..<comment.offset].allSatisfy {
          $0 == " " || $0 == "\t"
        }
        if isBare { document.startComment = comments.removeFirst() }
      }
    }
    let isBlock = opens(steps[next]) && !opensFlow(steps[next])
    if !isBlock { document.lead = lines(before: steps[next].content) }
    document.root = node(column: 0, isInFlow: false)
    if !isBlock, document.root.header == nil {
      document.root.header = trailing(behind: document.root.end)
    }
    let end = steps[next]
    document.hasEnd = end.start < end.end
    let rest = lines(before: document.hasEnd ? end.start : source.scalars.count)
    if case .collection(var collection) = document.root.content, isBlock {
      collection.tail += rest
      document.root.content = .collection(collection)
    } else {
      document.tail = rest
    }
    document.epilogue = lines(before: source.scalars.count)
    return document
  }

  private func opens(_ step: Step) -> Bool {
    switch step.event.kind {
    case .sequenceStart, .mappingStart: true
    default: false
    }
  }

  private func closes(_ step: Step) -> Bool {
    switch step.event.kind {
    case .sequenceEnd, .mappingEnd: true
    default: false
    }
  }

  private func opensFlow(_ step: Step) -> Bool {
    guard opens(step), step.content < source.scalars.count else { return false }
    return source.scalars[step.content] == "[" || source.scalars[step.content] == "{"
  }

  // MARK: - Nodes

  /// - Parameters:
  ///   - column: Where the block begins that the node stands in.
  ///   - isInFlow: Whether it stands in brackets or braces.
  private mutating func node(column: Int, isInFlow: Bool) -> FormatNode {
    let step = steps[next]
    next += 1
    var node = FormatNode(properties: step.properties, content: .absent, end: step.end)
    switch step.event.kind {
    case .alias(let name): node.content = .alias(name)
    case .scalar(let text, let style, let properties):
      guard step.content < step.end else { return node }
      var scalar = FormatScalar(
        text: text, style: style, hasTag: properties.tag != nil,
        lines: rawLines(step.content..<step.end, style: style))
      if scalar.isBlock {
        node.header = comment(within: step.content..<step.end)
        readBlock(&scalar, step, column: column)
      }
      node.content = .scalar(scalar)
    case .sequenceStart, .mappingStart:
      var isMapping = false
      if case .mappingStart = step.event.kind { isMapping = true }
      let isFlow = isInFlow || opensFlow(step)
      if isFlow, opensFlow(step) { node.header = headerComment(of: step) }
      let own = isFlow ? column : source.column(at: step.content)
      var collection = FormatCollection(isMapping: isMapping, isFlow: isFlow)
      while !closes(steps[next]) {
        let element = element(isMapping: isMapping, column: own, isInFlow: isFlow)
        node.end = element.value.end
        collection.elements.append(element)
      }
      let end = steps[next]
      next += 1
      if isFlow {
        if opensFlow(step) {
          node.end = end.end
          collection.tail = lines(before: end.start)
        }
      } else {
        // A list may stand in the column of the map that it belongs to.
        let isIndentless = !isMapping && own == column
        collection.tail = tail(column: isIndentless ? own + 1 : own)
      }
      node.content = .collection(collection)
    default: break
    }
    return node
  }

  private mutating func element(
    isMapping: Bool, column: Int, isInFlow: Bool
  ) -> FormatElement {
    let start = steps[next]
    var element = FormatElement(value: FormatNode(properties: "", content: .absent, end: start.end))
    element.lead = lines(before: start.start)
    element.hasBlankBefore = hasBlank(before: start.start)
    var opening = start.start
    if isMapping {
      let key = node(column: column, isInFlow: isInFlow)
      opening = key.end
      element.key = key
    }
    let value = steps[next]
    var header: FormatComment?
    if let comment = comments.first, comment.offset < value.content, !comment.isOwnLine {
      comments.removeFirst()
      // In the column of the block below a comment would be about the block.
      let goesOn = comment.column > source.column(at: value.content)
      header = goesOn ? continued(comment) : comment
    }
    if !opens(value) || opensFlow(value) { element.lead += lines(before: value.content) }
    element.value = node(column: column, isInFlow: isInFlow)
    if case .scalar(let scalar) = element.value.content, scalar.isBlock {
      element.lead += Self.lines(of: header)
      return element
    }
    element.trailing = trailing(behind: max(opening, element.value.end))
    if let header {
      if element.value.header == nil, opens(value) {
        element.value.header = header
      } else if element.trailing == nil {
        element.trailing = header
      } else {
        element.lead += Self.lines(of: header)
      }
    }
    return element
  }

  // MARK: - Comments

  private func hasBlank(before offset: Int) -> Bool {
    let line = source.line(at: offset)
    guard line > 0, source.isBlank(line: line - 1), !keptLines.contains(line - 1) else {
      return false
    }
    return source.prefix(at: offset).allSatisfy {
      $0 == " " || $0 == "-" || $0 == "?" || $0 == "\t"
    }
  }

  /// Removes and returns the comments in front of an offset.
  private mutating func lines(before offset: Int) -> [FormatLine] {
    var lines: [FormatLine] = []
    while let comment = comments.first, comment.offset < offset {
      comments.removeFirst()
      lines.append(line(comment))
    }
    return lines
  }

  private func line(_ comment: FormatComment) -> FormatLine {
    FormatLine(
      text: comment.text, hasBlankBefore: comment.isOwnLine && hasBlank(before: comment.offset))
  }

  /// Returns a comment's lines, for lines of their own.
  static func lines(of comment: FormatComment?) -> [FormatLine] {
    guard let comment else { return [] }
    return ([comment.text] + comment.continuations).map {
      FormatLine(text: $0, hasBlankBefore: false)
    }
  }

  /// Removes and returns the comments below a block that are indented like it.
  private mutating func tail(column: Int) -> [FormatLine] {
    let following = steps[next...].first { !closes($0) }
    let limit = following.map(\.start) ?? source.scalars.count
    var lines: [FormatLine] = []
    while let comment = comments.first, comment.isOwnLine, comment.offset < limit,
      comment.column >= column
    {
      comments.removeFirst()
      lines.append(line(comment))
    }
    return lines
  }

  /// Removes and returns the comment of a block's first line.
  private mutating func comment(within range: Range<Int>) -> FormatComment? {
    guard let comment = comments.first, range.contains(comment.offset) else { return nil }
    return comments.removeFirst()
  }

  /// Removes and returns the comment behind a bracket that opens.
  private mutating func headerComment(of step: Step) -> FormatComment? {
    guard let comment = comments.first, comment.line == source.line(at: step.content),
      comment.offset > step.content, comment.offset < steps[next].start
    else { return nil }
    return comments.removeFirst()
  }

  /// Removes and returns the comment in the line of an entry's end, with those below that continue
  /// it.
  private mutating func trailing(behind offset: Int) -> FormatComment? {
    guard let comment = comments.first, !comment.isOwnLine, comment.offset >= offset,
      comment.line == source.line(at: offset),
      source.scalars[offset..<comment.offset].allSatisfy({ $0 == " " || $0 == "\t" || $0 == "," })
    else { return nil }
    comments.removeFirst()
    return continued(comment)
  }

  /// Returns a comment with those below it, in its column, that continue it.
  private mutating func continued(_ first: FormatComment) -> FormatComment {
    var comment = first
    while let further = comments.first, further.isOwnLine, further.column == comment.column,
      further.line == comment.line + 1 + comment.continuations.count
    {
      comments.removeFirst()
      comment.continuations.append(further.text)
    }
    return comment
  }
}
