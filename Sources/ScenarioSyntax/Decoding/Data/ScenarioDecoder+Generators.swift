internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  // MARK: - Objects

  /// An object or a list of them: `{ $build: FACTORY, … }`.
  mutating func decodeBuild(_ members: [YAMLMember], _ node: YAMLNode) -> DataNode? {
    let known = members.filter {
      Grammar.buildGenerator.former.successor(of: $0.key.value) == nil
    }
    guard checkSiblings(of: "$build", known, allowed: Grammar.buildGenerator.keys),
      let reader = mapping(node, as: Grammar.buildGenerator, subject: "\"$build\""),
      let factory = reader["$build"].flatMap({
        decodeText($0, "$build", example: "write a factory's name")
      })
    else {
      return nil
    }
    let variant = decodeVariant(reader)
    var request = BuildRequest(
      factory: factory, traits: variant.traits, overrides: variant.overrides)
    request.construct = reader["construct"].flatMap { decodeConstruct($0) }
    request.allowsReadonly =
      reader["allow_readonly"].flatMap { decodeBool($0, "allow_readonly")?.value } ?? false
    let each = reader["each"].flatMap { decodeNonEmptyList($0, "each") } ?? []
    request.each = each.compactMap { node in
      mapping(node, as: Grammar.buildVariant, subject: "an entry of \"each\"")
        .map { decodeVariant($0) }
    }
    if let count = reader["count"] {
      guard let decoded = decodeCount(count) else { return nil }
      request.count = decoded
      if case .literal(.integer(let number)) = decoded.content, number < each.count {
        report(
          "\"each\" has \(each.count) entries for \(number) objects", code: .misusedGenerator,
          at: count.range,
          help: "remove \"count\", or write at least \(each.count)")
      }
    } else if !each.isEmpty {
      request.count = DataNode(.literal(.integer(Int64(each.count))), at: node.range)
    }
    return DataNode(.build(request), at: node.range)
  }

  private mutating func decodeVariant(_ reader: MappingReader) -> BuildRequest.Variant {
    let traits = reader["traits"].map { decodeTexts($0, "traits") } ?? []
    return BuildRequest.Variant(
      traits: traits, overrides: reader["with"].map { decodeFields($0, "with") } ?? [])
  }

  /// Reads a count: a number, an expression, or `[LEAST, MOST]`.
  private mutating func decodeCount(_ node: YAMLNode) -> DataNode? {
    if case .scalar(let scalar) = node.content, TemplateParser.isNeeded(for: scalar.text) {
      return decodeTemplate(node, "count")
    }
    if case .sequence = node.content {
      return decodeIntegerBounds(node, "count").map {
        DataNode(.generator(.integer($0, step: 1)), at: node.range)
      }
    }
    return decodeCount(node, "count", in: 0...Int.max).map {
      DataNode(.literal(.integer(Int64($0))), at: node.range)
    }
  }

  // MARK: - Values

  /// Reads any generator but `$build`; `member` is its key and what belongs to it.
  mutating func decodeGenerator(_ member: YAMLMember, at range: SourceRange) -> DataNode? {
    let node = member.value
    if member.key.value == "$seq" {
      guard node.isSequenceOfItsOwn == false else {
        return decodeSequenceRule(node, "$seq").map { DataNode(.sequence($0), at: range) }
      }
    }
    var generator: DataGenerator?
    Grammar.generator.read(member, by: &self, into: &generator)
    return generator.map { DataNode(.generator($0), at: range) }
  }

  mutating func decodeElements(_ node: YAMLNode, _ name: String) -> [DataNode]? {
    guard let nodes = decodeNonEmptyList(node, name, help: "write a list of values in order")
    else { return nil }
    let elements = nodes.compactMap { decodeData($0) }
    return elements.count == nodes.count ? elements : nil
  }

  mutating func decodeTrue(_ node: YAMLNode, _ name: String) -> Bool {
    guard let word = decodeBool(node, name) else { return false }
    if !word.value {
      report(
        "\"\(name)\" can only be true", code: .unknownValue, at: word.range, help: "write true")
    }
    return word.value
  }

  mutating func decodePick(_ node: YAMLNode) -> DataGenerator? {
    if node.isTemplate { return decodeTemplate(node, "$pick").map { .choice($0) } }
    guard case .mapping(let members) = node.content else {
      return decodeElements(node, "$pick").map { .pick($0.map { WeightedData($0, weight: 1) }) }
    }
    var choices: [WeightedData] = []
    for member in members {
      guard let weight = decodeNumber(member.value, "a weight of \"$pick\"") else { return nil }
      guard weight >= 0 else {
        report(
          "a weight cannot be negative", code: .outOfRange, at: member.value.range,
          help: "write 0 or more")
        return nil
      }
      choices.append(
        WeightedData(
          DataNode(.literal(.string(member.key.value)), at: member.key.range), weight: weight))
    }
    let sum = choices.reduce(0) { $0 + $1.weight }
    guard sum > 0, sum.isFinite else {
      report(
        "\"$pick\" has no value to pick", code: .empty, at: node.range,
        help: "give one value a weight above 0")
      return nil
    }
    return .pick(choices)
  }

  mutating func decodeMaybe(_ node: YAMLNode) -> DataGenerator? {
    guard let reader = mapping(node, as: Grammar.maybe, subject: "\"$maybe\""),
      let then = required("then", in: reader, example: "then: 1")
    else { return nil }
    let chance = reader["probability"].map { decodeChance($0, "probability") } ?? 0.5
    let otherwise = reader["else"].map { decodeData($0) }
    guard let chance, let value = decodeData(then), otherwise != .some(.none) else { return nil }
    return .maybe(chance, then: value, otherwise: otherwise ?? nil)
  }

  mutating func decodeListGenerator(_ node: YAMLNode) -> DataGenerator? {
    guard let reader = mapping(node, as: Grammar.list, subject: "\"$list\""),
      let count = required("count", in: reader, example: "count: 3"),
      let element = required("of", in: reader, example: "of: { $build: comment }"),
      let number = decodeCount(count), let data = decodeData(element)
    else { return nil }
    return .list(count: number, of: data)
  }

  mutating func decodeBoolGenerator(_ node: YAMLNode) -> DataGenerator? {
    if case .scalar(let scalar) = node.content, case .bool(true) = scalar.meaning {
      return .bool(0.5)
    }
    return decodeChance(node, "$bool").map { .bool($0) }
  }

  mutating func decodeMerge(_ node: YAMLNode) -> DataGenerator? {
    guard case .mapping = node.content else {
      reportType(
        node, "$merge", "must be a map", help: "write the keys to merge, as in { name: Ada }")
      return nil
    }
    return decodeData(node).map { .merge($0, over: nil) }
  }

  mutating func decodeAppend(_ node: YAMLNode) -> DataGenerator? {
    guard case .sequence = node.content else {
      reportType(node, "$append", "must be a list", help: "write [a, b]")
      return nil
    }
    return decodeData(node).map { .append($0, to: nil) }
  }

  mutating func decodeFileGenerator(_ node: YAMLNode) -> DataGenerator? {
    guard case .mapping = node.content else {
      return decodeText(node, "$file", example: "write a file's path").map { .file($0, nil) }
    }
    guard let reader = mapping(node, as: Grammar.fileSource, subject: "\"$file\""),
      let path = required("path", in: reader, example: "path: user.json"),
      let text = decodeText(path, "path", example: "write a file's path")
    else { return nil }
    let reading: Located<FileReading>? = reader["as"].flatMap { decodeWord($0, "as") }
    return .file(text, reading?.value)
  }
}

extension YAMLNode {
  /// True if what `$seq` says is where numbers start, and not values or the name of a sequence.
  fileprivate var isSequenceOfItsOwn: Bool {
    switch content {
    case .mapping: true
    case .sequence: false
    case .scalar(let scalar): scalar.meaning != .text
    }
  }
}
