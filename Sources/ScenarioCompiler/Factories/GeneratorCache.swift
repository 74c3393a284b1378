internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioSyntax

/// Files, patterns and schemas of a case, read and compiled once.
struct GeneratorCache {
  /// Generators of texts by their regular expression; `nil` for one that has been reported.
  var matchers: [String: MatchingText?] = [:]
  /// The contents of files, by path and reading.
  var files: [String: Value?] = [:]
  /// Schemas by their place.
  var schemas: [SourceRange: JSONSchema?] = [:]
}

extension DataEvaluator {
  /// Reads a file as `$file` does.
  mutating func file(
    _ path: Located<String>, as reading: FileReading?, at range: SourceRange
  ) -> Value? {
    let home = context.shared.first { $0.path == path.range.file }?.folder
    let full = PathText.join(home ?? context.folder, path.value)
    let isData = ["csv", "json", "yaml", "yml"].contains { path.value.hasSuffix(".\($0)") }
    let reading = reading ?? (isData ? .json : .text)
    let key = "\(reading.rawValue) \(full)"
    if let known = materials.files[key] { return known }
    let value = read(full, as: reading, at: path.range)
    materials.files[key] = .some(value)
    return value
  }

  private mutating func read(
    _ path: String, as reading: FileReading, at range: SourceRange
  ) -> Value? {
    guard let bytes = context.readFile(path) else {
      diagnostics.report(
        "cannot read the file \"\(path)\"", code: .missingFile, at: range,
        help: "write the path relative to the scenario file's folder")
      return nil
    }
    switch reading {
    case .base64: return .string(Base64.encoded(bytes))
    case .text:
      let text = String(decoding: bytes, as: UTF8.self)
      guard Array(text.utf8) == bytes else {
        diagnostics.report(
          "the file \"\(path)\" is not text", code: .badEncoding, at: range,
          help: "write { $file: { path: …, as: base64 } }")
        return nil
      }
      return .string(text)
    case .json:
      let document = DataDocument.parse(bytes: bytes, path: path)
      for diagnostic in document.diagnostics { diagnostics.report(diagnostic) }
      return document.diagnostics.contains { $0.severity == .error } ? nil : document.value
    }
  }

  /// The schema that a reference names.
  mutating func schema(_ reference: SchemaReference) -> JSONSchema? {
    if let known = materials.schemas[reference.range] { return known }
    let made = makeSchema(reference)
    materials.schemas[reference.range] = .some(made)
    return made
  }

  private mutating func makeSchema(_ reference: SchemaReference) -> JSONSchema? {
    let source: Value?
    switch reference.source {
    case .inline(let node):
      source = evaluate(node, in: EvaluationSite.build.at("schema")).data?.literal
    case .file(let path): source = file(path, as: .json, at: reference.range)
    }
    guard var source else { return nil }
    if !reference.pointer.isEmpty {
      guard let part = source.schema(at: reference.pointer) else {
        diagnostics.report(
          "the schema has no value at \"#\(reference.pointer)\"", code: .badSchema,
          at: reference.range,
          help: "write a pointer such as #/$defs/user")
        return nil
      }
      source = part
    }
    return diagnostics.catching(as: .badSchema, at: reference.range) { () throws(PatternError) in
      try JSONSchema(source)
    }
  }
}

extension Value {
  /// The schema at a JSON pointer, which keeps the definitions of the whole.
  fileprivate func schema(at pointer: String) -> Value? {
    var current = self
    for part in pointer.split(separator: "/") {
      let key = JSONPointer.unescaped(part)
      switch current {
      case .map(let members):
        guard let member = members[key] else { return nil }
        current = member
      case .list(let elements):
        guard let index = Int(key), elements.indices.contains(index) else { return nil }
        current = elements[index]
      default: return nil
      }
    }
    guard case .map(var members) = current, case .map(let whole) = self else { return current }
    for key in ["$defs", "definitions"] where members[key] == nil {
      if let definitions = whole[key] { members[key] = definitions }
    }
    return .map(members)
  }
}
