/// Finds the lists and maps around a place by their indentation and braces.
struct OutlineScanner {
  private enum Kind {
    case key(String)
    case entry
  }

  private struct Node {
    var kind: Kind
    var column: Int
    var parent: Int?
    /// The offset of the beginning of a key's value.
    var value: Int?
  }

  /// A list or map between braces that is still open.
  private struct Frame {
    var isMap: Bool
    /// The key or entry that it is the value of.
    var owner: Int?
    /// The key, or the entry of a list, whose value comes next; `nil` where a key does.
    var current: Int?
  }

  private let bytes: [UInt8]
  private let end: Int
  private var nodes: [Node] = []
  /// The keys and entries by lines that are still open, from the outside.
  private var open: [Int] = []
  private var frames: [Frame] = []
  private var offset = 0

  init(_ bytes: [UInt8], end: Int) {
    self.bytes = bytes
    self.end = min(max(0, end), bytes.count)
  }

  mutating func scan() -> CursorContext {
    while true {
      if let context = scanLine() { return context }
    }
  }

  // MARK: - Lines

  /// Scans a line, and what begins in it and ends further down; the context if the place was met.
  private mutating func scanLine() -> CursorContext? {
    let start = offset
    skipBlanks()
    guard offset < end else { return written(from: offset, column: offset - start) }
    if bytes[offset] == UInt8(ascii: "#") || isDocumentMark(at: start) { return skipLine() }
    if isLineEnd(bytes[offset]) { return skipLine() }
    while bytes[offset] == UInt8(ascii: "-"), isBlank(at: offset + 1) {
      push(.entry, column: offset - start)
      offset += 1
      skipBlanks()
      guard offset < end else { return written(from: offset, column: offset - start) }
      if isLineEnd(bytes[offset]) || bytes[offset] == UInt8(ascii: "#") { return skipLine() }
    }
    let column = offset - start
    guard let (name, behind) = key(at: offset) else {
      let first = offset
      if "{[\"'|>&!".utf8.contains(bytes[offset]) { return scanValue(keyColumn: column - 1) }
      guard let context = skipLine() else { return nil }
      return context.mayBeValue ? written(from: first, column: column) : nothing
    }
    guard behind <= end else { return written(from: offset, column: column) }
    push(.key(name), column: column)
    nodes[nodes.count - 1].value = behind
    offset = behind
    return scanValue(keyColumn: column)
  }

  /// Scans the value behind a key or a dash.
  private mutating func scanValue(keyColumn: Int) -> CursorContext? {
    skipBlanks()
    let start = offset
    guard offset < end else { return value(from: offset) }
    switch bytes[offset] {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      if skipLine() != nil { return nothing }
      return skipBlock(deeperThan: keyColumn)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      guard skipQuoted() else { return value(from: start + 1, isQuoted: true) }
      return skipLine().map { _ in nothing }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if let context = scanFlow() { return context }
      return skipLine().map { _ in nothing }
    case UInt8(ascii: "&"), UInt8(ascii: "!"):
      while offset < end, !isBlank(at: offset) { offset += 1 }
      return scanValue(keyColumn: keyColumn)
    default:
      guard let context = skipLine() else { return nil }
      return context.mayBeValue ? value(from: start) : nothing
    }
  }

  /// Skips to the next line; returns a context if the place is in this one, with nothing allowed in
  /// a comment.
  private mutating func skipLine() -> CursorContext? {
    var isComment = offset < end && bytes[offset] == UInt8(ascii: "#")
    while offset < end, !isLineEnd(bytes[offset]) {
      if bytes[offset] == UInt8(ascii: "#"), offset > 0, isBlank(at: offset - 1) {
        isComment = true
      }
      offset += 1
    }
    guard offset < end else {
      var context = nothing
      context.mayBeValue = !isComment
      return context
    }
    skipLineEnd()
    return nil
  }

