internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `override:` keys of which nothing is inherited.
  mutating func decodeOverride(_ node: YAMLNode) -> [Located<String>]? {
    let keys = ScenarioBody.inheritedKeys
    return decodeTexts(node, "override").filter { key in
      guard !keys.contains(key.value) else { return true }
      report(
        "\"\(key.value)\" is not inherited and cannot be overridden", code: .unknownValue,
        at: key.range, help: Suggestion.help(for: key.value, in: keys, label: "allowed values"))
      return false
    }
  }

  /// Keeps the rule of version 1, in which a scenario's target and network took the place of those
  /// of the file's top.
  mutating func keepFirstRule(
    _ reader: MappingReader, inheriting inherited: [String], for body: inout ScenarioBody
  ) {
    body.addsExpectations = true
    let replaced = ScenarioBody.replacedInFirstVersion.filter {
      inherited.contains($0) && reader[$0] != nil
    }
    guard let first = replaced.first, let place = reader.keyRange(first) else { return }
    body.override += replaced.map { Located($0, at: place) }
    guard !isWrittenByProgram else { return }
    let names = replaced.map { "\"\($0)\"" }.joined(separator: " and ")
    let list = replaced.joined(separator: ", ")
    report(
      Diagnostic(
        "\(names) of a scenario \(replaced.count == 1 ? "replaces" : "replace") the key at the top of the file only in"
          + " version 1", code: .formerName, at: place,
        help: "add \"override: [\(list)]\" to the scenario to replace it in version 2, too",
        fix: insertion(of: "override: [\(list)]", before: reader.members.first)))
  }

  /// A member of a map in front of another one, in the way in which that is written.
  private func insertion(of text: String, before member: YAMLMember?) -> DiagnosticFix? {
    guard let place = member?.key.range, place.file == source.path,
      let line = source.line(place.line)
    else { return nil }
    let front = line.unicodeScalars.prefix(place.column - 1)
    let isBlock = front.allSatisfy { " -?".unicodeScalars.contains($0) }
    let indentation = String(repeating: " ", count: place.column - 1)
    return DiagnosticFix(
      inserting: isBlock ? "\(text)\n\(indentation)" : "\(text), ", at: place)
  }
}

extension ScenarioBody {
  /// The keys that replaced those of the file's top as a whole, in version 1.
  fileprivate static let replacedInFirstVersion = ["target", "network"]

  /// Joins as version 1 did.
  mutating func keepFirstRule() {
    addsExpectations = true
    override += Self.replacedInFirstVersion.compactMap { key in
      let place = key == "target" ? target?.commandRange : network?.range
      return place.map { Located(key, at: $0) }
    }
  }
}
