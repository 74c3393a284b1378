package import Foundations
package import ScenarioModel

extension ScenarioFile {
  /// The largest size of a scenario file, in bytes.
  package static var sizeLimit: Int { YAMLLimits().fileSize }

  /// The result of reading a file.
  package typealias ParseResult = (file: ScenarioFile?, diagnostics: [Diagnostic])

  /// Reads a scenario file, collecting every mistake; there is no file if one of them is an error.
  ///
  /// `path` is the file's path as the author named it; nothing is read from there.
  package static func parse(text: String, path: String) -> ParseResult {
    parse(SourceText(path: path, text: text))
  }

  /// Reads a scenario file from bytes, which must be UTF-8.
  package static func parse(bytes: [UInt8], path: String) -> ParseResult {
    whole(parsePart(bytes: bytes, path: path))
  }

  /// Reads a scenario file with the blocks that the files bring which it includes.
  ///
  /// - Parameter areAll: Whether these are all blocks, and no file is missing that may have more.
  package static func parse(
    bytes: [UInt8], path: String, blocks: [YAMLMember], areAll: Bool = true
  ) -> ParseResult {
    let source = SourceText(path: path, bytes: bytes)
    return whole(parsePart(source, blocks: blocks, areAll: areAll))
  }

  /// Reads a scenario file as far as it goes: what is left of one with errors is good for finding more of
  /// them, and not for running.
  package static func parsePart(bytes: [UInt8], path: String) -> ParseResult {
    if let encoding = WideText.name(of: bytes) {
      let start = SourceRange(file: path, line: 1, column: 1)
      let problem = Diagnostic(
        "the file is \(encoding)", code: .badEncoding, at: start, help: "save the file as UTF-8")
      return (nil, [problem])
    }
    if let invalid = UTF8Validation.firstInvalid(in: bytes) {
      let range = SourceRange(file: path, line: invalid.line, column: invalid.column)
      let problem = Diagnostic(
        "the file is not valid UTF-8", code: .badEncoding, at: range,
        help: "save the file as UTF-8")
      return (nil, [problem])
    }
    return parsePart(SourceText(path: path, bytes: bytes))
  }

  private static func parse(_ source: SourceText) -> ParseResult {
    whole(parsePart(source))
  }

  private static func whole(_ result: ParseResult) -> ParseResult {
    let hasErrors = result.diagnostics.contains { $0.severity == .error }
    return (hasErrors ? nil : result.file, result.diagnostics)
  }

  /// Reads a file that is one JSON text as one: libyaml refuses keys beyond 1,024 letters, and
  /// folds lines.
  ///
  /// Mistakes in a text that only looks like JSON are reported by the reader of YAML.
  private static func readJSON(_ source: SourceText) -> YAMLReader.Result? {
    guard source.bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == 0x7B,
      source.bytes.count <= YAMLLimits().fileSize, let root = try? JSONNodeReader.read(source)
    else { return nil }
    return YAMLReader.Result(root: root, diagnostics: [])
  }

  private static func read(_ source: SourceText) -> YAMLReader.Result {
    readJSON(source) ?? YAMLReader.read(source)
  }

  /// The place where a document of OpenAPI says which version of that it is written in; `nil` if the file is none.
  package static func openAPIVersion(in source: SourceText) -> SourceRange? {
    let read = read(source)
    return (read.root ?? read.part)?.openAPIVersion
  }

  private static func parsePart(
    _ source: SourceText, blocks: [YAMLMember]? = nil, areAll: Bool = true
  ) -> ParseResult {
    let read = read(source)
    if let range = (read.root ?? read.part)?.openAPIVersion {
      let problem = Diagnostic(
        "the file is an OpenAPI document, not a scenario", code: .badDocument, at: range,
        help: "name it in a scenario: network: { openapi: \(source.path) }")
      return (nil, [problem])
    }
    var decoder = ScenarioDecoder(source: source, diagnostics: read.diagnostics)
    decoder.outerBlocks = blocks ?? []
    decoder.hasAllBlocks = blocks != nil && areAll
    if let part = read.part, let end = read.diagnostics.last {
      return (nil, decoder.mistakes(in: part, before: end))
    }
    let file = read.root.flatMap { decoder.decodeFile($0) }
    return (file, decoder.sortedDiagnostics)
  }
}

extension YAMLNode {
  /// The place where a document of OpenAPI says which version of that it is written in; `nil` if the file is none.
  ///
  /// A scenario whose `openapi` stands at the top by mistake names a file there.
  fileprivate var openAPIVersion: SourceRange? {
    guard case .mapping(let members) = content else { return nil }
    let member = members.first { ["openapi", "swagger"].contains($0.key.value) }
    guard let member, case .scalar(let scalar) = member.value.content,
      scalar.text.first?.isNumber == true
    else { return nil }
    return member.key.range
  }
}

extension ScenarioDecoder {
  /// Returns the mistakes of a file that can be read up to a place, those in front of that place
  /// included.
  fileprivate mutating func mistakes(
    in part: YAMLNode, before end: Diagnostic
  ) -> [Diagnostic] {
    let known = diagnostics.count
    _ = decodeFile(part)
    // What the reader was in the middle of began further up.
    let places = [end.range] + end.notes.map(\.range)
    let line = places.compactMap { $0?.line }.min() ?? 1
    let found = diagnostics[known...].filter {
      $0.code.showsInPart && ($0.range?.line ?? line) < line
    }
    return ScenarioDecoder(source: source, diagnostics: diagnostics[..<known] + found)
      .sortedDiagnostics
  }
}
