internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `chaos:`.
  mutating func decodeChaos(_ node: YAMLNode) -> [ChaosEntry] {
    (decodeList(node, "chaos") ?? []).compactMap { decodeChaosEntry($0) }
  }

  private mutating func decodeChaosEntry(_ node: YAMLNode) -> ChaosEntry? {
    var entry = ChaosEntry(
      name: Located("", at: node.range), victim: .calls([]),
      provider: FaultAction(.original, at: node.range), range: node.range)
    guard
      let reader = decode(
        node, as: Grammar.chaos, subject: "an entry of \"chaos\"", elsewhere: Self.linkEntryHelp,
        into: &entry)
    else { return nil }
    let victim = Self.namesEnds(node) ? nil : decodeVictim(reader)
    let provider = required(
      "provide", in: reader,
      example: reader["disk"] == nil ? "provide: { error: EIO }" : "provide: full"
    ).flatMap { decodeChaosProvider($0) }
    if let range = reader.keyRange("except"), reader["function"] == nil {
      report(
        "\"except\" needs \"function\"", code: .misplaced, at: range,
        help: "add \"function: BN_*\", or remove it")
    }
    guard let victim, let first = victim.names.first, let provider else { return nil }
    entry.victim = victim
    entry.provider = provider
    if !entry.isNamed {
      entry.name = Located(victim.names.map(\.value).joined(separator: "/"), at: first.range)
    }
    return entry
  }

  /// Reports keys that contradict the target of an entry.
  mutating func refuse(_ keys: [String], beside victim: String, _ reader: MappingReader) {
    for key in keys {
      guard let range = reader.keyRange(key) else { continue }
      report(
        "\"\(key)\" cannot be combined with \"\(victim)\"", code: .contradictory, at: range,
        help: "keep one of them, or write an entry for each")
    }
  }

  /// Returns whether an entry has the ends of a link in keys of their own, which is reported, and is about nothing else.
  private static func namesEnds(_ node: YAMLNode) -> Bool {
    guard case .mapping(let members) = node.content else { return false }
    let keys = members.map(\.key.value)
    return keys.contains { linkEndKeys.contains($0) }
      && !keys.contains { ["call", "disk", "function", "link", "process"].contains($0) }
  }

  private mutating func decodeVictim(_ reader: MappingReader) -> FaultTarget? {
    if let node = reader["link"] { return decodeLink(reader, node) }
    if let disk = reader["disk"] {
      refuse(["call", "except", "function", "in", "process"], beside: "disk", reader)
      return .disk(decodeTexts(disk, "disk"))
    }
    if let node = reader["process"] { return decodeProcessVictim(node, reader) }
    // Reported already.
    let isFunctionMeant = reader["call"] == nil && reader.misspelledKeys.contains("function")
    guard !reader.misspelledKeys.contains(where: ["disk", "link", "process"].contains),
      reader["function"] != nil || !isFunctionMeant
    else { return nil }
    guard let functions = reader["function"] else {
      if let range = reader.keyRange("in") {
        report(
          "\"in\" needs \"function\"", code: .misplaced, at: range,
          help: "add \"function: NAME\", or remove it")
      }
      return required("call", in: reader, example: "call: fsync").map {
        .calls(decodeTexts($0, "call"))
      }
    }
    refuse(["call"], beside: "function", reader)
    return .functions(
      decodeTexts(functions, "function"), in: reader["in"].flatMap { decodeText($0, "in") })
  }

  /// Reads one text, or a list of some.
  mutating func decodeTexts(_ node: YAMLNode, _ key: String) -> [Located<String>] {
    switch node.content {
    case .scalar: return decodeText(node, key).map { [$0] } ?? []
    default:
      return (decodeNonEmptyList(node, key) ?? []).compactMap {
        decodeText($0, "an entry of \"\(key)\"")
      }
    }
  }

  // MARK: - Conditions

  /// `where:`, of an entry or of a branch of `match:`.
  mutating func decodeChaosConditions(_ node: YAMLNode) -> WrittenConditions? {
    decode(node, as: Grammar.chaosWhere, subject: "\"where\"", from: WrittenConditions())
  }

  mutating func decodeDescriptorKinds(_ node: YAMLNode) -> [Located<DescriptorKind>] {
    if case .scalar = node.content {
      let kind: Located<DescriptorKind>? = decodeWord(node, "fd")
      return kind.map { [$0] } ?? []
    }
    return (decodeNonEmptyList(node, "fd") ?? []).compactMap {
      decodeWord($0, "an entry of \"fd\"")
    }
  }

  mutating func decodeArgumentConditions(
    _ node: YAMLNode
  ) -> [Located<ChaosTest.ArgumentCondition>] {
    (decodeMembers(node, "args") ?? []).compactMap { member in
      guard let index = decodeArgumentIndex(member.key),
        let condition = decodeIntegerCondition(member.value, "argument \(member.key.value)")
      else { return nil }
      return Located(.init(index: index.value, condition: condition.value), at: index.range)
    }
  }

  /// The place of an argument: system calls have six.
  mutating func decodeArgumentIndex(_ key: Located<String>) -> Located<Int>? {
    if let index = Int(key.value), (0...5).contains(index) { return Located(index, at: key.range) }
    report(
      "\"\(key.value)\" is not the index of an argument", code: .outOfRange, at: key.range,
      help: "arguments count from 0 to 5, as in \"args: { 2: { greater_than: 10 } }\"")
    return nil
  }

  mutating func decodeProcessName(_ node: YAMLNode) -> Located<ProcessName>? {
    if case .scalar(let scalar) = node.content, case .integer = scalar.meaning {
      return decodeCount(node, "process", in: 1...Int.max).map {
        Located(.ordinal($0), at: node.range)
      }
    }
    return decodeText(node, "process").map { Located(.program($0.value), at: $0.range) }
  }

  // MARK: - Schedule

  mutating func decodeSchedule(_ node: YAMLNode) -> WrittenSchedule? {
    var schedule = WrittenSchedule()
    guard
      let reader = decode(node, as: Grammar.chaosWhen, subject: "\"when\"", into: &schedule)
    else { return nil }
    for member in reader.members where schedule.ranges[member.key.value] == nil {
      schedule.ranges[member.key.value] = member.value.range
    }
    let hasPlaces = !schedule.value.places.isEmpty || schedule.placeExpression != nil
    if schedule.value.every != nil, hasPlaces,
      let range = reader.keyRange("nth")
    {
      report(
        "\"nth\" cannot be combined with \"every\" in \"when\"", code: .contradictory, at: range,
        help: "keep one of them")
    }
    return schedule
  }

  mutating func decodePlaces(_ node: YAMLNode) -> [Int] {
    if case .scalar = node.content {
      return decodeCount(node, "nth", in: 1...Int.max).map { [$0] } ?? []
    }
    let places = (decodeNonEmptyList(node, "nth") ?? []).compactMap {
      decodeCount($0, "an entry of \"nth\"", in: 1...Int.max)
    }
    return places.sorted()
  }

  /// A part of a whole, 0 … 1.
  mutating func decodePart(_ node: YAMLNode, _ subject: String) -> Double? {
    guard case .scalar(let scalar) = node.content else {
      reportType(node, subject, "must be a number", help: "write a number such as 0.1")
      return nil
    }
    let part: Double
    switch scalar.meaning {
    case .integer(let integer): part = Double(integer)
    case .number(let number): part = number
    default:
      reportType(node, subject, "must be a number", help: "write a number such as 0.1")
      return nil
    }
    guard (0...1).contains(part) else {
      report(
        "\(quoted(subject)) must be from 0 to 1, not \(scalar.text)", code: .outOfRange,
        at: node.range,
        help: "write a number from 0 to 1, such as 0.1 for one in ten")
      return nil
    }
    return part
  }

  // MARK: - Numbers

  /// A number, a number of bytes such as `4KiB`, or conditions on it.
  mutating func decodeIntegerCondition(
    _ node: YAMLNode, _ subject: String
  ) -> Located<IntegerCondition>? {
    guard case .mapping(let members) = node.content else {
      return decodeSize(node, subject).map { Located(.equals($0), at: node.range) }
    }
    let grammar = Grammar.chaosNumberConditions
    guard let reader = mapping(node, as: grammar, subject: quoted(subject)) else {
      return nil
    }
    guard !members.isEmpty else {
      report(
        "\(quoted(subject)) has no condition", code: .empty, at: node.range,
        help: "add one of: \(grammar.keys.joined(separator: ", "))")
      return nil
    }
    var conditions: [IntegerCondition] = []
    for member in reader.members { grammar.read(member, by: &self, into: &conditions) }
    guard conditions.count == members.count else { return nil }
    return Located(conditions.count == 1 ? conditions[0] : .allOf(conditions), at: node.range)
  }

  /// Reads two numbers, the smaller one first.
  mutating func decodeBounds(_ node: YAMLNode, _ key: String) -> ClosedRange<Int64>? {
    guard let nodes = decodeList(node, key) else { return nil }
    guard nodes.count == 2 else {
      report(
        "\"\(key)\" needs two numbers", code: .badRange, at: node.range,
        help: "write \"\(key): [0, 99]\"")
      return nil
    }
    let numbers = nodes.compactMap { decodeSize($0, "an entry of \"\(key)\"") }
    guard numbers.count == 2 else { return nil }
    guard numbers[0] <= numbers[1] else {
      report(
        "the range from \(numbers[0]) to \(numbers[1]) is empty", code: .badRange, at: node.range,
        help: "write \"\(key): [\(numbers[1]), \(numbers[0])]\"")
      return nil
    }
    return numbers[0]...numbers[1]
  }

  /// A whole number, or a number of bytes with its unit.
  mutating func decodeSize(_ node: YAMLNode, _ subject: String) -> Int64? {
    guard case .scalar(let scalar) = node.content, case .text = scalar.meaning else {
      return decodeInteger(node, subject)?.value
    }
    if let count = try? ByteCountText.parse(scalar.text) { return Int64(count) }
    reportType(
      node, subject, "must be a number",
      help: "write a number such as 4096 or 4KiB, or { greater_than: 4096 }")
    return nil
  }
}

extension FaultTarget {
  /// The names that the author wrote, in order.
  fileprivate var names: [Located<String>] {
    switch self {
    case .calls(let calls): calls
    case .functions(let functions, _): functions
    case .link(let link): [link.place]
    case .disk(let globs): globs
    case .processes(let processes): processes.map { Located($0.value.text, at: $0.range) }
    }
  }
}

extension YAMLNode {
  /// True if it is a text with an expression in it.
  var isTemplate: Bool {
    if case .scalar(let scalar) = content {
      TemplateParser.isNeeded(for: scalar.text)
    } else {
      false
    }
  }
}
