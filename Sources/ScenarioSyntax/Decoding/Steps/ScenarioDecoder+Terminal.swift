internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `80x24`.
  mutating func decodeTerminalSize(_ node: YAMLNode, _ key: String) -> Located<TerminalSize>? {
    let example = "write columns and rows, as in \"\(key): 80x24\""
    guard let text = decodeText(node, key, example: example) else { return nil }
    guard let size = TerminalSize(text: text.value) else {
      report(
        "\"\(text.value)\" is not the size of a terminal", code: .badSize, at: text.range,
        help: "\(example); both are numbers from 1 to 65535")
      return nil
    }
    return Located(size, at: text.range)
  }

  /// `send: TEXT`, `send: { key: ctrl-c }`, `send: { key: [down, enter] }`.
  mutating func decodeSend(_ node: YAMLNode) -> Step.Action? {
    guard case .mapping = node.content else {
      return decodeTemplate(node, "send").map { .send($0) }
    }
    guard let reader = mapping(node, as: Grammar.send, subject: "\"send\""),
      let keys = required("key", in: reader, example: "key: ctrl-c")
    else { return nil }
    guard case .sequence(let nodes) = keys.content else {
      return decodeKey(keys).map { .press([$0]) }
    }
    guard decodeNonEmptyList(keys, "key", help: "name a key") != nil else { return nil }
    let decoded = nodes.compactMap { decodeKey($0) }
    return decoded.count == nodes.count ? .press(decoded) : nil
  }

  /// Names that other tools have for keys.
  private static let foreignKeys = [
    "return": "enter", "cr": "enter", "newline": "enter", "esc": "escape", "del": "delete",
    "bs": "backspace", "pgup": "page-up", "pgdn": "page-down", "pgdown": "page-down",
    "arrowup": "up", "arrowdown": "down", "arrowleft": "left", "arrowright": "right",
    "spacebar": "space", "backtab": "shift-tab", "controlc": "ctrl-c",
  ]

  private mutating func decodeKey(_ node: YAMLNode) -> TerminalKey? {
    guard let name = decodeText(node, "key", example: "write \"key: ctrl-c\"") else { return nil }
    if let key = TerminalKey(name: name.value) { return key }
    report(
      "unknown value \"\(name.value)\" for \"key\"", code: .unknownValue, at: name.range,
      help: name.value.unicodeScalars.count == 1
        ? "write \"send: \(name.value)\" for a character"
        : Self.foreignKeys[WordForm(name.value).text].map { "write \"key: \($0)\"" }
          ?? Suggestion.help(
            for: name.value,
            in: TerminalKey.names.filter { !$0.hasPrefix("ctrl-") || $0 == "ctrl-c" },
            label: "keys"))
    return nil
  }
}
