package import Foundations
package import ScenarioModel

/// Reads responses from files of their own: recordings in this language, Decoy's JSON, HAR 1.2, and
/// WireMock's mappings.
///
/// The format is recognized by the content, not by the name.
package enum ImportedResponses {
  /// The result of reading a file.
  package typealias Result = (entries: [ResponseEntry], diagnostics: [Diagnostic])

  /// Returns whether a file of a folder is read, by its extension.
  package static func mayRead(_ path: String) -> Bool {
    [".json", ".har", ".yaml", ".yml"].contains { path.hasSuffix($0) }
  }

  /// Reads a file, collecting every mistake; there are no entries if one of them is an error.
  ///
  /// `path` is the file's path as the author named it; nothing is read from there.
  package static func parse(bytes: [UInt8], path: String) -> Result {
    if let invalid = UTF8Validation.firstInvalid(in: bytes) {
      let range = SourceRange(file: path, line: invalid.line, column: invalid.column)
      return (
        [],
        [
          Diagnostic(
            "the file is not valid UTF-8", code: .badEncoding, at: range,
            help: "save the file as UTF-8")
        ]
      )
    }
    let source = SourceText(path: path, bytes: bytes)
    let isYAML = path.hasSuffix(".yaml") || path.hasSuffix(".yml")
    guard !isYAML else { return parseRecording(source) }
    var decoder = ScenarioDecoder(source: source, diagnostics: [], isWrittenByProgram: true)
    var entries: [ResponseEntry] = []
    do throws(Diagnostic) {
      entries = decoder.decodeForeign(try JSONNodeReader.read(source))
    } catch {
      decoder.report(error)
    }
    return outcome(entries, decoder)
  }

  private static func parseRecording(_ source: SourceText) -> Result {
    let read = YAMLReader.read(source)
    var decoder = ScenarioDecoder(
      source: source, diagnostics: read.diagnostics, isWrittenByProgram: true)
    let entries = read.root.map { decoder.decodeRecording($0) } ?? []
    return outcome(entries, decoder)
  }

  private static func outcome(_ entries: [ResponseEntry], _ decoder: ScenarioDecoder) -> Result {
    let diagnostics = decoder.sortedDiagnostics
    let hasErrors = diagnostics.contains { $0.severity == .error }
    return (hasErrors ? [] : entries, diagnostics)
  }
}

extension ScenarioDecoder {
  /// A recording: a version and responses.
  fileprivate mutating func decodeRecording(_ node: YAMLNode) -> [ResponseEntry] {
    guard let reader = mapping(node, keys: ["responses", "version"], subject: "a recording") else {
      return []
    }
    decodeVersion(reader)
    return reader["responses"].map { decodeResponses($0) } ?? []
  }

  /// A file of another tool.
  fileprivate mutating func decodeForeign(_ node: YAMLNode) -> [ResponseEntry] {
    if node.elements != nil { return decodeDecoy(node) }
    if node["log"] != nil { return decodeArchive(node) }
    if node["mappings"] != nil || node["request"] != nil || node["response"] != nil {
      return decodeWireMock(node)
    }
    report(
      "the file is not Decoy JSON, HAR or a WireMock mapping", code: .unreadableImport,
      at: node.range,
      help: "Decoy JSON is a list, HAR has \"log\", a mapping has \"request\" and \"response\"")
    return []
  }

  /// Decodes entries that an importer has put into the language's own words.
  mutating func decodeTranslated(_ nodes: [YAMLNode]) -> [ResponseEntry] {
    nodes.flatMap { decodeResponses(.list([$0], at: $0.range)) }
  }

  /// Sorts entries, those that require most of the query first: an entry's query allows more than
  /// it names, while other tools compare whole URLs.
  func mostSpecificFirst(_ entries: [YAMLNode]) -> [YAMLNode] {
    func queryCount(_ entry: YAMLNode) -> Int {
      guard let url = entry["request"]?["url"]?.scalarText, let mark = url.firstIndex(of: "?")
      else {
        return 0
      }
      return url[mark...].split(separator: "&").count
    }
    return entries.enumerated().sorted { left, right in
      let (leftCount, rightCount) = (queryCount(left.element), queryCount(right.element))
      return leftCount != rightCount ? leftCount > rightCount : left.offset < right.offset
    }.map(\.element)
  }

  // MARK: - Parts that several tools share

  /// A URL as the language writes it: letters that would be templates shielded, the fragment gone.
  func plainURL(_ text: String) -> String {
    var url = text
    if let hash = url.firstIndex(of: "#") { url = String(url[..<hash]) }
    return PercentEncoding.shieldedPattern(url).replacing(" ", with: "%20")
  }

  /// Headers of a reply without those that belong to the connection that carried it.
  func replyHeaders(_ headers: [(name: String, value: YAMLNode)], at range: SourceRange)
    -> YAMLNode?
  {
    var names: [String] = []
    var values: [String: [YAMLNode]] = [:]
    for header in headers where !MessageHeaders.isOfConnection(header.name) {
      let name = header.name.lowercased()
      if values[name] == nil { names.append(name) }
      values[name, default: []] += header.value.elements ?? [header.value]
    }
    guard !names.isEmpty else { return nil }
    return .map(
      names.map { name in
        let list = values[name] ?? []
        return (name, list.count == 1 ? list[0] : .list(list, at: list.first?.range ?? range))
      }, at: range)
  }

  /// The body of a reply in the language's words.
  func replyBody(
    _ bytes: [UInt8], mediaType: String?, at range: SourceRange
  ) -> (key: String, value: YAMLNode)? {
    switch RecordableBody(bytes, mediaType: mediaType) {
    case .empty: nil
    case .json(let value): ("json", .data(value, at: range))
    case .text(let text): ("text", .text(text, at: range))
    case .bytes(let bytes): ("base64", .text(Base64.encoded(bytes), at: range))
    }
  }
}
