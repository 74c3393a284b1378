internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// The values of `lose:`.
  private enum Lost: String, CaseIterable {
    case unsynced
  }

  /// `{ kill: tree, lose: unsynced, … }`, or `{ lose: unsynced, … }` of a disk; `nil` if nothing is lost, or
  /// if what is lost cannot be read.
  mutating func decodeCrash(_ reader: MappingReader) -> FaultAction? {
    guard let member = reader.members(among: ["lose"]).first else { return nil }
    let range = member.key.range
    for extra in reader.members(among: ["else", "errno", "then"]) {
      report(
        "\"\(extra.key.value)\" does not belong to \"lose\"", code: .misplaced, at: extra.key.range,
        help: "remove it")
    }
    let lost: Located<Lost>? = decodeWord(member.value, "lose")
    let metadata = reader["metadata"]
    let isTemplate = metadata?.isTemplate ?? false
    let names: Located<NameLoss>? =
      isTemplate ? nil : metadata.flatMap { decodeWord($0, "metadata") }
    var loss = UnsyncedLoss(
      files: reader["files"].map { decodeTexts($0, "files") } ?? [],
      names: names?.value ?? .kept, torn: reader["torn"].flatMap { decodeTornSize($0) })
    loss.nameExpression = isTemplate ? metadata.flatMap { decodeTemplate($0, "metadata") } : nil
    var scope: KillScope?
    if let kill = reader["kill"] {
      let word: Located<KillScope>? = decodeWord(kill, "kill")
      guard let word else { return nil }
      scope = word.value
    }
    return lost == nil ? nil : FaultAction(.crash(scope, loss), at: range)
  }

  private mutating func decodeTornSize(_ node: YAMLNode) -> Int? {
    guard let size = decodeByteCount(node, "torn", example: "512") else { return nil }
    guard size >= 1 else {
      report(
        "\"torn\" must be at least one byte, not \(size)", code: .outOfRange, at: node.range,
        help: "write the number of bytes that are written, such as 512, or remove it")
      return nil
    }
    return Int(clamping: size)
  }

  /// A number of bytes, with a unit or without.
  private mutating func decodeByteCount(
    _ node: YAMLNode, _ subject: String, example: String
  ) -> Int64? {
    guard case .scalar(let scalar) = node.content else {
      reportType(
        node, subject, "must be a number of bytes", help: "write a number such as \(example)")
      return nil
    }
    guard case .text = scalar.meaning else { return decodeInteger(node, subject)?.value }
    do throws(ValueGrammarError) {
      return Int64(try ByteCountText.parse(scalar.text))
    } catch {
      report(error.message, code: .badSize, at: node.range, help: error.help)
      return nil
    }
  }

  /// `{ free: 10MiB }` and `{ quota: 1MiB }`.
  mutating func decodeSpace(_ node: YAMLNode, _ key: String) -> Int64? {
    guard let size = decodeByteCount(node, key, example: "10MiB") else { return nil }
    guard size >= 0 else {
      report(
        "\"\(key)\" must not be negative, but is \(size)", code: .outOfRange, at: node.range,
        help: "write a number of bytes such as 10MiB, or 0")
      return nil
    }
    return size
  }
}
