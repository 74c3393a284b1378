internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `provide:`: a word, or a map with one provider.
  mutating func decodeChaosProvider(_ node: YAMLNode) -> FaultAction? {
    if let faults = decodeLinkFaults(node) {
      return faults.map { FaultAction(.link($0), at: node.range) }
    }
    if case .scalar = node.content { return decodeProviderWord(node) }
    let keys = Grammar.chaosProvide.keys + Grammar.linkFaultKeys
    let words = Grammar.chaosProviderWords.map { ($0, "write \"provide: \($0)\"") }
    guard
      let reader = mapping(
        node, keys: keys, of: Grammar.chaosProvide.definition,
        former: Grammar.chaosProvide.former, subject: "\"provide\"",
        elsewhere: Self.linkProviderHelp.merging(words) { first, _ in first })
    else { return nil }
    let providers = Grammar.chaosProviders + Grammar.linkFaultKeys
    guard !refusePair(in: reader, among: providers) else { return nil }
    guard let member = single(among: providers, in: reader) else {
      if reader["lose"] != nil { return decodeCrash(reader) }
      if reader.unknownCount == 0 {
        report(
          "\"provide\" has no provider", code: .empty, at: node.range,
          help: Self.helpForCompanions(of: reader)
            ?? "add one of: \(Grammar.chaosProviders.sorted().joined(separator: ", "))")
      }
      return nil
    }
    for extra in reader.members(among: Grammar.chaosCompanions) {
      let owners = Self.owners(of: extra.key.value, among: reader)
      guard !owners.contains(member.key.value) else { continue }
      report(
        "\"\(extra.key.value)\" does not belong to \"\(member.key.value)\"", code: .misplaced,
        at: extra.key.range,
        help: extra.key.value == "lose"
          ? member.key.value == "restart" ? Self.lossAtRestartHelp : Self.lossHelp
          : "write it with \(owners.map { "\"\($0)\"" }.joined(separator: " and "))")
    }
    // Faults of a link beside another provider, which was reported.
    guard !Grammar.linkFaultKeys.contains(member.key.value) else { return nil }
    if member.key.value == "kill", reader["lose"] != nil { return decodeCrash(reader) }
    return decodeProvider(member, reader).map { FaultAction($0, at: member.key.range) }
  }

  /// Refuses a delay or a signal beside what is to follow it; false if there is no such pair.
  private mutating func refusePair(in reader: MappingReader, among providers: [String]) -> Bool {
    let members = reader.members(among: providers)
    guard members.count == 2, reader["then"] == nil,
      let first = members.first(where: { ["delay", "signal"].contains($0.key.value) }),
      let other = members.first(where: { $0.key.value != first.key.value }),
      !Grammar.linkFaultKeys.contains(other.key.value)
    else { return false }
    let both: [YAMLMember] = [
      first, .made("then", .map([(other.key.value, other.value)], at: other.value.range)),
    ]
    report(
      "\"\(members[1].key.value)\" cannot be combined with \"\(members[0].key.value)\" in \"provide\"",
      code: .contradictory, at: members[1].key.range,
      help:
        "write \"provide: \(both.inlineText)\" to apply both in turn, or keep one of them",
      notes: [Diagnostic.Note("the other one is here", at: members[0].key.range)])
    return true
  }

  /// Returns the help for a map that has nothing but what belongs to a provider.
  private static func helpForCompanions(of reader: MappingReader) -> String? {
    guard let member = reader.members.first else { return nil }
    switch member.key.value {
    case "errno":
      return
        "write \"provide: { error: \(member.value.inlineText) }\"; \"errno\" goes with \"constant\""
    case "then": return "write \"delay: 1s\" or \"signal: TERM\" next to \"then\""
    case "else": return "write \"match: [ … ]\" next to \"else\""
    default: return nil
    }
  }

  private static let lossHelp =
    "write it with \"kill\", as in { kill: tree, lose: unsynced }, or only { lose: unsynced }"
    + " for a disk"

  private static let lossAtRestartHelp =
    "write { kill: tree, lose: unsynced }, and restart the target with a step \"- start:\" or"
    + " \"- run:\""

  /// Returns the providers that a key may be beside.
  private static func owners(of externalParticipant: String, among reader: MappingReader)
    -> [String]
  {
    switch externalParticipant {
    case "errno": ["constant"]
    case "else": ["match"]
    case "lose": ["kill"]
    case "files", "metadata", "torn": reader["lose"] == nil ? ["lose"] : ["kill"]
    default: ["delay", "signal"]
    }
  }

  private mutating func decodeProviderWord(_ node: YAMLNode) -> FaultAction? {
    if node.isNull {
      report(
        "\"provide\" is empty", code: .empty, at: node.range,
        help: "write \"provide: nil\" for 0 without the call, or { error: EIO }")
      return nil
    }
    guard let text = decodeText(node, "provide") else { return nil }
    let content: FaultAction.Content
    switch text.value {
    case "original": content = .original
    case "nil": content = .nothing
    case "hang": content = .hang
    case "lie": content = .lie
    case "kill": content = .kill(.process)
    case "full": content = .disk(.full)
    case "read_only": content = .disk(.readOnly)
    case "restart": content = .restart(after: .zero)
    default:
      let maps = Grammar.chaosProviders + Grammar.linkFaultKeys
      if maps.contains(text.value) {
        report(
          "\"\(text.value)\" needs a value", code: .empty, at: text.range,
          help: "write \"provide: { \(text.value): … }\"")
      } else if text.value.hasPrefix("E"), text.value == text.value.uppercased() {
        report(
          "unknown provider \"\(text.value)\"", code: .unknownProvider, at: text.range,
          help: "write \"provide: { error: \(text.value) }\"")
      } else {
        report(
          "unknown provider \"\(text.value)\"", code: .unknownProvider, at: text.range,
          help: Self.linkProviderHelp[text.value]
            ?? Suggestion.help(
              for: text.value, in: Grammar.chaosProviderWords + maps, label: "providers"))
      }
      return nil
    }
    return FaultAction(content, at: text.range)
  }

  private mutating func decodeProvider(
    _ member: YAMLMember, _ reader: MappingReader
  ) -> FaultAction.Content? {
    let node = member.value
    switch member.key.value {
    case "constant": return decodeConstant(node, reader)
    case "signal": return decodeProvidedSignal(node, reader)
    case "match": return decodeMatch(node, reader)
    case "delay": return decodeProvidedDelay(node, reader)
    default:
      var content: FaultAction.Content?
      Grammar.chaosProvide.read(member, by: &self, into: &content)
      return content
    }
  }

  private mutating func decodeConstant(
    _ node: YAMLNode, _ reader: MappingReader
  ) -> FaultAction.Content? {
    let errno = reader["errno"].flatMap { decodeText($0, "errno") }
    if case .scalar(let scalar) = node.content, case .text = scalar.meaning {
      return decodeText(node, "constant").map { .constant(.text($0.value), errno: errno) }
    }
    if case .scalar(let scalar) = node.content, case .number(let number) = scalar.meaning {
      return .constant(.fraction(number), errno: errno)
    }
    return decodeInteger(node, "constant").map { .constant(.number($0.value), errno: errno) }
  }

  mutating func decodeComputation(_ node: YAMLNode) -> FaultAction.Computation? {
    guard case .mapping = node.content else {
      return decodeText(node, "compute", example: "compute: \"args[2] / 2\"").map {
        FaultAction.Computation(result: $0)
      }
    }
    guard let reader = mapping(node, as: Grammar.chaosCompute, subject: "\"compute\"")
    else { return nil }
    let arguments = (reader["args"].flatMap { decodeMembers($0, "args") } ?? []).compactMap {
      member -> (index: Located<Int>, expression: Located<String>)? in
      guard let index = decodeArgumentIndex(member.key),
        let expression = decodeText(member.value, "argument \(member.key.value)")
      else { return nil }
      return (index, expression)
    }
    let result = reader["result"].flatMap { decodeText($0, "result") }
    let bytes = reader["bytes"].flatMap { decodeText($0, "bytes") }
    guard result != nil || bytes != nil || !arguments.isEmpty else {
      if reader.unknownCount == 0 {
        report(
          "\"compute\" is empty", code: .empty, at: node.range,
          help: "write \"compute: { args: { 2: args[2] / 2 } }\"")
      }
      return nil
    }
    var computation = FaultAction.Computation(result: result, arguments: arguments)
    computation.bytes = bytes
    return computation
  }

  mutating func decodeRandom(_ node: YAMLNode) -> FaultAction.Content? {
    guard case .mapping = node.content else {
      return decodeBounds(node, "random").map { .randomNumber($0) }
    }
    guard let reader = mapping(node, as: Grammar.chaosRandom, subject: "\"random\""),
      let errors = required("error", in: reader, example: "error: documented")
    else { return nil }
    if case .scalar(let scalar) = errors.content, scalar.text == "documented" {
      return .randomError(.documented)
    }
    guard case .sequence = errors.content else {
      reportType(
        errors, "error", "must be documented or a list",
        help: "write \"error: documented\" or \"error: [EIO, ENOSPC]\"")
      return nil
    }
    let names = decodeTexts(errors, "error")
    return names.isEmpty ? nil : .randomError(.among(names))
  }

  private mutating func decodeProvidedSignal(
    _ node: YAMLNode, _ reader: MappingReader
  ) -> FaultAction.Content? {
    let then = reader["then"].flatMap { decodeChaosProvider($0) }
    guard case .mapping = node.content else {
      return decodeSignal(node).map { .signal($0, isAfter: false, then: then) }
    }
    guard
      let reading = decode(
        node, as: Grammar.chaosSignal, subject: "\"signal\"", from: MomentReading()),
      let signal = reading.words.first
    else { return nil }
    return .signal(signal, isAfter: reading.moment == .after, then: then)
  }

  mutating func decodeExecution(_ node: YAMLNode) -> FaultAction.Content? {
    guard case .mapping = node.content else {
      let words = decodeCommand(node)
      return words.isEmpty ? nil : .execute(words, isAfter: false)
    }
    guard
      let reading = decode(
        node, as: Grammar.chaosExec, subject: "\"exec\"", from: MomentReading()),
      !reading.words.isEmpty
    else { return nil }
    return .execute(reading.words, isAfter: reading.moment == .after)
  }

  private mutating func decodeMatch(
    _ node: YAMLNode, _ reader: MappingReader
  ) -> FaultAction.Content? {
    let otherwise = reader["else"].flatMap { decodeChaosProvider($0) }
    let nodes = decodeNonEmptyList(node, "match") ?? []
    let branches = nodes.compactMap { node -> FaultAction.Branch? in
      let initial = FaultAction.Branch(
        conditions: WrittenConditions(), provider: FaultAction(.original, at: node.range))
      return decode(
        node, as: Grammar.chaosBranch, subject: "an entry of \"match\"", from: initial)
    }
    return branches.isEmpty || branches.count < nodes.count
      ? nil : .match(branches, otherwise: otherwise)
  }

  private mutating func decodeProvidedDelay(
    _ node: YAMLNode, _ reader: MappingReader
  ) -> FaultAction.Content? {
    let then = reader["then"].flatMap { decodeChaosProvider($0) }
    guard case .sequence(let nodes) = node.content else {
      return decodeDelay(node, "delay").map { .delay(from: $0.value, to: $0.value, then: then) }
    }
    let bounds = nodes.compactMap { decodeDelay($0, "an entry of \"delay\"")?.value }
    guard bounds.count == 2, bounds[0] <= bounds[1] else {
      if bounds.count == nodes.count {
        report(
          "\"delay\" needs two durations, the shortest and the longest", code: .badRange,
          at: node.range,
          help: "write \"delay: [1s, 5s]\", or \"delay: 3s\"")
      }
      return nil
    }
    return .delay(from: bounds[0], to: bounds[1], then: then)
  }

  mutating func decodeAmount(_ node: YAMLNode, _ subject: String) -> PartialAmount? {
    guard case .mapping = node.content else {
      guard let size = decodeSize(node, subject) else { return nil }
      guard size >= 1 else {
        report(
          "\"\(subject)\" must be at least one byte, not \(size)", code: .outOfRange,
          at: node.range,
          help: "write \"nil\" for a call that transfers nothing, which means end of file")
        return nil
      }
      return .bytes(Int(clamping: size))
    }
    guard let reader = mapping(node, as: Grammar.chaosAmount, subject: "\"\(subject)\"") else {
      return nil
    }
    guard let member = single(among: Grammar.chaosAmount.keys, in: reader) else {
      if reader.unknownCount == 0 {
        report(
          "\"\(subject)\" is empty", code: .empty, at: node.range,
          help: "write { bytes: 1 } or { fraction: 0.5 }")
      }
      return nil
    }
    if member.key.value == "fraction" {
      return decodePart(member.value, "fraction").map { .fraction($0) }
    }
    return decodeAmount(member.value, "bytes")
  }

  mutating func decodeCorruption(_ node: YAMLNode) -> Corruption? {
    guard let reader = mapping(node, as: Grammar.chaosCorrupt, subject: "\"corrupt\"") else {
      return nil
    }
    let kinds = Grammar.chaosCorrupt.keys(without: ["offset"])
    let place = reader["offset"].flatMap { decodeCount($0, "offset", in: 0...Int.max) }
    guard let member = single(among: kinds, in: reader) else {
      if reader.unknownCount == 0 {
        report(
          "\"corrupt\" is empty", code: .empty, at: node.range,
          help: "write one of: { flip_bits: 1 }, { zero: 16 }, { truncate: { fraction: 0.5 } }")
      }
      return nil
    }
    switch member.key.value {
    case "flip_bits":
      return decodeCount(member.value, "flip_bits", in: 1...4096).map { .flipBits($0, at: place) }
    case "zero":
      guard let size = decodeSize(member.value, "zero") else { return nil }
      guard (1...(1 << 20)).contains(size) else {
        report(
          "\"zero\" must be from 1 to 1048576, not \(size)", code: .outOfRange,
          at: member.value.range,
          help: "write a number of bytes such as 16")
        return nil
      }
      return .zero(Int(size), at: place)
    default:
      if let offset = reader["offset"] {
        report(
          "\"truncate\" removes the end, but \"offset\" selects another place",
          code: .contradictory,
          at: offset.range, help: "remove \"offset\", or write flip_bits: or zero: with it")
      }
      return decodeAmount(member.value, "truncate").map { .truncate($0) }
    }
  }
}

/// The moment of an action in relation to the call.
enum CallMoment: String, CaseIterable, Sendable {
  case before
  case after
}

/// A value with its moment: a program's words, or a signal's name.
struct MomentReading {
  /// The words.
  var words: [Located<String>] = []
  /// `at:`.
  var moment = CallMoment.before
}
