@testable import Foundations
import Glibc
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

/// What editors complete and what the decoder reads must be one language.
///
/// A key that stands in `Vocabulary` alone is missing in `LanguageDescription`, and the other way round.
@Suite struct SchemaTests {
  /// The map of the schema behind each table of the decoder.
  private static let tables: [(definition: String, keys: [String])] = [
    ("", Vocabulary.file), ("scenario", Vocabulary.scenario),
    ("secrets", Vocabulary.secrets), ("target", Vocabulary.target),
    ("outputConditions", Vocabulary.outputMatcher), ("limits", Vocabulary.limits),
    ("files", Vocabulary.files),
    ("send", Vocabulary.send),
    ("fileFixture", Vocabulary.fileFixture),
    ("clock", Vocabulary.clock),
    ("factory", Vocabulary.factory), ("trait", Vocabulary.trait), ("network", Vocabulary.network),
    ("httpResponse", Vocabulary.response), ("graphQLResponse", Vocabulary.graphQLResponse),
    ("graphQL", Vocabulary.graphQL), ("graphQLStreamEntry", Vocabulary.graphQLStreamEntry),
    ("graphQLInitialisation", Vocabulary.graphQLInitialisation),
    ("graphQLResult", Vocabulary.graphQLResult),
    ("request", Vocabulary.request), ("requestOrigin", Vocabulary.requestOrigin),
    ("exactBytes", Vocabulary.exactBytes), ("part", Vocabulary.part),
    ("replyFault", Vocabulary.replyFault), ("connectionFault", Vocabulary.connectionFault),
    ("hostResponse", Vocabulary.hostResponse), ("requestOrder", Vocabulary.requestOrder),
    ("shortReply", Vocabulary.shortReply),
    ("reply", Vocabulary.reply), ("graphQLReply", Vocabulary.graphQLReply),
    ("chaos", Vocabulary.chaos), ("chaosWhere", Vocabulary.chaosWhere),
    ("chaosWhen", Vocabulary.chaosWhen), ("chaosProvide", Vocabulary.chaosProvide),
    ("chaosNumberConditions", Vocabulary.numberMatcher), ("chaosEvent", Vocabulary.chaosEvent),
    ("chaosCompute", Vocabulary.chaosCompute), ("chaosExec", Vocabulary.chaosExec),
    ("chaosRandom", Vocabulary.chaosRandom),
    ("chaosSignal", Vocabulary.chaosSignal), ("chaosRestart", Vocabulary.chaosRestart),
    ("chaosBranch", Vocabulary.chaosBranch),
    ("chaosAmount", Vocabulary.chaosAmount), ("chaosCorrupt", Vocabulary.chaosCorrupt),
    ("chaosApplication", Vocabulary.chaosApplication),
    ("linkFaults", Vocabulary.linkFaults + ["stream"]),
    ("linkNameAnswer", Vocabulary.linkNameAnswer), ("toxicLatency", toxic("latency")),
    ("toxicBandwidth", toxic("bandwidth")), ("toxicSlowClose", toxic("slow_close")),
    ("toxicTimeout", toxic("timeout")), ("toxicResetPeer", toxic("reset_peer")),
    ("toxicSlicer", toxic("slicer")), ("toxicLimitData", toxic("limit_data")),
    ("explore", Vocabulary.explore), ("explorePoint", Vocabulary.explorePoint),
    ("exploreBudget", Vocabulary.exploreBudget), ("exploreLeaks", Vocabulary.exploreLeaks),
    ("processes", Vocabulary.processCounts),
    ("step", Vocabulary.step), ("travelBlock", Vocabulary.travelBlock),
    ("jumpBlock", Vocabulary.jumpBlock), ("freezeBlock", Vocabulary.freezeBlock),
    ("rateBlock", Vocabulary.rateBlock), ("timers", Vocabulary.timers),
    ("clockCondition", Vocabulary.clockCondition),
    ("durationConditions", Vocabulary.durationMatcher), ("wait", Vocabulary.wait),
    ("expect", Vocabulary.expect), ("targetExpect", Vocabulary.targetExpect),
    ("launch", Vocabulary.launch), ("signalStep", Vocabulary.signal), ("exec", Vocabulary.exec),
    ("write", Vocabulary.write), ("ready", Vocabulary.ready),
    ("trust", Vocabulary.trust), ("readyHTTP", Vocabulary.readyHTTP),
    ("stopSettings", Vocabulary.stopSettings),
    ("requestCondition", Vocabulary.requestCondition),
    ("chaosCondition", Vocabulary.chaosCondition), ("fileState", Vocabulary.fileStates),
    ("fileProperties", Vocabulary.fileProperties), ("treeCondition", Vocabulary.treeCondition),
    ("textConditions", Vocabulary.textMatcher), ("numberConditions", Vocabulary.numberMatcher),
    ("dataConditions", Vocabulary.dataMatcher), ("jsonOperator", Vocabulary.jsonMatcher),
    ("sequence", Vocabulary.sequenceGenerator), ("construct", Vocabulary.construct),
    ("after", Vocabulary.after), ("buildGenerator", Vocabulary.buildGenerator),
    ("buildVariant", Vocabulary.buildVariant), ("maybe", Vocabulary.maybeGenerator),
    ("list", Vocabulary.listGenerator), ("integerRange", Vocabulary.integerGenerator),
    ("numberRange", Vocabulary.numberGenerator), ("textShape", Vocabulary.textGenerator),
    ("timeRange", Vocabulary.timeGenerator), ("fileSource", Vocabulary.fileGenerator),
    ("mutation", Vocabulary.mutationGenerator),
    ("encodedInput", Vocabulary.standardInput), ("exactBase64", ["base64"]),
    ("generator", Vocabulary.generators.filter { $0 != "$build" }),
    ("pieceContent", Vocabulary.pieces), ("streamStep", Vocabulary.streamStep),
    ("webSocketStep", Vocabulary.webSocketStep), ("webSocketClose", Vocabulary.webSocketClose),
    ("grpc", Vocabulary.grpc), ("grpcMessage", Vocabulary.grpcMessage),
    ("skip", Vocabulary.skip), ("capture", Vocabulary.capture),
  ]

