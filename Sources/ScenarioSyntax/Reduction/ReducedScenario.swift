package import Foundations
internal import OrderedCollections

/// A file that holds one scenario of another file, its expectations taken out and others put in.
///
/// Anchors are written out, comments are left behind.
package struct ReducedScenario {
  private let file: [YAMLMember]
  private let own: [YAMLMember]?
  private let name: String

  /// Finds the scenario by its name.
  ///
  /// - Parameters:
  ///   - bytes: the file's text.
  ///   - path: the file's path, for messages.
  ///   - name: the scenario's name; that of the file where its scenario stands alone.
  package init?(bytes: [UInt8], path: String, name: String) {
    guard UTF8Validation.firstInvalid(in: bytes) == nil,
      let root = YAMLReader.read(
        SourceText(path: path, bytes: ScenarioUpgrade.current(bytes, path: path))
      ).root,
      case .mapping(let members) = root.content
    else { return nil }
    file = members
    self.name = name
    guard
      case .sequence(let entries)? = members.first(where: { $0.key.value == "scenarios" })?
        .value.content
    else {
      own = nil
      return
    }
    let mappings = entries.compactMap { entry -> [YAMLMember]? in
      guard case .mapping(let members) = entry.content else { return nil }
      return members
    }
    guard let found = mappings.first(where: { $0.text(of: "name") == name }) else { return nil }
    own = found
  }

  /// The additions.
  package struct Additions {
    /// The chaos entry that comes behind the scenario's own; its `where` is what `explore:` says and this.
    package var chaos: Value
    /// The conditions that must hold at the end, in place of all expectations.
    package var expect: Value
    /// The conditions that must hold behind each step at whose end the target has ended.
    package var stepExpect: Value
    /// Steps behind the scenario's own, as `explore: { steps: … }` has them, behind `revert: all`.
    package var hasThen = false
    /// The virtual time that passes behind the steps, so that processes can end; `nil` for none.
    package var grace: String?
    /// The clock; `nil` leaves the scenario's own.
    package var clock: Value?
    /// `entropy:`; `nil` leaves the scenario's own.
    package var entropy: String?
    /// `seed:`.
    package var seed: Int64
    /// `timeout:`; `nil` leaves the scenario's own.
    package var timeout: String?
    /// `folder:`.
    package var folder: String
    /// The one row of `matrix:`; `nil` for a scenario without.
    package var row: Value?

    /// Creates additions.
    package init(chaos: Value, expect: Value, stepExpect: Value, seed: Int64, folder: String) {
      self.chaos = chaos
      self.expect = expect
      self.stepExpect = stepExpect
      self.seed = seed
      self.folder = folder
    }
  }

  /// The text of the file.
  ///
  /// - Parameter remarks: Lines of the comment at its top.
  package func text(remarks: [String], _ additions: Additions) -> String {
    var writer = NodeWriter()
    for remark in remarks {
      writer.text += "# \(TerminalText.line(remark.filter { !$0.isNewline }))\n"
    }
    writer.write(members(additions), indentation: 0)
    return writer.text
  }

  // MARK: - Parts

  private static let left: Set<String> = [
    "scenarios", "explore", "name", "expect", "steps", "chaos", "version", "folder", "tags", "seed",
    "matrix", "only", "skip",
  ]

  private func members(_ additions: Additions) -> [YAMLMember] {
    var list: [YAMLMember] = [
      .made("version", .made(.integer(LanguageVersion.current))),
      .made("folder", .made(.string(additions.folder))),
      .made("name", .made(.string(name))), .made("seed", .made(.integer(additions.seed))),
    ]
    let scenario = own ?? []
    for member in file where !Self.left.contains(member.key.value) {
      guard !overridden.contains(member.key.value) else { continue }
      guard scenario.node(of: member.key.value) == nil || Self.merges(member.key.value) else {
        continue
      }
      list.append(member)
    }
    for member in scenario where !Self.left.contains(member.key.value) {
      guard let index = list.firstIndex(where: { $0.key.value == member.key.value }) else {
        list.append(member)
        continue
      }
      list[index].value = Self.merged(member.value, over: list[index].value)
    }
    if let row = additions.row { list.append(.made("matrix", .made(.list([row])))) }
    Self.relax(&list)
    if let clock = additions.clock { list.set("clock", .made(clock)) }
    if let entropy = additions.entropy { list.set("entropy", .made(.string(entropy))) }
    if let timeout = additions.timeout { list.set("timeout", .made(.string(timeout))) }
    list.append(.made("chaos", chaos(additions)))
    if let steps = steps(additions) { list.append(.made("steps", steps)) }
    list.append(.made("expect", .made(additions.expect)))
    return list
  }

  /// Returns whether a scenario's own entries are joined with those of the file.
  private static func merges(_ key: String) -> Bool {
    [
      "build", "clock", "factories", "network", "override", "responses", "sequences", "target",
      "targets", "vars",
    ].contains(key)
  }

  /// The keys of which the scenario inherits nothing.
  private var overridden: [String] {
    switch own?.node(of: "override")?.content {
    case .scalar(let scalar)?: [scalar.text]
    case .sequence(let nodes)?: nodes.compactMap(\.scalarText)
    case .mapping?, nil: []
    }
  }

  /// Maps within others that are joined as well.
  private static let joinedKeys: Set<String> = ["env", "files", "limits", "stop"]

  /// A scenario's own entries before those of the file.
  private static func merged(_ own: YAMLNode, over other: YAMLNode) -> YAMLNode {
    var node = own
    switch (own.content, other.content) {
    case (.sequence(let first), .sequence(let second)): node.content = .sequence(first + second)
    case (.mapping(let first), .mapping(let second)):
      let joined = first.map { member in
        guard joinedKeys.contains(member.key.value), let other = second.node(of: member.key.value)
        else { return member }
        return YAMLMember(key: member.key, value: merged(member.value, over: other))
      }
      node.content = .mapping(joined + second.filter { first.node(of: $0.key.value) == nil })
    default: break
    }
    return node
  }

  /// A target that fails well asks for fewer responses.
  private static func relax(_ list: inout [YAMLMember]) {
    let hasResponses = list.contains { $0.key.value == "responses" || $0.key.value == "network" }
    guard hasResponses else { return }
    guard let index = list.firstIndex(where: { $0.key.value == "network" }),
      case .mapping(var members) = list[index].value.content
    else {
      return list.append(.made("network", .made(.map(["unused": .string("ignore")]))))
    }
    members.set("unused", .made(.string("ignore")))
    list[index].value.content = .mapping(members)
  }

  private func chaos(_ additions: Additions) -> YAMLNode {
    var entries: [YAMLNode] = []
    for members in [own ?? [], overridden.contains("chaos") ? [] : file] {
      guard case .sequence(let list)? = members.node(of: "chaos")?.content else { continue }
      entries += list
    }
    var entry = YAMLNode.made(additions.chaos)
    if case .mapping(var members) = entry.content, let conditions = explored("where"),
      case .mapping(let author) = conditions.content
    {
      var all = author
      if case .mapping(let narrowed)? = members.node(of: "where")?.content {
        all += narrowed.filter { author.node(of: $0.key.value) == nil }
      }
      var node = conditions
      node.content = .mapping(all)
      members.set("where", node)
      entry.content = .mapping(members)
    }
    return .list(entries + [entry])
  }

  /// A member of `explore:`, the scenario's own or the file's.
  private func explored(_ key: String) -> YAMLNode? {
    for members in [own ?? [], overridden.contains("explore") ? [] : file] {
      guard case .mapping(let settings)? = members.node(of: "explore")?.content else { continue }
      if let node = settings.node(of: key) { return node }
    }
    return nil
  }

  private func steps(_ additions: Additions) -> YAMLNode? {
    var list: [YAMLNode] = []
    if case .sequence(let steps)? = (own?.node(of: "steps") ?? file.node(of: "steps"))?.content {
      list = steps.compactMap { relaxed($0, additions) }
    }
    let run = YAMLNode.made(.map(["run": .null, "expect": additions.stepExpect]))
    if let grace = additions.grace {
      list = (list.isEmpty ? [run] : list) + [.made(.map(["tick": .string(grace)]))]
    }
    guard additions.hasThen, case .sequence(let then)? = explored("steps")?.content else {
      return list.isEmpty ? nil : .list(list)
    }
    if list.isEmpty { list.append(run) }
    return .list(list + [.made(.map(["revert": .string("all")]))] + then)
  }

  /// A step without its expectations; `nil` if it is nothing else.
  private func relaxed(_ step: YAMLNode, _ additions: Additions) -> YAMLNode? {
    guard case .mapping(let members) = step.content else { return step }
    var kept = members.filter { $0.key.value != "expect" }
    guard kept.contains(where: { $0.key.value != "name" }) else { return nil }
    for index in kept.indices {
      guard case .mapping(var block) = kept[index].value.content,
        case .sequence(let inner)? = block.node(of: "steps")?.content
      else { continue }
      block.set("steps", .list(inner.compactMap { relaxed($0, additions) }))
      kept[index].value.content = .mapping(block)
    }
    let ends =
      kept.contains { $0.key.value == "run" }
      || kept.contains { $0.key.value == "wait" && $0.value.scalarText == "exit" }
    if ends { kept.set("expect", .made(additions.stepExpect)) }
    var node = step
    node.content = .mapping(kept)
    return node
  }
}
