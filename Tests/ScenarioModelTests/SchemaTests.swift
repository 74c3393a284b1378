@testable import Foundations
import Glibc
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

/// What editors complete and what the decoder reads must be one language.
@Suite struct SchemaTests {
  @Test("The schema in the tree is the one that the language's description gives")
  func isWritten() throws {
    let written = try Self.text()

    #expect(written == ScenarioSchema.text(), "write it anew by \"make schema\"")
    #expect(written == ScenarioSchema.text(), "twice the same")
    #expect(written != ScenarioSchema.text(naming: [try Self.project()]))
  }

  @Test("A project's schema completes the names of its factories, traits and chaos entries")
  func namesProject() throws {
    let schema = try JSONText.parse(ScenarioSchema.text(naming: [try Self.project()]))
    let definitions = try #require(schema["$defs"])

    #expect(definitions["factoryName"]?["enum"]?.jsonText() == #"["author","user"]"#)
    #expect(definitions["traitName"]?["enum"]?.jsonText() == #"["active","admin","banned"]"#)
    #expect(definitions["chaosName"]?["enum"]?.jsonText() == #"["disk full"]"#)
    let build = definitions["buildGenerator"]?["properties"]?["$build"]
    #expect(build?["$ref"] == .string("#/$defs/factoryName"))
    #expect(build?["description"] != nil)
    let revert = definitions["step"]?["properties"]?["revert"]?.jsonText() ?? ""
    #expect(revert.contains(##"{"enum":["all"]},{"$ref":"#/$defs/chaosName"}"##))
    #expect(try Self.schema()["$defs"]?["factoryName"] == nil)
  }

  @Test("What passes for a condition is what the language has as one")
  func conditionWords() {
    let grammars = [
      MatcherKind.text: Grammar.textConditions, .output: Grammar.outputConditions,
      .number: Grammar.numberConditions, .duration: Grammar.durationConditions,
      .data: Grammar.dataConditions,
    ]
    for kind in MatcherKind.allCases {
      #expect(grammars[kind]?.keys == kind.keys.map(\.rawValue).sorted(), "\(kind)")
    }
  }

  private static func project() throws -> ScenarioFile {
    let text = """
      version: 2
      target: { command: [date] }
      factories:
        user: { aliases: [author], traits: { admin: {} }, enums: { state: [active, banned] } }
      chaos: [ { name: disk full, call: write, provide: { error: ENOSPC } } ]
      """
    return try #require(ScenarioFile.parse(text: text, path: "f").file)
  }

