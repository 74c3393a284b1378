internal import Foundations

/// The language key by key, as a page to read.
package enum LanguageReference {
  /// The definitions in the order in which a file is written.
  static let sections: [(title: String, definitions: [LanguageDefinition])] = [
    (
      "The file and its scenarios",
      LanguageDescription.scenarioDefinitions + LanguageDescription.inputDefinitions
        + LanguageDescription.blockDefinitions
    ),
    ("The program", LanguageDescription.targetDefinitions),
    ("Steps", LanguageDescription.stepDefinitions + LanguageDescription.stepSettingDefinitions),
    ("What is expected", LanguageDescription.expectationDefinitions),
    ("Conditions", LanguageDescription.matcherDefinitions),
    (
      "The network",
      LanguageDescription.networkDefinitions + LanguageDescription.nameDefinitions
        + LanguageDescription.requestDefinitions
        + LanguageDescription.stateDefinitions
        + LanguageDescription.replyDefinitions + LanguageDescription.streamDefinitions
        + LanguageDescription.graphQLDefinitions
    ),
    (
      "What goes wrong",
      LanguageDescription.chaosDefinitions + LanguageDescription.chaosProviderDefinitions
        + LanguageDescription.linkDefinitions
    ),
    ("Exploring faults", LanguageDescription.exploreDefinitions),
    (
      "Data",
      LanguageDescription.factoryDefinitions + LanguageDescription.dataDefinitions
        + LanguageDescription.generatorDefinitions
    ),
    ("Secrets", LanguageDescription.secretDefinitions),
    ("Plain values", LanguageDescription.scalarDefinitions),
  ]

  /// The page in Markdown, the same text every time, with a final newline.
  package static func text() -> String {
    let shapes = ShapeText(headings: Set(LanguageDescription.definitions.map(\.name)))
    var lines = [
      "# The language, key by key", "",
      "All keys of a scenario file, in the order in which one is written. `scenario schema --format markdown` generates this",
      "page from the grammar, so it is complete. For the purpose of each part, see [the other pages](README.md).",
      "",
      "| I want to … | write | see |", "|---|---|---|",
    ]
    lines += LanguageTask.all.map { task in
      let title = ShapeText.title(task.definition)
      return "| \(task.wish) | `\(task.text)` | [\(title)](#\(title.replacing(" ", with: "-"))) |"
    }
    for section in sections {
      lines += ["", "# \(section.title)"]
      for definition in section.definitions { lines += text(of: definition, shapes) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(of definition: LanguageDefinition, _ shapes: ShapeText) -> [String] {
    var lines = ["", "## \(ShapeText.title(definition.name))", "", definition.summary]
    switch definition.content {
    case .shape(let shape):
      lines += ["", "Is \(shapes.text(of: shape))."]
    case .map(let keys, let rules):
      lines += ["", "| key | value | meaning |", "|---|---|---|"]
      lines += keys.map { row($0, shapes) }
      let sentences = rules.map(\.sentence)
      if !sentences.isEmpty { lines += ["", sentences.joined(separator: " ")] }
    }
    if !definition.examples.isEmpty {
      let examples = definition.examples.map { "`\(text(of: $0))`" }
      lines += ["", "For example \(examples.joined(separator: ", "))."]
    }
    if let example = LanguageExamples.all[definition.name] {
      lines += ["", "```yaml", example, "```"]
    }
    return lines
  }

  private static func row(_ key: LanguageKey, _ shapes: ShapeText) -> String {
    let name = key.isRequired ? "`\(key.name)`, required" : "`\(key.name)`"
    let meaning = key.summary.replacing("\n", with: " ").replacing("|", with: "\\|")
    return "| \(name) | \(shapes.text(of: key.shape)) | \(meaning) |"
  }

  private static func text(of value: Value) -> String {
    if case .string(let text) = value { text } else { value.jsonText(pretty: false) }
  }
}

extension KeyRule {
  /// The rule in words.
  var sentence: String {
    switch self {
    case .atLeastOneKey: "It has at least one key."
    case .exactlyOneKey: "It has exactly one key."
    case .someOf(let keys): "It has at least one of \(Self.list(keys))."
    case .atMostOne(let keys): "It has at most one of \(Self.list(keys))."
    case .exactlyOne(let keys): "It has exactly one of \(Self.list(keys))."
    case .apart(let key, let others): "Mutually exclusive: `\(key)` and \(Self.list(others))."
    case .needs(let key, let other): "`\(key)` is allowed only together with `\(other)`."
    }
  }

  private static func list(_ keys: [String]) -> String {
    keys.map { "`\($0)`" }.joined(separator: ", ")
  }
}