  private static func toxic(_ word: String) -> [String] {
    (Vocabulary.toxicAttributes[word] ?? []) + ["stream"]
  }

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

  private static func project() throws -> ScenarioFile {
    let text = """
      version: 1
      target: { command: [date] }
      factories:
        user: { aliases: [author], traits: { admin: {} }, enums: { state: [active, banned] } }
      chaos: [ { name: disk full, call: write, provide: { error: ENOSPC } } ]
      """
    return try #require(ScenarioFile.parse(text: text, path: "f").file)
  }

  @Test("Words are closed lists, and what editors write fits where they write it")
  func snippets() throws {
    for definition in LanguageDescription.definitions {
      #expect(
        !definition.summary.isEmpty && definition.summary.hasSuffix("."), "\(definition.name)")
      guard case .map(let keys, _) = definition.content else { continue }
      for key in keys {
        #expect(key.summary.hasSuffix("."), "\(key.name) in \(definition.name)")
        for snippet in key.snippets {
          let body = snippet.body.replacing(/\$\{[0-9]:([^}]*)\}/) { $0.1 }
          let text = "{version: 1, target: {command: [date]}, \(key.name): \(body)}"
          let isTarget = key.name == "target"
          let messages = brief(isTarget ? "{version: 1, target: \(body)}" : text)
          #expect(messages.isEmpty, "\(snippet.label)")
        }
      }
    }
  }

  @Test("Schema and decoder know the same keys, and the schema allows no others")
  func agrees() throws {
    let schema = try Self.schema()
    for (name, keys) in Self.tables {
      let definition = try #require(
        name.isEmpty ? schema : schema["$defs"]?[name], "no definition \"\(name)\"")
      #expect(definition["properties"]?.keys.sorted() == keys.sorted(), "in \"\(name)\"")
      #expect(definition["additionalProperties"] == .bool(false), "in \"\(name)\"")
    }
  }

  @Test("Every map of the schema with fixed keys is a table of the decoder")
  func coversDefinitions() throws {
    let definitions = try #require(try Self.schema()["$defs"])
    let known = Set(Self.tables.map(\.definition))
    for name in definitions.keys where definitions[name]?["properties"] != nil && name != "plainMap"
    {
      #expect(known.contains(name), "\"\(name)\" is no table")
    }
  }

  @Test("Every key has a description, every reference a definition")
  func describes() throws {
    let schema = try Self.schema()
    let definitions = Set(schema["$defs"]?.keys ?? [])
    for (name, _) in Self.tables {
      let properties = (name.isEmpty ? schema : schema["$defs"]?[name])?["properties"]
      for key in properties?.keys ?? [] {
        #expect(properties?[key]?["description"] != nil, "\"\(key)\" in \"\(name)\"")
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
      guard case .list(let words)? = definitions[definition]?["properties"]?[key]?["enum"] else {
        return []
      }
      return words.compactMap { if case .string(let word) = $0 { word } else { nil } }
    }
    #expect(words("clock", "files").sorted() == FileTimes.allCases.map(\.rawValue).sorted())
    #expect(words("clock", "escapes").sorted() == ClockEscapes.allCases.map(\.rawValue).sorted())
    let flow = definitions["clock"]?["properties"]?["flow"]?["anyOf"]?.jsonText()
    let flowWords = ClockFlow.words.map { "\"\($0.word)\"" }.joined(separator: ",")
    #expect(flow == "[{\"enum\":[\(flowWords)]},{\"$ref\":\"#/$defs/rate\"}]")
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
