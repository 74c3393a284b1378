extension ScenarioDecoder {
  /// `chaos:`.
  mutating func decodeChaos(_ node: YAMLNode) -> [ChaosEntry] {
    (decodeList(node, "chaos") ?? []).compactMap { decodeChaosEntry($0) }
  }

  private mutating func decodeChaosEntry(_ node: YAMLNode) -> ChaosEntry? {
    let subject = "an entry of \"chaos\""
    let keys = Grammar.chaos.keys
    guard
      let reader = mapping(node, keys: keys, subject: subject, elsewhere: Self.linkEntryHelp)
    else { return nil }
    let name = reader["name"].map { decodeName($0, "name") }
    let conditions = reader["where"].flatMap { decodeChaosConditions($0, "\"where\"") }
    let schedule = reader["when"].flatMap { decodeSchedule($0) }
    let isApplied = reader["apply"].flatMap { decodeBool($0, "apply") }?.value
    let victim = decodeVictim(reader)
    let provider = required(
      "provide", in: reader,
      example: reader["disk"] == nil ? "provide: { error: EIO }" : "provide: full"
    ).flatMap { decodeChaosProvider($0) }
    let exceptions = reader["except"].map { decodeTexts($0, "except") } ?? []
    if let range = reader.keyRange("except"), reader["function"] == nil {
      report(
        "\"except\" stands without \"function\"", code: .misplaced, at: range,
        help: "write \"function: BN_*\" beside it, or take it out")
    }
    guard let victim, let first = victim.names.first, let provider else { return nil }
    let joined = victim.names.map(\.value).joined(separator: "/")
    var entry = ChaosEntry(
      name: (name ?? nil) ?? Located(joined, at: first.range), victim: victim,
      conditions: conditions ?? ChaosConditions(), schedule: schedule ?? ChaosSchedule(),
      provider: provider, isApplied: isApplied ?? true, range: node.range)
    entry.exceptions = exceptions
    entry.isNamed = (name ?? nil) != nil
    return entry
  }

  /// Tells of keys that cannot stand in an entry about something else.
  mutating func refuse(_ keys: [String], beside victim: String, _ reader: MappingReader) {
    for key in keys {
      guard let range = reader.keyRange(key) else { continue }
      report(
        "\"\(key)\" stands beside \"\(victim)\"", code: .contradictory, at: range,
        help: "keep one of the two, or write an entry for each")
    }
  }

  private mutating func decodeVictim(_ reader: MappingReader) -> FaultTarget? {
    if let node = reader["link"] { return decodeLink(reader, node) }
    if let disk = reader["disk"] {
      refuse(["call", "except", "function", "in", "process"], beside: "disk", reader)
      return .disk(decodeTexts(disk, "disk"))
    }
    if let node = reader["process"] { return decodeProcessVictim(node, reader) }
    // Told already.
    let isFunctionMeant = reader["call"] == nil && reader.misspelledKeys.contains("function")
    guard !reader.misspelledKeys.contains(where: ["disk", "link", "process"].contains),
      reader["function"] != nil || !isFunctionMeant
    else { return nil }
    guard let functions = reader["function"] else {
      if let range = reader.keyRange("in") {
        report(
          "\"in\" stands without \"function\"", code: .misplaced, at: range,
          help: "write \"function: NAME\" beside it, or take it out")
      }
      return required("call", in: reader, example: "call: fsync").map {
        .calls(decodeTexts($0, "call"))
      }
    }
    refuse(["call"], beside: "function", reader)
    return .functions(
      decodeTexts(functions, "function"), in: reader["in"].flatMap { decodeText($0, "in") })
  }

  /// One text, or a list of some.
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
  mutating func decodeChaosConditions(_ node: YAMLNode, _ subject: String) -> ChaosConditions? {
    guard let reader = mapping(node, keys: Grammar.chaosWhere.keys, subject: subject) else {
      return nil
    }
    var conditions = ChaosConditions()
    conditions.path = reader["path"].flatMap { decodeText($0, "path") }
    conditions.kinds = reader["fd"].map { decodeDescriptorKinds($0) } ?? []
    conditions.host = reader["host"].flatMap { decodeText($0, "host") }
    conditions.port = reader["port"].flatMap { decodeIntegerCondition($0, "port") }
    conditions.size = reader["size"].flatMap { decodeIntegerCondition($0, "size") }
    conditions.offset = reader["offset"].flatMap { decodeIntegerCondition($0, "offset") }
    conditions.flags = reader["flags"].map { decodeTexts($0, "flags") } ?? []
    conditions.arguments = reader["args"].map { decodeArgumentConditions($0) } ?? []
    conditions.process = reader["process"].flatMap { decodeProcessCondition($0) }
    conditions.thread = reader["thread"].flatMap { decodeText($0, "thread") }
    conditions.caller = reader["caller"].flatMap { decodeText($0, "caller") }
    return conditions
  }

  private mutating func decodeDescriptorKinds(_ node: YAMLNode) -> [Located<DescriptorKind>] {
    if case .scalar = node.content {
      let kind: Located<DescriptorKind>? = decodeWord(node, "fd")
      return kind.map { [$0] } ?? []
    }
    return (decodeNonEmptyList(node, "fd") ?? []).compactMap {
      decodeWord($0, "an entry of \"fd\"")
    }
  }

  private mutating func decodeArgumentConditions(
    _ node: YAMLNode
  ) -> [ChaosConditions.ArgumentCondition] {
    (decodeMembers(node, "args") ?? []).compactMap { member in
      guard let index = decodeArgumentIndex(member.key),
        let condition = decodeIntegerCondition(member.value, "argument \(member.key.value)")
      else { return nil }
      return .init(index: index, condition: condition.value)
    }
  }

  /// The place of an argument: system calls have six.
  mutating func decodeArgumentIndex(_ key: Located<String>) -> Located<Int>? {
    if let index = Int(key.value), (0...5).contains(index) { return Located(index, at: key.range) }
    report(
      "\"\(key.value)\" is not the place of an argument", code: .outOfRange, at: key.range,
      help: "arguments count from 0 to 5, as in \"args: { 2: { greater_than: 10 } }\"")
    return nil
  }

  mutating func decodeProcessCondition(
    _ node: YAMLNode
  ) -> Located<ChaosConditions.ProcessCondition>? {
    if case .scalar(let scalar) = node.content, case .integer = scalar.meaning {
      return decodeCount(node, "process", in: 1...Int.max).map {
        Located(.ordinal($0), at: node.range)
      }
    }
    return decodeText(node, "process").map { Located(.program($0.value), at: $0.range) }
  }

  // MARK: - Schedule

  private mutating func decodeSchedule(_ node: YAMLNode) -> ChaosSchedule? {
    guard let reader = mapping(node, keys: Grammar.chaosWhen.keys, subject: "\"when\"") else {
      return nil
    }
    var schedule = ChaosSchedule()
    schedule.after = reader["after"].flatMap { decodeCount($0, "after", in: 0...Int.max) } ?? 0
    schedule.every = reader["every"].flatMap { node in
      decodeCount(node, "every", in: 1...Int.max).map { Located($0, at: node.range) }
    }
    if let places = reader["nth"], places.isTemplate {
      schedule.placeExpression = decodeTemplate(places, "nth")
    } else {
      schedule.places = reader["nth"].flatMap { decodePlaces($0) }
    }
    schedule.probability = reader["probability"].flatMap { decodePart($0, "probability") }
    schedule.times = reader["times"].flatMap { decodeCount($0, "times", in: 1...Int.max) }
    schedule.from = reader["from"].flatMap { decodeInstantExpression($0, "from") }
    schedule.until = reader["until"].flatMap { decodeInstantExpression($0, "until") }
    schedule.during = reader["during"].flatMap { decodeText($0, "during") }
    schedule.event = reader["on"].flatMap { decodeChaosEvent($0) }
    if schedule.every != nil, schedule.places != nil || schedule.placeExpression != nil,
      let range = reader.keyRange("nth")
    {
      report(
        "\"nth\" stands beside \"every\" in \"when\"", code: .contradictory, at: range,
        help: "keep one of the two")
    }
    return schedule
  }

  private mutating func decodePlaces(_ node: YAMLNode) -> Located<[Int]>? {
    if case .scalar = node.content {
      return decodeCount(node, "nth", in: 1...Int.max).map { Located([$0], at: node.range) }
    }
    let places = (decodeNonEmptyList(node, "nth") ?? []).compactMap {
      decodeCount($0, "an entry of \"nth\"", in: 1...Int.max)
    }
    return places.isEmpty ? nil : Located(places.sorted(), at: node.range)
  }

  private mutating func decodeChaosEvent(_ node: YAMLNode) -> ChaosEvent? {
    guard let reader = mapping(node, keys: Grammar.chaosEvent.keys, subject: "\"on\""),
      let reply = required("reply", in: reader, example: "reply: GET https://api.example.com/"),
      let name = decodeText(reply, "reply")
    else { return nil }
    let number = reader["nth"].flatMap { decodeCount($0, "nth", in: 1...Int.max) }
    return ChaosEvent(reply: name, number: number ?? 1)
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
        help: "write a part of 1, such as 0.1 for one in ten")
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
    guard let reader = mapping(node, keys: Grammar.numberConditions.keys, subject: quoted(subject))
    else { return nil }
    guard !members.isEmpty else {
      report(
        "\(quoted(subject)) says no condition", code: .empty, at: node.range,
        help: "add one of: \(Grammar.numberConditions.keys.joined(separator: ", "))")
      return nil
    }
    let conditions = reader.members.compactMap { decodeIntegerCondition($0) }
    guard conditions.count == members.count else { return nil }
    return Located(conditions.count == 1 ? conditions[0] : .allOf(conditions), at: node.range)
  }

  private mutating func decodeIntegerCondition(_ member: YAMLMember) -> IntegerCondition? {
    let key = member.key.value
    let node = member.value
    switch key {
    case "equals": return decodeSize(node, key).map { .equals($0) }
    case "less_than": return decodeSize(node, key).map { .lessThan($0) }
    case "greater_than": return decodeSize(node, key).map { .greaterThan($0) }
    case "not": return decodeIntegerCondition(node, key).map { .not($0.value) }
    case "one_of":
      let nodes = decodeNonEmptyList(node, key) ?? []
      let numbers = nodes.compactMap { decodeSize($0, "an entry of \"one_of\"") }
      return numbers.isEmpty || numbers.count < nodes.count ? nil : .oneOf(numbers)
    case "between":
      guard let (lower, upper) = decodeBounds(node, key) else { return nil }
      return .between(lower, upper)
    default:
      let nodes = decodeNonEmptyList(node, key) ?? []
      let conditions = nodes.compactMap {
        decodeIntegerCondition($0, "an entry of \"\(key)\"")?.value
      }
      guard !conditions.isEmpty, conditions.count == nodes.count else { return nil }
      return key == "all_of" ? .allOf(conditions) : .anyOf(conditions)
    }
  }

  /// Two numbers, the smaller one first.
  mutating func decodeBounds(_ node: YAMLNode, _ key: String) -> (Int64, Int64)? {
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
        "nothing lies between \(numbers[0]) and \(numbers[1])", code: .badRange, at: node.range,
        help: "write \"\(key): [\(numbers[1]), \(numbers[0])]\"")
      return nil
    }
    return (numbers[0], numbers[1])
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
  /// What the author has named, in order.
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
  /// Whether it is a text with an expression in it.
  var isTemplate: Bool {
    if case .scalar(let scalar) = content {
      TemplateParser.isNeeded(for: scalar.text)
    } else {
      false
    }
  }
}
