internal import Foundations
internal import OrderedCollections

/// Diagnostics as a log of SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format).
enum DiagnosticSARIF {
  static func document(_ list: DiagnosticList, version: String) -> String {
    // Only rules that have results: a log names what it found, not what there is.
    let codes = Set(list.shown.map(\.code)).sorted { $0.rawValue < $1.rawValue }
    let results = list.shown.map { result($0, rule: codes.firstIndex(of: $0.code) ?? 0) }
    let driver = Value.map([
      "name": .string("scenario"), "version": .string(version),
      "rules": .list(codes.map(rule)),
    ])
    return Value.map([
      "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"),
      "version": .string("2.1.0"),
      "runs": .list([
        .map([
          "tool": .map(["driver": driver]), "columnKind": .string("unicodeCodePoints"),
          "results": .list(results),
        ])
      ]),
    ]).jsonText(pretty: true) + "\n"
  }

  private static func rule(_ code: DiagnosticCode) -> Value {
    let explanation = code.explanation
    return .map([
      "id": .string(code.rawValue),
      "name": .string("\(code)"),
      "shortDescription": .map(["text": .string(explanation.title)]),
      "fullDescription": .map(["text": .string(explanation.text)]),
      "defaultConfiguration": .map(["level": .string(code.severity.rawValue)]),
    ])
  }

  private static func result(_ diagnostic: Diagnostic, rule: Int) -> Value {
    let text = diagnostic.message + (diagnostic.help.map { "; help: \($0)" } ?? "")
    var result: [(String, Value)] = [
      ("ruleId", .string(diagnostic.code.rawValue)),
      ("ruleIndex", .integer(Int64(rule))),
      ("level", .string(diagnostic.severity.rawValue)),
      ("message", .map(["text": .string(text)])),
    ]
    if let range = diagnostic.range {
      result.append(("locations", .list([.map(["physicalLocation": physical(range)])])))
    }
    let related = diagnostic.notes.compactMap { note in
      note.range.map { range in
        Value.map([
          "physicalLocation": physical(range), "message": .map(["text": .string(note.message)]),
        ])
      }
    }
    if !related.isEmpty { result.append(("relatedLocations", .list(related))) }
    if let fix = diagnostic.fix { result.append(("fixes", .list([value(fix, diagnostic.help)]))) }
    return .map(.init(uniqueKeysWithValues: result))
  }

  private static func value(_ fix: DiagnosticFix, _ help: String?) -> Value {
    .map([
      "description": .map(["text": .string(help ?? "write \"\(fix.text)\"")]),
      // SARIF 2.1.0, section 3.8: a property bag holds what the format has no word for.
      "properties": .map(["confidence": .string(fix.confidence.rawValue)]),
      "artifactChanges": .list([
        .map([
          "artifactLocation": artifact(fix.start.file),
          "replacements": .list([
            .map([
              "deletedRegion": region(fix.start, length: fix.length),
              "insertedContent": .map(["text": .string(fix.text)]),
            ])
          ]),
        ])
      ]),
    ])
  }

  private static func physical(_ range: SourceRange) -> Value {
    .map([
      "artifactLocation": artifact(range.file), "region": region(range, length: range.length),
    ])
  }

  private static func region(_ range: SourceRange, length: Int) -> Value {
    .map([
      "startLine": .integer(Int64(range.line)), "startColumn": .integer(Int64(range.column)),
      "endLine": .integer(Int64(range.endLine)),
      "endColumn": .integer(Int64(range.column + length)),
    ])
  }

  private static func artifact(_ path: String) -> Value {
    .map(["uri": .string(URIPath.text(of: path))])
  }
}

/// Paths as references of RFC 3986.
enum URIPath {
  /// The path with everything escaped that a reference cannot hold, and as a file's if it is absolute.
  static func text(of path: String) -> String {
    let escaped = PercentEncoding.encodedPath(path.utf8)
    return path.hasPrefix("/") ? "file://\(escaped)" : escaped
  }
}