  /// Skips the lines of a block of text.
  private mutating func skipBlock(deeperThan column: Int) -> CursorContext? {
    while offset < end {
      let start = offset
      skipBlanks()
      if offset < end, !isLineEnd(bytes[offset]), offset - start <= column {
        offset = start
        return nil
      }
      if offset == end, offset - start <= column {
        offset = start
        return nil
      }
      while offset < end, !isLineEnd(bytes[offset]) { offset += 1 }
      guard offset < end else { return nothing }
      skipLineEnd()
    }
    return nil
  }

  private func isDocumentMark(at start: Int) -> Bool {
    start + 3 <= end && bytes[start..<start + 3].elementsEqual("---".utf8) && isBlank(at: start + 3)
  }

  // MARK: - Keys

  /// Returns the key at a place, and the offset behind its colon; `nil` if there is no key.
  private func key(at start: Int) -> (name: String, behind: Int)? {
    var place = start
    let quote = bytes[start]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      place += 1
      while place < bytes.count, bytes[place] != quote, !isLineEnd(bytes[place]) { place += 1 }
      guard place < bytes.count, bytes[place] == quote else { return nil }
      let name = String(decoding: bytes[(start + 1)..<place], as: UTF8.self)
      place += 1
      while place < bytes.count, bytes[place] == 0x20 { place += 1 }
      guard place < bytes.count, bytes[place] == UInt8(ascii: ":"), isBlank(at: place + 1) else {
        return nil
      }
      return (name, place + 1)
    }
    guard !"{[|>&!*".utf8.contains(quote) else { return nil }
    while place < bytes.count, !isLineEnd(bytes[place]) {
      if bytes[place] == UInt8(ascii: ":"), isBlank(at: place + 1) {
        return (String(decoding: bytes[start..<place], as: UTF8.self), place + 1)
      }
      if bytes[place] == UInt8(ascii: "#"), place > start, isBlank(at: place - 1) { return nil }
      place += 1
    }
    return nil
  }

  // MARK: - Braces

  /// The point at which scanning of a list or map between braces stopped because the place is in
  /// it.
  private enum FlowStop {
    case word(Int, isQuoted: Bool)
    case comment
  }

  /// Scans a list or map between braces; the context if the place is within.
  private mutating func scanFlow() -> CursorContext? {
    switch passFlow() {
    case .word(let start, let isQuoted)?: flow(word: start, isQuoted: isQuoted)
    case .comment?: nothing
    case nil: nil
    }
  }

  /// Skips a list or map between braces.
  private mutating func passFlow() -> FlowStop? {
    var word: Int?
    while offset < end {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let owner = frames.last.map(\.current) ?? open.last
        frames.append(Frame(isMap: byte == UInt8(ascii: "{"), owner: owner))
        beginElement()
        word = nil
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        frames.removeLast()
        word = nil
        if frames.isEmpty {
          offset += 1
          return nil
        }
      case UInt8(ascii: ","):
        beginElement()
        word = nil
      case UInt8(ascii: ":") where isBlank(at: offset + 1) || isKeyEnd(word):
        if let frame = frames.last, frame.isMap, frame.current == nil {
          let name = unquoted(bytes[(word ?? offset)..<offset])
          nodes.append(Node(kind: .key(name), column: -1, parent: frame.owner, value: offset + 1))
          frames[frames.count - 1].current = nodes.count - 1
        }
        word = nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let start = offset
        guard word == nil else { break }
        guard skipQuoted() else { return .word(start + 1, isQuoted: true) }
        word = start
        continue
      case UInt8(ascii: "$") where holds("${{", at: offset):
        word = word ?? offset
        while offset < end, !holds("}}", at: offset) { offset += 1 }
        offset += 1
      case UInt8(ascii: "#") where offset > 0 && isBlank(at: offset - 1):
        while offset < end, !isLineEnd(bytes[offset]) { offset += 1 }
        guard offset < end else { return .comment }
      default:
        if word == nil, !isBlank(at: offset) { word = offset }
      }
      offset += 1
    }
    return .word(word ?? end, isQuoted: false)
  }

  /// A colon directly behind a key in quotes ends it, as in JSON.
  private func isKeyEnd(_ word: Int?) -> Bool {
    word.map { bytes[$0] == UInt8(ascii: "\"") && bytes[offset - 1] == UInt8(ascii: "\"") } ?? false
  }

  private mutating func beginElement() {
    guard let frame = frames.last else { return }
    guard !frame.isMap else {
      frames[frames.count - 1].current = nil
      return
    }
    nodes.append(Node(kind: .entry, column: -1, parent: frame.owner))
    frames[frames.count - 1].current = nodes.count - 1
  }

  private func unquoted(_ text: ArraySlice<UInt8>) -> String {
    var text = text
    while let last = text.last,
      last == 0x20 || last == UInt8(ascii: "\"") || last == UInt8(ascii: "'")
    {
      text.removeLast()
    }
    while let first = text.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      text.removeFirst()
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Skips a text in quotes; false if the place is within.
  private mutating func skipQuoted() -> Bool {
    let quote = bytes[offset]
    offset += 1
    while offset < end {
      if bytes[offset] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        offset += 2
        continue
      }
      if bytes[offset] == quote {
        offset += 1
        return true
      }
      offset += 1
    }
    offset = end
    return false
  }

  // MARK: - Answers

  private var nothing: CursorContext { CursorContext(word: end..<end) }

  /// Returns the context of a place at the beginning of a line, behind dashes, or in a word there.
  private mutating func written(from start: Int, column: Int) -> CursorContext {
    close(forKeyAt: column)
    var context = CursorContext(word: start..<end)
    context.path = path(to: open.last)
    context.values = values(of: open.last)
    context.siblings = keys(of: open.last).union(keysBelow(column: column))
    context.mayBeKey = true
    context.mayBeValue = context.siblings.isEmpty
    context.column = column
    return context
  }

  /// Returns the context of a place behind a key.
  private func value(from start: Int, isQuoted: Bool = false) -> CursorContext {
    var context = CursorContext(word: min(start, end)..<end)
    context.path = path(to: open.last)
    context.values = values(around: open.last)
    context.mayBeValue = true
    context.isQuoted = isQuoted
    return context
  }

  /// Returns the context of a place between braces.
  private func flow(word: Int, isQuoted: Bool) -> CursorContext {
    guard let frame = frames.last else { return nothing }
    var context = CursorContext(word: min(word, end)..<end)
    context.isQuoted = isQuoted
    if frame.isMap, frame.current == nil {
      context.path = path(to: frame.owner)
      context.values = values(of: frame.owner)
      context.siblings = keys(of: frame.owner).union(keysBehind())
      context.mayBeKey = true
    } else {
      context.path = path(to: frame.current)
      context.values = values(around: frame.current)
      context.mayBeValue = true
    }
    return context
  }

  private func keys(of parent: Int?) -> Set<String> {
    var names: Set<String> = []
    for node in nodes where node.parent == parent {
      if case .key(let name) = node.kind { names.insert(name) }
    }
    return names
  }

  /// Returns the words behind keys of a map, as far as they are in the key's own line.
  private func values(of parent: Int?) -> [String: String] {
    var values: [String: String] = [:]
    for node in nodes where node.parent == parent {
      guard case .key(let name) = node.kind, var place = node.value else { continue }
      while place < bytes.count, bytes[place] == 0x20 { place += 1 }
      let start = place
      while place < bytes.count, !isLineEnd(bytes[place]), !",}]#".utf8.contains(bytes[place]) {
        place += 1
      }
      values[name] = unquoted(bytes[start..<place])
    }
    return values
  }

  /// Returns the same of the maps that enclose a key or entry, the nearest one first where several
  /// have a key.
  private func values(around node: Int?) -> [String: String] {
    var values: [String: String] = [:]
    var current = node
    while let index = current {
      values.merge(self.values(of: nodes[index].parent)) { own, _ in own }
      current = nodes[index].parent
    }
    return values
  }

  private func path(to node: Int?) -> [CursorContext.Step] {
    var steps: [CursorContext.Step] = []
    var current = node
    while let index = current {
      switch nodes[index].kind {
      case .key(let name): steps.append(.key(name, beside: keys(of: nodes[index].parent)))
      case .entry: steps.append(.entry)
      }
      current = nodes[index].parent
    }
    return steps.reversed()
  }

  /// The keys of the same map in the lines below the place.
  private func keysBelow(column: Int) -> Set<String> {
    var names: Set<String> = []
    var place = end
    while place < bytes.count, !isLineEnd(bytes[place]) { place += 1 }
    while place < bytes.count {
      place += 1
      let start = place
      while place < bytes.count, bytes[place] == 0x20 { place += 1 }
      guard place < bytes.count else { break }
      if !isLineEnd(bytes[place]), bytes[place] != UInt8(ascii: "#") {
        let own = place - start
        guard own >= column else { break }
        if own == column {
          if bytes[place] == UInt8(ascii: "-"), isBlank(at: place + 1) { break }
          if let (name, _) = key(at: place) { names.insert(name) }
        }
      }
      while place < bytes.count, !isLineEnd(bytes[place]) { place += 1 }
    }
    return names
  }

  /// Returns the keys of the same map behind the place, between braces, as far as they are in its
  /// line: without its closing brace, keys of other maps would count otherwise.
  private func keysBehind() -> Set<String> {
    let lineEnd = bytes[end...].firstIndex { isLineEnd($0) } ?? bytes.count
    var rest = OutlineScanner(bytes, end: lineEnd)
    rest.offset = end
    rest.frames = [Frame(isMap: true, owner: nil, current: nil)]
    // What is being written may be a key already, and is none of the others.
    while rest.offset < lineEnd, !",}".utf8.contains(bytes[rest.offset]) { rest.offset += 1 }
    _ = rest.passFlow()
    return rest.keys(of: nil)
  }

  // MARK: - What is open

  private mutating func push(_ kind: Kind, column: Int) {
    if case .entry = kind { close(forEntryAt: column) } else { close(forKeyAt: column) }
    nodes.append(Node(kind: kind, column: column, parent: open.last))
    open.append(nodes.count - 1)
  }

  private mutating func close(forKeyAt column: Int) {
    while let last = open.last, nodes[last].column >= column { open.removeLast() }
  }

  /// Closes the nodes that an entry at a column ends; the dashes of a list may be below the first
  /// letter of its key.
  private mutating func close(forEntryAt column: Int) {
    while let last = open.last, nodes[last].column >= column {
      if case .key = nodes[last].kind, nodes[last].column == column { break }
      open.removeLast()
    }
  }

  // MARK: - Bytes

  private mutating func skipBlanks() {
    while offset < end, bytes[offset] == 0x20 || bytes[offset] == 0x09 { offset += 1 }
  }

  private mutating func skipLineEnd() {
    let isPair = bytes[offset] == 0x0D && offset + 1 < end && bytes[offset + 1] == 0x0A
    offset += isPair ? 2 : 1
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private func holds(_ text: StaticString, at place: Int) -> Bool {
    place + text.utf8CodeUnitCount <= end
      && text.withUTF8Buffer { bytes[place..<place + $0.count].elementsEqual($0) }
  }

  /// Returns whether a blank, a line's end or the text's end is at a place.
  private func isBlank(at place: Int) -> Bool {
    guard place >= 0, place < bytes.count else { return true }
    return bytes[place] == 0x20 || bytes[place] == 0x09 || isLineEnd(bytes[place])
  }
}
