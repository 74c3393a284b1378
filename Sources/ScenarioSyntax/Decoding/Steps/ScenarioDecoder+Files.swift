internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `files:` of a scenario.
  mutating func decodeFileSettings(_ node: YAMLNode) -> FileSettings? {
    guard
      let reader = mapping(
        node, as: Grammar.files, subject: "\"files\"", elsewhere: Self.helpForFixtures(node))
    else { return nil }
    let outside: Located<OutsideRule>? = reader["outside"].flatMap { decodeWord($0, "outside") }
    return FileSettings(outside: outside)
  }

  /// Help for names of files, which belong to other keys of this name.
  private static func helpForFixtures(_ node: YAMLNode) -> [String: String] {
    guard case .mapping(let members) = node.content else { return [:] }
    let names = members.map(\.key.value).filter { name in
      !Grammar.files.keys.contains(name)
        && MeantKey(name, among: Grammar.files.keys, present: []) == nil
    }
    return Dictionary(
      names.map {
        (
          $0,
          "write files that the target reads in `target: { files: … }`, and files that it must create in"
            + " `expect: { files: … }`; allowed keys: \(Grammar.files.keys.joined(separator: ", "))"
        )
      }, uniquingKeysWith: { first, _ in first })
  }
}
