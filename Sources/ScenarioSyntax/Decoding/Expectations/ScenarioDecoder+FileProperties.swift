internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `{ sha256: …, mode: 0644 }`, `{ symlink: … }`, `{ kind: folder }`.
  mutating func decodeFileProperties(_ node: YAMLNode) -> FileCondition? {
    var properties = FileProperties()
    let subject = "an entry of \"files\""
    guard
      let reader = decode(node, as: Grammar.fileProperties, subject: subject, into: &properties)
    else { return nil }
    if let kind = properties.kind, kind.value != .link, let link = reader["symlink"] {
      report(
        "a \(kind.value.rawValue) has no link target", code: .contradictory, at: link.range,
        help: "remove \"kind\" or \"symlink\"")
      return nil
    }
    if let digest = properties.digest,
      reader["symlink"] != nil || ![nil, .file].contains(properties.kind?.value)
    {
      report(
        "only a file has a digest", code: .contradictory, at: digest.range,
        help: "remove \"sha256\", or the keys that contradict it")
      return nil
    }
    return .properties(properties)
  }

  mutating func decodeDigest(_ node: YAMLNode) -> Located<String>? {
    guard let text = decodeText(node, "sha256") else { return nil }
    let digits = text.value.lowercased()
    guard digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else {
      report(
        "\"\(text.value)\" is not a SHA-256", code: .badExpectation, at: text.range,
        help: "write the 64 hexadecimal digits that `sha256sum FILE` prints")
      return nil
    }
    return Located(digits, at: text.range)
  }
}
