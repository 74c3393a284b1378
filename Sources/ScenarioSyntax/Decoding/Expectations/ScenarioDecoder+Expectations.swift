internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `expect:`.
  mutating func decodeExpectations(_ node: YAMLNode) -> ExpectationBlock? {
    guard let reader = mapping(node, as: Grammar.expect, subject: "\"expect\"") else {
      return nil
    }
    var reading = ExpectationReading(range: node.range)
    for member in reader.members {
      reading.range = member.key.range
      if let help = Self.helpForNothing[member.key.value] { warnOfNothing(in: member, help: help) }
      Grammar.expect.read(member, by: &self, into: &reading)
    }
    if reader.members.isEmpty, reader.unknownCount == 0, !unfilled.contains(node.range) {
      report(
        "\"expect\" has no condition: it cannot fail", code: .cannotFail, at: node.range,
        help: "write a condition, such as exit: 0, or remove it")
    }
    return ExpectationBlock(entries: reading.entries)
  }

  /// `eventually:` and `always:`.
  mutating func decodeRepeated(
    _ node: YAMLNode, _ quantity: RepeatedCheck.Quantity
  ) -> ExpectationBlock.Subject? {
    let subject = "\"\(quantity.rawValue)\""
    guard let reader = mapping(node, as: Grammar.repeatedExpect, subject: subject) else {
      return nil
    }
    var reading = ExpectationReading(range: node.range)
    for member in reader.members {
      reading.range = member.key.range
      if let help = Self.helpForNothing[member.key.value] { warnOfNothing(in: member, help: help) }
      Grammar.repeatedExpect.read(member, by: &self, into: &reading)
    }
    guard required("within", in: reader, example: "within: 5s") != nil, let length = reading.length
    else { return nil }
    let interval = reading.interval ?? Located(.milliseconds(100), at: node.range)
    guard interval.value > .zero, length.value > .zero else {
      let place = length.value > .zero ? interval : length
      report(
        "\"\(length.value > .zero ? "every" : "within")\" must be longer than 0s",
        code: .outOfRange, at: place.range, help: "write a duration such as 100ms")
      return nil
    }
    guard length.value.count / interval.value.count <= Self.checkLimit else {
      report(
        "\"\(quantity.rawValue)\" would check more than \(Self.checkLimit) times",
        code: .outOfRange,
        at: node.range, help: "write a longer \"every\", or a shorter \"within\"")
      return nil
    }
    if reading.entries.isEmpty, reader.unknownCount == 0 {
      report(
        "\"\(quantity.rawValue)\" has no condition: it cannot fail", code: .cannotFail,
        at: node.range, help: "write a condition, such as files: { out.txt: { exists: true } }")
    }
    let check = RepeatedCheck(quantity, within: length.value, every: interval.value)
    return .repeated(check, reading.entries)
  }

  /// The largest number of times that conditions are checked again.
  private static let checkLimit: Int64 = 100_000

  /// The help where nothing is expected.
  private static let helpForNothing = [
    "chaos": "write { NAME: { fired: 0 } } for an entry that must not fire",
    "files": "write { NAME: { absent: true } } for a file that must not exist",
    "requests": "write { request: METHOD URL, count: 0 } for a request that must not be made",
    "state": "write { NAME: VALUE }, or { NAME: { exists: false } } for a name that is not set",
    "targets": "name a target and its conditions",
  ]

  /// Warns of a key without a condition below it: it may be meant to say that there is nothing.
  private mutating func warnOfNothing(in member: YAMLMember, help: String) {
    let isEmpty =
      switch member.value.content {
      case .mapping(let members): members.isEmpty
      case .sequence(let nodes): nodes.isEmpty
      case .scalar: false
      }
    guard isEmpty else { return }
    report(
      "\"\(member.key.value)\" has no condition: it cannot fail", code: .cannotFail,
      at: member.value.range, help: help)
  }

  // MARK: - Files

  mutating func decodeFileConditions(_ node: YAMLNode) -> [ExpectationBlock.Entry] {
    (decodeMembers(node, "files") ?? []).flatMap { member -> [ExpectationBlock.Entry] in
      guard checkFieldKey(member.key) else { return [] }
      let isFolder = member.key.value.hasSuffix("/")
      let conditions =
        isFolder
        ? decodeFolderCondition(member.value).map { [$0] } ?? []
        : decodeFileConditions(ofOne: member.value)
      return conditions.map { .init(.file(pattern: member.key, $0), at: member.key.range) }
    }
  }

  /// That a file is there, what it is, and what it says; each is a condition of its own.
  private mutating func decodeFileConditions(ofOne node: YAMLNode) -> [FileCondition] {
    guard case .mapping(let members) = node.content else {
      return decodeFileContent(node).map { [$0] } ?? []
    }
    let state = members.filter { Grammar.fileState.knows($0.key.value) }
    guard !state.contains(where: { $0.key.value == "absent" }), state.count < 2 else {
      return decodeFileState(members).map { [$0] } ?? []
    }
    guard !refuseTree(node, of: members) else { return [] }
    let properties = members.filter { Grammar.fileProperties.knows($0.key.value) }
    let content = members.filter { member in
      !(state + properties).contains { $0.key.range == member.key.range }
    }
    var conditions: [FileCondition?] = []
    func part(_ members: [YAMLMember]) -> YAMLNode {
      var part = node
      part.content = .mapping(members)
      return part
    }
    if !state.isEmpty { conditions.append(decodeFileState(state)) }
    if !properties.isEmpty {
      let decoded = decodeFileProperties(part(properties))
      refuseContent(content, beside: decoded)
      conditions.append(decoded)
    }
    if !content.isEmpty || conditions.isEmpty {
      conditions.append(decodeFileContent(part(content)))
    }
    return conditions.compactMap(\.self)
  }

  /// Only a file says anything.
  private mutating func refuseContent(_ members: [YAMLMember], beside condition: FileCondition?) {
    guard let first = members.first, case .properties(let properties)? = condition,
      let kind = properties.kind, kind.value != .file
    else { return }
    report(
      "\"\(first.key.value)\" needs the content of a file, but a \(kind.value.rawValue) has none",
      code: .contradictory, at: first.key.range, help: "remove one of them",
      notes: [Diagnostic.Note("the kind is here", at: kind.range)])
  }

  private mutating func decodeFileContent(_ node: YAMLNode) -> FileCondition? {
    decodeMatcher(
      node, .text, "an entry of \"files\"",
      moreKeys: Grammar.fileState.keys + Grammar.fileProperties.keys + ["snapshot"]
    ).map { .content($0) }
  }

  /// `{ absent: true }` or `{ exists: true }`.
  mutating func decodeFileState(_ members: [YAMLMember]) -> FileCondition? {
    guard let state = members.first(where: { Grammar.fileState.knows($0.key.value) }) else {
      return nil
    }
    for other in members where other.key.value != state.key.value {
      report(
        "\"\(other.key.value)\" cannot be combined with \"\(state.key.value)\"",
        code: .contradictory,
        at: other.key.range,
        help: "keep one of them",
        notes: [Diagnostic.Note("the other one is here", at: state.key.range)])
    }
    guard let isTrue = decodeBool(state.value, state.key.value) else { return nil }
    let opposite = state.key.value == "absent" ? "exists" : "absent"
    guard isTrue.value else {
      report(
        "\"\(state.key.value)\" can only be true", code: .unknownValue, at: isTrue.range,
        help: "write \"\(opposite): true\"")
      return nil
    }
    return state.key.value == "absent" ? .absent : .exists
  }

  // MARK: - Requests

  mutating func decodeRequestConditions(_ node: YAMLNode) -> [ExpectationBlock.Entry] {
    (decodeList(node, "requests") ?? []).compactMap { node in
      let subject = "an entry of \"requests\""
      if case .mapping(let members) = node.content,
        members.contains(where: { $0.key.value == "order" })
      {
        return decodeRequestOrder(node, subject)
      }
      if case .mapping(let members) = node.content,
        let line = members.first(where: { isRequestLine($0.key.value) })
      {
        report(
          "unknown key \"\(line.key.value)\" in \(subject)", code: .unknownKey, at: line.key.range,
          help: "write \"\(Self.requestCondition(of: line))\"")
        return nil
      }
      guard let reader = mapping(node, as: Grammar.requestCondition, subject: subject) else {
        return nil
      }
      let count = reader["count"].flatMap { decodeMatcher($0, .number, "count") }
      let gaps = reader["intervals"].flatMap { decodeGaps($0) }
      guard let line = required("request", in: reader, example: "request: POST /orders"),
        let request = negated(
          count?.mayHoldForNone ?? false, { $0.decodeRequestSelector(line, "request") }),
        (reader["intervals"] == nil) == (gaps == nil)
      else {
        return nil
      }
      return .init(
        .request(RequestCondition(request: request, count: count, intervals: gaps)), at: node.range)
    }
  }

  /// `order: [POST /login, POST /orders]`: which request comes behind which.
  private mutating func decodeRequestOrder(
    _ node: YAMLNode, _ subject: String
  ) -> ExpectationBlock.Entry? {
    guard let reader = mapping(node, as: Grammar.requestOrder, subject: subject),
      let list = reader["order"], let nodes = decodeList(list, "order")
    else {
      return nil
    }
    guard nodes.count > 1 else {
      report(
        "\"order\" needs at least two requests", code: .outOfRange, at: list.range,
        help: "write \"order: [POST /login, POST /orders]\"")
      return nil
    }
    let lines = nodes.compactMap { decodeRequestSelector($0, "an entry of \"order\"") }
    return lines.count == nodes.count ? .init(.requestOrder(lines), at: node.range) : nil
  }

  /// `POST /orders`, or a pattern as entries of `responses` have it.
  private mutating func decodeRequestSelector(
    _ node: YAMLNode, _ subject: String
  ) -> RequestSelector? {
    guard case .mapping = node.content else { return decodeText(node, subject).map { .line($0) } }
    return decodeRequest(node).map {
      .pattern($0, name: Located($0.summary, at: node.range))
    }
  }

  private mutating func decodeGaps(_ node: YAMLNode) -> Located<[Matcher]>? {
    decodeMatchers(node, .duration, "intervals").map { Located($0, at: node.range) }
  }

  // MARK: - Chaos

  mutating func decodeChaosCounts(_ node: YAMLNode) -> [ExpectationBlock.Entry] {
    (decodeMembers(node, "chaos") ?? []).flatMap { member -> [ExpectationBlock.Entry] in
      let subject = "the chaos entry \"\(member.key.value)\""
      guard let reader = mapping(member.value, as: Grammar.chaosCondition, subject: subject) else {
        return []
      }
      if reader.members.isEmpty {
        _ = required("fired", in: reader, example: "fired: 1")
      }
      return reader.members.compactMap { count in
        guard let kind = ChaosCount(rawValue: count.key.value),
          let matcher = decodeMatcher(count.value, .number, count.key.value)
        else { return nil }
        return .init(.chaos(entry: member.key, kind, matcher), at: member.key.range)
      }
    }
  }
}

/// The entries of `expect:` that have been read.
struct ExpectationReading {
  /// The entries, in file order.
  var entries: [ExpectationBlock.Entry] = []
  /// The place of the key that is read.
  var range: SourceRange
  /// `within:` of conditions that are checked again and again.
  var length: Located<Nanoseconds>?
  /// `every:` of such.
  var interval: Located<Nanoseconds>?

  /// Adds the subject of the key.
  mutating func add(_ content: ExpectationBlock.Subject) {
    entries.append(.init(content, at: range))
  }
}

extension HTTPRequestPattern {
  /// The pattern in a few words, for messages: `POST /orders`.
  fileprivate var summary: String {
    var parts = [methods?.value.joined(separator: " or ")].compactMap(\.self)
    for address in [url, more.host, more.path] {
      if case .pattern(let text)? = address { parts.append(text.value) }
    }
    return parts.isEmpty ? "the pattern" : parts.joined(separator: " ")
  }
}
