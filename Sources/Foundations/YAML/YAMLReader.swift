/// Builds the tree of one document from libyaml's events.
///
/// libyaml's own document loader resolves no aliases safely and knows no end marks; the events do.
package struct YAMLReader {
  /// The result of reading: no root if the file could not be read to its end.
  package struct Result: Sendable {
    /// The document; `nil` if the file could not be read to its end.
    package var root: YAMLNode?
    /// The diagnostics of the file.
    package var diagnostics: [Diagnostic]
    /// The part in front of the place where reading ended, if it ended too early.
    package var part: YAMLNode?

    /// Creates a result.
    package init(root: YAMLNode? = nil, diagnostics: [Diagnostic], part: YAMLNode? = nil) {
      self.root = root
      self.diagnostics = diagnostics
      self.part = part
    }
  }

  /// A list or map that is still open.
  private struct Frame {
    enum Kind {
      case sequence
      case mapping
    }

    var kind: Kind
    var start: YAMLEvent
    var anchor: String?
    var children: [YAMLNode] = []
  }

  private let source: SourceText
  private let limits: YAMLLimits
  private var frames: [Frame] = []
  private var anchors: [String: YAMLNode] = [:]
  private var aliasedNodes = 0
  private var root: YAMLNode?
  private var documents = 0
  private var diagnostics: [Diagnostic] = []

  private init(source: SourceText, limits: YAMLLimits) {
    self.source = source
    self.limits = limits
  }

  /// Reads the one document of a file.
  package static func read(_ source: SourceText, limits: YAMLLimits = YAMLLimits()) -> Result {
    guard source.bytes.count <= limits.fileSize else {
      let size = Diagnostic(
        "the file is larger than \(limits.fileSize >> 20) MiB",
        code: .tooLarge, at: SourceRange(file: source.path, line: 1, column: 1),
        help: "split the scenarios over several files")
      return Result(root: nil, diagnostics: [size])
    }
    var reader = YAMLReader(source: source, limits: limits)
    do throws(Diagnostic) {
      try reader.readStream()
      return Result(root: reader.root, diagnostics: reader.diagnostics)
    } catch {
      reader.diagnostics.append(error)
      let part = reader.part(before: error)
      return Result(root: nil, diagnostics: reader.diagnostics, part: part)
    }
  }

  /// Closes the collections that are still open, so that mistakes further up can be reported as
  /// well.
  private mutating func part(before error: Diagnostic) -> YAMLNode? {
    guard error.code != .tooLarge, let last = frames.last else { return nil }
    let end = YAMLEvent(
      kind: .mappingEnd, start: last.start.start,
      end: YAMLMark(line: (error.range?.line ?? 1) - 1, column: 0))
    // A text without quotes may have gone on into the line that cannot be read.
    let line = error.range?.line ?? 1
    if let leaf = frames[frames.count - 1].children.last, leaf.lastLine >= line {
      let isPair = last.kind == .mapping && last.children.count.isMultiple(of: 2)
      frames[frames.count - 1].children.removeLast(isPair ? 2 : 1)
    }
    // Every turn closes one level.
    for _ in 0..<frames.count {
      do throws(Diagnostic) { try close(end) } catch { return nil }
    }
    return root
  }

  // MARK: - Events

  private mutating func readStream() throws(Diagnostic) {
    var stream = try opened(source)
    var dialect = YAMLDialect(source: source)
    while true {
      let event: YAMLEvent
      do throws(YAMLStreamFailure) {
        event = try stream.next()
      } catch {
        throw YAMLSyntaxProblem(failure: error, source: source).diagnostic
      }
      // What stands behind the document is looked at as well.
      if let problem = dialect.problem(at: event) {
        // Behind a sign that libyaml misreads, its events are not what the author wrote.
        guard problem.isComment else { throw problem.diagnostic }
        diagnostics.append(problem.diagnostic)
      }
      if case .streamEnd = event.kind { break }
      try handle(event)
    }
    if root == nil { throw Self.emptyFile(source) }
  }

  private func opened(_ source: SourceText) throws(Diagnostic) -> YAMLEventStream {
    do throws(YAMLStreamFailure) {
      return try YAMLEventStream(bytes: source.bytes)
    } catch {
      throw YAMLSyntaxProblem(failure: error, source: source).diagnostic
    }
  }

  private mutating func handle(_ event: YAMLEvent) throws(Diagnostic) {
    switch event.kind {
    case .streamStart, .streamEnd, .documentEnd: break
    case .documentStart:
      documents += 1
      guard documents == 1 else {
        throw Diagnostic(
          "a second document begins here", code: .badDocument, at: range(event),
          help: "a file holds one document: make what follows \"---\" an entry of \"scenarios\","
            + " or a file of its own")
      }
    case .alias(let name): try add(expanded(name, event))
    case .scalar(let text, let style, let properties):
      let tag = coreTag(properties.tag, allowed: { $0.fits(text) }, event)
      let node = YAMLNode(
        content: .scalar(YAMLScalar(text: text, style: style, tag: tag)), range: range(event),
        lastLine: lastLine(event), size: 1, height: 1)
      try add(node, anchor: properties.anchor)
    case .sequenceStart(let properties):
      _ = coreTag(properties.tag, allowed: { $0 == .seq }, event)
      try open(.sequence, properties, event)
    case .mappingStart(let properties):
      _ = coreTag(properties.tag, allowed: { $0 == .map }, event)
      try open(.mapping, properties, event)
    case .sequenceEnd, .mappingEnd: try close(event)
    }
  }

  private mutating func open(
    _ kind: Frame.Kind, _ properties: YAMLEvent.NodeProperties, _ event: YAMLEvent
  ) throws(Diagnostic) {
    guard frames.count < limits.depth else { throw tooDeep(at: range(event)) }
    frames.append(Frame(kind: kind, start: event, anchor: properties.anchor))
  }

  private mutating func close(_ event: YAMLEvent) throws(Diagnostic) {
    guard let frame = frames.popLast() else { return }
    let place = range(from: frame.start.start, to: event.end)
    // The end mark of a block stands at whatever follows it, often many lines further down.
    let lastChild = frame.children.map(\.lastLine).max() ?? 0
    let isBlock = event.start == event.end
    let node = YAMLNode(
      content: frame.kind == .sequence
        ? .sequence(frame.children) : .mapping(members(of: frame.children)),
      range: place, lastLine: max(place.line, lastChild, isBlock ? 0 : event.end.line + 1),
      size: frame.children.reduce(1) { $0 + $1.size },
      height: 1 + (frame.children.map(\.height).max() ?? 0))
    try add(node, anchor: frame.anchor)
  }

  /// Puts a finished node where it belongs.
  private mutating func add(_ node: YAMLNode, anchor: String? = nil) throws(Diagnostic) {
    if let anchor { anchors[anchor] = node }
    guard frames.isEmpty else {
      frames[frames.count - 1].children.append(node)
      return
    }
    guard !node.isAbsent else { throw Self.emptyFile(source) }
    root = node
  }

  // MARK: - Aliases

  private mutating func expanded(
    _ name: String, _ event: YAMLEvent
  ) throws(Diagnostic) -> YAMLNode {
    let place = range(event)
    if let frame = frames.last(where: { $0.anchor == name }) {
      throw Diagnostic(
        "the alias \"*\(name)\" stands inside its own anchor", code: .badAlias, at: place,
        help: "write the inner part out",
        notes: [Diagnostic.Note("the anchor is here", at: range(frame.start))])
    }
    guard var node = anchors[name] else {
      throw Diagnostic(
        "unknown alias \"*\(name)\"", code: .badAlias, at: place,
        help: anchors.isEmpty
          ? "put text that begins with \"*\" into quotes; no anchor stands above this line"
          : Suggestion.help(for: name, in: anchors.keys, label: "anchors above this line")
            + (name.utf8.allSatisfy(YAMLDialect.isWordByte)
              ? "" : "; text that begins with \"*\" must be in quotes"))
    }
    aliasedNodes += node.size
    guard aliasedNodes <= limits.aliasedNodes else {
      throw Diagnostic(
        "the aliases of this file stand for more than \(limits.aliasedNodes) nodes",
        code: .tooLarge, at: place,
        help: "write fewer aliases of aliases")
    }
    guard frames.count + node.height - 1 <= limits.depth else { throw tooDeep(at: place) }
    node.range = place
    node.lastLine = place.line
    return node
  }

  // MARK: - Tags

  private mutating func coreTag(
    _ name: String?, allowed: (CoreTag) -> Bool, _ event: YAMLEvent
  ) -> CoreTag? {
    guard let name else { return nil }
    // A lone "!" says that a scalar is text whatever it looks like.
    if name == "!", allowed(.str) { return .str }
    if let tag = CoreTag(fullName: name) {
      if allowed(tag) { return tag }
      diagnostics.append(
        Diagnostic(
          "the tag \"!!\(tag.rawValue)\" does not fit what follows it", code: .badTag,
          at: range(event),
          help: "remove the tag"))
    } else {
      diagnostics.append(
        Diagnostic(
          "unknown tag \"\(name)\"", code: .badTag, at: range(event),
          help: Self.insteadOfTag[name]
            ?? "remove the tag; text that begins with \"!\" must be in quotes"))
    }
    return nil
  }

  /// The language's own way for what other tools say by tags.
  private static let insteadOfTag = [
    "!raw": "write { $raw: … }, which takes what follows as it is",
    "!env": "write \"${{ env.NAME }}\"",
    "!file": "write { $file: PATH }",
    "!include":
      "write { $file: PATH } for data, or name the file in \"include\" for what files share",
    "!ref": "write \"${{ build.NAME }}\"",
  ]

  // MARK: - Mappings

  /// Pairs keys with values, expands merge keys, and reports keys that occur twice.
  private mutating func members(of children: [YAMLNode]) -> [YAMLMember] {
    var members: [YAMLMember] = []
    members.reserveCapacity(children.count / 2)
    var known = KnownKeys(count: children.count / 2)
    var merged: [YAMLNode] = []
    for index in stride(from: 0, to: children.count - 1, by: 2) {
      let value = children[index + 1]
      guard case .scalar(let scalar) = children[index].content else {
        diagnostics.append(badKey(at: children[index].range))
        continue
      }
      if scalar.text == "<<", scalar.style == .plain {
        merged.append(value)
        continue
      }
      let key = Located(scalar.text, at: children[index].range)
      if let first = known.range(of: key.value, among: members) {
        diagnostics.append(
          Diagnostic(
            "duplicate key \"\(key.value)\"", code: .duplicateKey, at: key.range,
            help: "remove one of the two, or rename it",
            notes: [Diagnostic.Note("the key stands here first", at: first)]))
        continue
      }
      known.add(key)
      members.append(YAMLMember(key: key, value: value))
    }
    guard !merged.isEmpty else { return members }
    known.index(members)
    // Own keys win over merged ones, and of these the first.
    for member in merged.flatMap({ mergedMembers($0) })
    where known.range(of: member.key.value, among: members) == nil {
      known.add(member.key)
      members.append(member)
    }
    return members
  }

  private func badKey(at range: SourceRange) -> Diagnostic {
    let isMap = source.text(line: range.line, from: range.column, limit: 1) == "{"
    return Diagnostic(
      isMap ? "a map in braces cannot be a key" : "a key must be a text", code: .badKey, at: range,
      help: isMap
        ? "write \"${{ … }}\" in quotes for an expression; text with braces must be in quotes, too"
        : "\"${{ … }}\" and text that begins with \"{\" or \"[\" must be in quotes")
  }

  /// The keys of a map that were met; most maps are so small that looking through them is quicker.
  private struct KnownKeys {
    private var places: [String: SourceRange]?

    init(count: Int) {
      places = count > 12 ? [:] : nil
    }

    /// Makes ready for any number of keys.
    mutating func index(_ members: [YAMLMember]) {
      places =
        places ?? Dictionary(members.map { ($0.key.value, $0.key.range) }) { first, _ in first }
    }

    mutating func add(_ key: Located<String>) {
      places?[key.value] = key.range
    }

    func range(of key: String, among members: [YAMLMember]) -> SourceRange? {
      if let places { return places[key] }
      return members.first { $0.key.value == key }?.key.range
    }
  }

  private mutating func mergedMembers(_ node: YAMLNode) -> [YAMLMember] {
    switch node.content {
    case .mapping(let members): return members
    case .sequence(let nodes):
      var all: [YAMLMember] = []
      for case .mapping(let members) in nodes.map(\.content) { all += members }
      if nodes.allSatisfy({ if case .mapping = $0.content { true } else { false } }) { return all }
    case .scalar: break
    }
    diagnostics.append(
      Diagnostic(
        "the merge key \"<<\" needs a map or a list of maps", code: .badKey, at: node.range,
        help: "write \"<<: *anchor\", where the anchor stands on a map"))
    return []
  }

  // MARK: - Places

  private func range(_ event: YAMLEvent) -> SourceRange {
    range(from: event.start, to: event.end)
  }

  /// Returns the part of a stretch on its first line.
  private func range(from start: YAMLMark, to end: YAMLMark) -> SourceRange {
    let line = start.line + 1
    var length = end.column - start.column
    if end.line != start.line {
      length = source.lineLength(line) - start.column
    }
    return SourceRange(file: source.path, line: line, column: start.column + 1, length: length)
  }

  /// The last line with text of the event; a block scalar ends at the start of the line behind it.
  private func lastLine(_ event: YAMLEvent) -> Int {
    let end = event.end
    return max(event.start.line + 1, end.column == 0 ? end.line : end.line + 1)
  }

  private func tooDeep(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "lists and maps nest deeper than \(limits.depth)", code: .tooLarge, at: range,
      help: "write the data less deep, or put it into a file of its own")
  }

  private static func emptyFile(_ source: SourceText) -> Diagnostic {
    Diagnostic(
      "the file is empty", code: .badDocument,
      at: SourceRange(file: source.path, line: 1, column: 1),
      help: "begin with \"version: 2\"")
  }
}
