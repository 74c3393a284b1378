internal import Foundations
internal import ScenarioModel

/// Puts in place of each `block:` what the block of that name holds.
///
/// This happens before anything else is read of a file, so that all that is known of steps, expectations and so on holds
/// for what blocks hold as well, with its place in the block.
struct BlockExpansion {
  /// The places in which blocks can be used, and those that lead to them.
  private enum Place {
    case scenario
    case steps
    case step
    case timed
    case expect
    case targets(of: BlockDefinition.Part)
    case part(BlockDefinition.Part)
    case explore
  }

  /// Blocks within each other.
  private static let depthLimit = 32
  /// The largest number of nodes that come of blocks: each use of a block multiplies what it uses.
  private static let sizeLimit = 1_000_000

  private let blocks: [String: BlockDefinition]
  private lazy var names = KnownNames(blocks.keys)
  /// True if blocks that are not known may come of files that have not been read.
  private let isPartial: Bool
  /// The parts of blocks that are inserted somewhere, by the names of the blocks, and where that is first.
  private(set) var used: [String: [BlockDefinition.Part: SourceRange]] = [:]
  /// True if a block was not known that may come of another file.
  private(set) var awaitsOthers = false
  /// The maps that lack what their block would have brought, by their places.
  private(set) var unfilled: Set<SourceRange> = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The number of names that were compared letter by letter to find the one that is meant.
  private(set) var comparisons = 0
  private var size = 0
  private var opened: [String] = []

  init(_ blocks: [String: BlockDefinition], isPartial: Bool) {
    self.blocks = blocks
    self.isPartial = isPartial
  }

  /// The file with what its blocks hold.
  mutating func expand(file root: YAMLNode) -> YAMLNode {
    guard case .mapping(let members) = root.content else { return root }
    var node = expand(root, .scenario)
    guard case .mapping(var expanded) = node.content, expanded.count == members.count else {
      return node
    }
    for index in expanded.indices where expanded[index].key.value == "scenarios" {
      guard case .sequence(let entries) = expanded[index].value.content else { continue }
      expanded[index].value.content = .sequence(entries.map { expand($0, .scenario) })
    }
    node.content = .mapping(expanded)
    return node
  }

  // MARK: - Walking

  private mutating func expand(_ node: YAMLNode, _ place: Place) -> YAMLNode {
    var node = node
    switch (node.content, place) {
    case (.sequence(let nodes), .steps):
      node.content = .sequence(
        nodes.flatMap { spliced($0, .steps) }.map { expand($0, .step) })
    case (.sequence(let nodes), .part(.responses)):
      node.content = .sequence(nodes.flatMap { spliced($0, .responses) })
    case (.mapping, .part(let part)): node = joined(node, part)
    case (.mapping(let members), .targets(let part)):
      node.content = .mapping(
        members.map { YAMLMember(key: $0.key, value: joined($0.value, part)) })
    case (.mapping, .expect):
      node = joined(node, .expect)
      node = members(of: node, in: .expect)
    case (.mapping, _): node = members(of: node, in: place)
    default: break
    }
    return node
  }

  private mutating func members(of node: YAMLNode, in place: Place) -> YAMLNode {
    guard case .mapping(let members) = node.content else { return node }
    var node = node
    node.content = .mapping(
      members.map { member in
        guard let inner = Self.place(of: member.key.value, in: place) else { return member }
        return YAMLMember(key: member.key, value: expand(member.value, inner))
      })
    return node
  }

  private static func place(of key: String, in place: Place) -> Place? {
    switch (place, key) {
    case (.scenario, "steps"), (.scenario, "cleanup"), (.scenario, "always"), (.timed, "steps"),
      (.timed, "during"), (.explore, "steps"), (.explore, "then"):
      .steps
    case (.scenario, "expect"), (.step, "expect"), (.expect, "tolerated"), (.expect, "borne"),
      (.expect, "eventually"), (.expect, "always"):
      .expect
    case (.expect, "targets"): .targets(of: .expect)
    case (.scenario, "target"): .part(.target)
    case (.scenario, "targets"): .targets(of: .target)
    case (.scenario, "clock"): .part(.clock)
    case (.scenario, "responses"), (.step, "responses"), (.step, "respond"): .part(.responses)
    case (.scenario, "explore"): .explore
    case (.step, "travel"), (.step, "jump"), (.step, "freeze"), (.step, "rate"): .timed
    default: nil
    }
  }

  // MARK: - Using

  /// The use of a block: `{ block: login, with: { user: ann } }`.
  private struct Use {
    var name: Located<String>
    var arguments: [YAMLMember]
    /// The members beside it.
    var others: [YAMLMember]
  }

  private mutating func use(in node: YAMLNode) -> Use? {
    guard case .mapping(let members) = node.content,
      let block = members.first(where: { $0.key.value == "block" })
    else { return nil }
    var use = Use(name: Located("", at: block.value.range), arguments: [], others: [])
    if case .scalar(let scalar) = block.value.content { use.name.value = scalar.text }
    for member in members where member.key.value != "block" {
      guard member.key.value == "with" else {
        use.others.append(member)
        continue
      }
      if case .mapping(let arguments) = member.value.content {
        use.arguments = arguments
      } else {
        report(
          "\"with\" must be a map", code: .wrongType, at: member.value.range,
          help: "write names and values, as in with: { user: ann }")
      }
    }
    return use
  }

