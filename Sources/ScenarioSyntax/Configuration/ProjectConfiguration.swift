package import Foundations

/// A key that a project's settings may have: an option of the command line.
package struct ConfigurationKey: Sendable, Hashable {
  /// The kind of value behind the key.
  package enum Content: Sendable, Hashable {
    /// true or false.
    case flag
    /// One value.
    case value
    /// A list of values, or one; a map is read as values of the form `key=value`.
    case list
  }

  /// The key.
  package var name: String
  /// The kind of value behind it.
  package var content: Content
  /// The summary, in one sentence, for editors.
  package var summary: String

  /// Creates a key.
  package init(_ name: String, _ content: Content, summary: String = "") {
    self.name = name
    self.content = content
    self.summary = summary
  }
}

/// The content of a project's `scenario.yml`: options of the command line, and other values of them
/// by profile.
package struct ProjectConfiguration: Sendable, Hashable {
  /// A value that the file gives to an option.
  package struct Entry: Sendable, Hashable {
    /// The key, as the file has it.
    package var key: String
    /// The values as the command line would have them; `true` or `false` for a flag.
    package var values: [Located<String>]
    /// The profile that says it; `nil` where every run has it.
    package var profile: String?
    /// The place of the key.
    package var range: SourceRange
  }

  /// The keys beside those of options.
  package static let ownKeys = ["version", "env", "profiles"]

  /// The entries at the top, in order.
  package private(set) var entries: [Entry] = []
  /// The entries of the profiles, in order.
  package private(set) var profiles: [String: [Entry]] = [:]
  /// Variables for the runner, in order, of the top and of the profiles; `nil` is the top.
  package private(set) var variables: [(profile: String?, name: String, value: String)] = []

  /// Returns whether two files say the same.
  package static func == (left: Self, right: Self) -> Bool {
    left.entries == right.entries && left.profiles == right.profiles
      && left.variables.elementsEqual(right.variables) { $0 == $1 }
  }

  /// Feeds the entries at the top.
  package func hash(into hasher: inout Hasher) { hasher.combine(entries) }

  /// Reads settings, collecting every mistake; an empty file says nothing.
  ///
  /// - Parameters:
  ///   - path: The file's path as messages call it; nothing is read from there.
  ///   - keys: The keys of options.
  package static func parse(
    bytes: [UInt8], path: String, keys: [ConfigurationKey]
  ) -> (configuration: ProjectConfiguration, diagnostics: [Diagnostic]) {
    var configuration = ProjectConfiguration()
    guard UTF8Validation.firstInvalid(in: bytes) == nil else {
      let start = SourceRange(file: path, line: 1, column: 1)
      return (
        configuration,
        [
          Diagnostic(
            "the file is not valid UTF-8", code: .badEncoding, at: start,
            help: "save the file as UTF-8")
        ]
      )
    }
    let source = SourceText(path: path, bytes: bytes)
    // A file of comments alone is how settings begin.
    let isBlank = (1...source.lineCount).allSatisfy { number in
      let line = (source.line(number) ?? "").drop { $0 == " " || $0 == "\t" || $0 == "\r" }
      return line.isEmpty || line.hasPrefix("#")
    }
    guard !isBlank else { return (configuration, []) }
    let read = YAMLReader.read(source)
    var decoder = ScenarioDecoder(source: source, diagnostics: read.diagnostics)
    if let root = read.root { configuration.take(root, keys, &decoder) }
    return (configuration, decoder.sortedDiagnostics)
  }

  private mutating func take(
    _ root: YAMLNode, _ keys: [ConfigurationKey], _ decoder: inout ScenarioDecoder
  ) {
    let names = keys.map(\.name)
    guard
      let reader = decoder.mapping(root, keys: names + Self.ownKeys, subject: "the settings")
    else { return }
    if reader["version"] != nil { decoder.decodeVersion(reader) }
    entries = read(reader, keys, profile: nil, &decoder)
    takeVariables(reader, profile: nil, &decoder)
    guard let node = reader["profiles"],
      let members = decoder.decodeMembers(node, "profiles")
    else { return }
    for member in members {
      let name = member.key.value
      guard name != Self.noProfile else {
        decoder.report(
          "a profile cannot be called \"\(name)\"", code: .badName, at: member.key.range,
          help: "--profile \(name) selects no profile; choose another name")
        continue
      }
      guard !member.value.isNull else {
        profiles[name] = []
        continue
      }
      guard
        let reader = decoder.mapping(
          member.value, keys: names + ["env"], subject: "a profile",
          elsewhere: ["profiles": "a profile cannot contain profiles"])
      else { continue }
      profiles[name] = read(reader, keys, profile: name, &decoder)
      takeVariables(reader, profile: name, &decoder)
    }
  }

  /// The name that means no profile.
  package static let noProfile = "default"

  private func read(
    _ reader: MappingReader, _ keys: [ConfigurationKey], profile: String?,
    _ decoder: inout ScenarioDecoder
  ) -> [Entry] {
    let contents = Dictionary(keys.map { ($0.name, $0.content) }) { first, _ in first }
    return reader.members.compactMap { member in
      guard let content = contents[member.key.value],
        let values = Self.values(of: member, content, &decoder)
      else { return nil }
      return Entry(
        key: member.key.value, values: values, profile: profile, range: member.key.range)
    }
  }

  private static func values(
    of member: YAMLMember, _ content: ConfigurationKey.Content, _ decoder: inout ScenarioDecoder
  ) -> [Located<String>]? {
    let key = member.key.value
    switch content {
    case .flag:
      return decoder.decodeBool(member.value, key).map { [Located("\($0.value)", at: $0.range)] }
    case .value:
      return decoder.decodeText(member.value, key).map { [$0] }
    case .list:
      switch member.value.content {
      case .scalar: return decoder.decodeText(member.value, key).map { [$0] }
      case .sequence: return decoder.decodeTextList(member.value, key)
      case .mapping(let members):
        return members.compactMap { part in
          decoder.decodeText(part.value, part.key.value).map {
            Located("\(part.key.value)=\($0.value)", at: part.key.range)
          }
        }
      }
    }
  }

  private mutating func takeVariables(
    _ reader: MappingReader, profile: String?, _ decoder: inout ScenarioDecoder
  ) {
    guard let node = reader["env"], let members = decoder.decodeMembers(node, "env") else { return }
    for member in members {
      let name = member.key.value
      guard !name.isEmpty, !name.contains("="), !name.utf8.contains(0) else {
        decoder.report(
          "\"\(name)\" is not a variable name", code: .badName, at: member.key.range,
          help: "write letters, digits and \"_\"")
        continue
      }
      guard let value = decoder.decodeText(member.value, name) else { continue }
      variables.append((profile, name, value.value))
    }
  }
}
