internal import Foundations
internal import OrderedCollections

/// Diagnostics as JSON of this program's own form: schemas/diagnostics.schema.json.
enum DiagnosticJSON {
  static func document(
    _ list: DiagnosticList, version: String, source: @escaping (String) -> SourceText?
  ) -> String {
    var places = Places(source: source)
    let diagnostics = list.shown.map { value($0, &places) }
    return Value.map([
      "version": .integer(1),
      "tool": .map(["name": .string("scenario"), "version": .string(version)]),
      "errors": .integer(Int64(list.errors)),
      "warnings": .integer(Int64(list.warnings)),
      "omitted": .integer(Int64(list.omitted)),
      "diagnostics": .list(diagnostics),
    ]).jsonText(pretty: true) + "\n"
  }

  private static func value(_ diagnostic: Diagnostic, _ places: inout Places) -> Value {
    let notes = diagnostic.notes.map { note in
      Value.map([
        "message": .string(note.message),
        "range": note.range.map { places.value($0, length: $0.length) } ?? .null,
      ])
    }
    let fix = diagnostic.fix.map { fix in
      Value.map([
        "range": places.value(fix.start, length: fix.length), "text": .string(fix.text),
        "confidence": .string(fix.confidence.rawValue),
      ])
    }
    return .map([
      "code": .string(diagnostic.code.rawValue),
      "severity": .string(diagnostic.severity.rawValue),
      "message": .string(diagnostic.message),
      "range": diagnostic.range.map { places.value($0, length: $0.length) } ?? .null,
      "help": diagnostic.help.map { .string($0) } ?? .null,
      "fix": fix ?? .null,
      "notes": .list(notes),
    ])
  }

  /// Ranges as values; each file is read once.
  private struct Places {
    let source: (String) -> SourceText?
    private var sources: [String: SourceText] = [:]

    init(source: @escaping (String) -> SourceText?) {
      self.source = source
    }

    mutating func value(_ range: SourceRange, length: Int) -> Value {
      if sources[range.file] == nil { sources[range.file] = source(range.file) }
      let end = range.column + length
      func units(_ column: Int) -> Value {
        let found = sources[range.file]?.utf16Column(line: range.line, column: column)
        return .integer(Int64(found ?? column))
      }
      return .map([
        "file": .string(range.file),
        "line": .integer(Int64(range.line)),
        "column": .integer(Int64(range.column)),
        "endLine": .integer(Int64(range.endLine)),
        "endColumn": .integer(Int64(end)),
        "utf16": .map(["column": units(range.column), "endColumn": units(end)]),
      ])
    }
  }
}