  /// The entries of a list that come of one of them.
  private mutating func spliced(_ node: YAMLNode, _ part: BlockDefinition.Part) -> [YAMLNode] {
    guard let use = use(in: node) else { return [node] }
    if let other = use.others.first {
      report(
        "\"\(other.key.value)\" cannot be combined with \"block\"", code: .contradictory,
        at: other.key.range,
        help: "write it as a separate entry; pass values to the block in \"with\"")
    }
    guard let content = content(of: use, part) else { return [] }
    defer { opened.removeLast() }
    guard case .sequence(let entries) = content.content else {
      report(
        "\"\(part.rawValue)\" of the block \"\(use.name.value)\" must be a list", code: .wrongType,
        at: content.range, help: "write \"- \" before each entry")
      return []
    }
    return entries.flatMap { spliced($0, part) }
  }

  /// A map with what its block holds joined to it.
  private mutating func joined(_ node: YAMLNode, _ part: BlockDefinition.Part) -> YAMLNode {
    guard let use = use(in: node) else { return node }
    var result = node
    result.content = .mapping(use.others)
    guard let content = content(of: use, part) else {
      unfilled.insert(node.range)
      return result
    }
    defer { opened.removeLast() }
    let inner = joined(content, part)
    guard case .mapping = inner.content else {
      report(
        "\"\(part.rawValue)\" of the block \"\(use.name.value)\" must be a map", code: .wrongType,
        at: content.range, help: "write \"key: value\" lines, indented")
      unfilled.insert(node.range)
      return result
    }
    if unfilled.contains(content.range) { unfilled.insert(node.range) }
    return Self.join(result, over: inner)
  }

  /// The maps in which a nearer value is joined with the rest key by key.
  private static let joinedKeys: Set<String> = [
    "chaos", "env", "files", "limits", "processes", "stop",
  ]

  private static func join(_ own: YAMLNode, over other: YAMLNode) -> YAMLNode {
    guard case .mapping(var members) = own.content, case .mapping(let others) = other.content else {
      return own
    }
    for member in others {
      guard let index = members.firstIndex(where: { $0.key.value == member.key.value }) else {
        members.append(member)
        continue
      }
      let value = members[index].value
      if joinedKeys.contains(member.key.value) {
        members[index].value = join(value, over: member.value)
      } else if member.key.value == "requests", case .sequence(let first) = value.content,
        case .sequence(let second) = member.value.content
      {
        members[index].value.content = .sequence(first + second)
      }
    }
    var result = own
    result.content = .mapping(members)
    return result
  }

  /// Returns the content of the block, its parameters filled in, with the block opened; `nil` after
  /// a report.
  private mutating func content(of use: Use, _ part: BlockDefinition.Part) -> YAMLNode? {
    let name = use.name
    guard let block = blocks[name.value] else {
      if isPartial {
        awaitsOthers = true
      } else {
        report(
          "unknown block \"\(name.value)\"", code: .badBlock, at: name.range,
          help: blocks.isEmpty
            ? "define it at the top of the file: blocks: { \(name.value): { \(part.rawValue): … } }"
            : names.help(for: name.value, label: "blocks", compared: &comparisons))
      }
      return nil
    }
    used[name.value, default: [:]][part] = used[name.value]?[part] ?? name.range
    if let start = opened.firstIndex(of: name.value) {
      let chain = (opened[start...] + [name.value]).joined(separator: " → ")
      report(
        "the block \"\(name.value)\" contains itself: \(chain)", code: .badBlock, at: name.range,
        help: "remove one of the uses", notes: [.init("it is defined here", at: block.name.range)]
      )
      return nil
    }
    guard let content = block.parts[part] else {
      let held = block.parts.keys.map(\.rawValue).sorted().joined(separator: ", ")
      report(
        "the block \"\(name.value)\" has no \"\(part.rawValue)\"", code: .badBlock, at: name.range,
        help: "it has only \(held)", notes: [.init("it is defined here", at: block.name.range)])
      return nil
    }
    size += content.size
    guard size <= Self.sizeLimit, opened.count < Self.depthLimit else {
      report(
        "the blocks of the file expand to too much", code: .tooLarge, at: name.range,
        help: "nest fewer blocks in each other")
      return nil
    }
    guard let arguments = arguments(of: use, for: block) else { return nil }
    opened.append(name.value)
    var filling = ParameterFilling(arguments, block: name.value)
    let filled = filling.fill(content)
    diagnostics += filling.diagnostics
    return filled
  }

  private mutating func arguments(of use: Use, for block: BlockDefinition) -> [String: YAMLNode]? {
    let known = KnownNames(block.parameters.lazy.map(\.name.value))
    var arguments: [String: YAMLNode] = [:]
    var isComplete = true
    for argument in use.arguments {
      guard known.contains(argument.key.value) else {
        report(
          "the block \"\(use.name.value)\" has no parameter \"\(argument.key.value)\"",
          code: .badBlock, at: argument.key.range,
          help: block.parameters.isEmpty
            ? "the block has no parameters; define them in its \"params\""
            : known.help(
              for: argument.key.value, label: "parameters", compared: &comparisons),
          notes: [.init("the block is defined here", at: block.name.range)])
        isComplete = false
        continue
      }
      arguments[argument.key.value] = argument.value
    }
    for parameter in block.parameters where arguments[parameter.name.value] == nil {
      guard let fallback = parameter.fallback else {
        report(
          "the block \"\(use.name.value)\" needs the parameter \"\(parameter.name.value)\"",
          code: .badBlock,
          at: use.name.range, help: "add with: { \(parameter.name.value): … } to the entry",
          notes: [.init("the parameter is defined here", at: parameter.name.range)])
        isComplete = false
        continue
      }
      arguments[parameter.name.value] = fallback
    }
    return isComplete ? arguments : nil
  }

  private mutating func report(
    _ message: String, code: DiagnosticCode, at range: SourceRange, help: String,
    notes: [Diagnostic.Note] = []
  ) {
    diagnostics.append(Diagnostic(message, code: code, at: range, help: help, notes: notes))
  }
}