  @Test("Words are closed lists, and what editors write fits where they write it")
  func snippets() throws {
    var count = 0
    for definition in LanguageDescription.definitions {
      #expect(
        !definition.summary.isEmpty && definition.summary.hasSuffix("."), "\(definition.name)")
      guard case .map(let keys, _) = definition.content else { continue }
      for key in keys {
        #expect(key.summary.hasSuffix("."), "\(key.name) in \(definition.name)")
        for snippet in key.snippets {
          let body = snippet.body.replacing(/\$\{[0-9]:([^}]*)\}/) { $0.1 }
          let text = "{version: 2, target: {command: [date]}, \(key.name): \(body)}"
          let isTarget = key.name == "target"
          let messages = brief(isTarget ? "{version: 2, target: \(body)}" : text)
          #expect(messages.isEmpty, "\(snippet.label)")
          count += 1
        }
      }
    }
    #expect(count > 10)
  }

  @Test("The schema has every key of every map, and allows no others")
  func agrees() throws {
    let schema = try Self.schema()
    #expect(Self.maps.count > 100)
    for (name, keys, _) in Self.maps {
      let definition = try #require(
        name == LanguageDescription.rootName ? schema : schema["$defs"]?[name],
        "no definition \"\(name)\"")
      #expect(definition["properties"]?.keys == keys.map(\.name), "in \"\(name)\"")
      #expect(definition["additionalProperties"] == .bool(false), "in \"\(name)\"")
    }
  }

  @Test("Every map of the schema with fixed keys is declared in the grammar")
  func coversDefinitions() throws {
    let definitions = try #require(try Self.schema()["$defs"])
    let known = Set(Self.maps.map(\.name))
    let fixed = definitions.keys.filter {
      definitions[$0]?["properties"] != nil && $0 != "plainMap"
    }
    #expect(fixed.count > 100)
    for name in fixed {
      #expect(known.contains(name), "\"\(name)\" is declared nowhere")
    }
  }

  @Test("A map has each key once, and its rules name keys that it has")
  func declaresOnce() {
    for (name, keys, rules) in Self.maps {
      let names = keys.map(\.name)
      #expect(Set(names).count == names.count, "in \"\(name)\"")
      for rule in rules {
        let missing = Self.keys(of: rule).filter { !names.contains($0) }
        #expect(missing.isEmpty, "in a rule of \"\(name)\"")
      }
    }
    #expect(Set(Self.maps.map(\.name)).count == Self.maps.count)
  }

  private static var maps: [(name: String, keys: [LanguageKey], rules: [KeyRule])] {
    LanguageDescription.definitions.compactMap { definition in
      guard case .map(let keys, let rules) = definition.content else { return nil }
      return (definition.name, keys, rules)
    }
  }

  private static func keys(of rule: KeyRule) -> [String] {
    switch rule {
    case .atLeastOneKey, .exactlyOneKey: []
    case .someOf(let keys), .atMostOne(let keys), .exactlyOne(let keys): keys
    case .apart(let key, let others): others + [key]
    case .needs(let key, let other): [key, other]
    }
  }

  @Test("Every key has a description, every reference a definition")
  func describes() throws {
    let schema = try Self.schema()
    let definitions = Set(schema["$defs"]?.keys ?? [])
    for (name, keys, _) in Self.maps {
      let map = name == LanguageDescription.rootName ? schema : schema["$defs"]?[name]
      for key in keys {
        #expect(
          map?["properties"]?[key.name]?["description"] != nil, "\"\(key.name)\" in \"\(name)\"")
      }
    }
    let text = schema.jsonText()
    let references = text.split(separator: "\"#/$defs/").dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
    #expect(references.count > 100)
    #expect(Set(references).subtracting(definitions).isEmpty)
  }

  @Test("The words of the schema are the decoder's")
  func agreesOnWords() throws {
    let definitions = try #require(try Self.schema()["$defs"])
    func words(_ definition: String, _ key: String) -> [String] {
      guard case .list(let alternatives)? = definitions[definition]?["properties"]?[key]?["anyOf"],
        case .list(let words)? = alternatives.first?["enum"]
      else { return [] }
      return words.compactMap { if case .string(let word) = $0 { word } else { nil } }
    }
    #expect(words("clock", "file_times").sorted() == FileTimes.allCases.map(\.rawValue).sorted())
    #expect(words("clock", "escapes").sorted() == ClockEscapes.allCases.map(\.rawValue).sorted())
    let flow = definitions["clock"]?["properties"]?["flow"]?["anyOf"]?.jsonText()
    let flowWords = ClockFlow.words.map { "\"\($0.word)\"" }.joined(separator: ",")
    let references = ["rate", "expression"].map { "{\"$ref\":\"#/$defs/\($0)\"}" }
    #expect(flow == "[{\"enum\":[\(flowWords)]},\(references.joined(separator: ","))]")
    #expect(
      words("network", "mode").sorted() == NetworkSettings.Mode.allCases.map(\.rawValue).sorted())
    #expect(words("httpResponse", "then").sorted() == QueueEnd.allCases.map(\.rawValue).sorted())
    #expect(
      words("connectionFault", "dns").sorted()
        == ConnectionFault.NameFault.allCases.map(\.rawValue).sorted())
    #expect(
      words("connectionFault", "tls").sorted()
        == ConnectionFault.HandshakeFault.allCases.map(\.rawValue).sorted())
    #expect(
      words("linkFaults", "tls").sorted()
        == ConnectionFault.HandshakeFault.allCases.map(\.rawValue).sorted())
    let names = definitions["linkFaults"]?["properties"]?["dns"]?.jsonText() ?? ""
    for fault in ConnectionFault.NameFault.allCases {
      #expect(names.contains("\"\(fault.rawValue)\""))
    }
    #expect(
      words("network", "unused").sorted()
        == NetworkSettings.Unused.allCases.map(\.rawValue).sorted())
  }

  private static func schema() throws -> Value {
    try JSONText.parse(text())
  }

  private static func text() throws -> String {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/../../schemas/scenario.schema.json"
    let file = try #require(fopen(path, "r"), "cannot open \(path)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Value {
  fileprivate subscript(key: String) -> Value? {
    guard case .map(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  fileprivate var keys: [String] {
    guard case .map(let members) = self else { return [] }
    return members.map(\.key)
  }
}
