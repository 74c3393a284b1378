extension ScenarioFile {
  /// What reading a file gave.
  public typealias ParseResult = (file: ScenarioFile?, diagnostics: [Diagnostic])

  /// Reads a scenario file, collecting every mistake; there is no file if one of them is an error.
  ///
  /// `path` is the file's path as the author named it; nothing is read from there.
  public static func parse(text: String, path: String) -> ParseResult {
    parse(SourceText(path: path, text: text))
  }

  /// Reads a scenario file from bytes, which must be UTF-8.
  public static func parse(bytes: [UInt8], path: String) -> ParseResult {
    if let invalid = UTF8Validation.firstInvalid(in: bytes) {
      let range = SourceRange(file: path, line: invalid.line, column: invalid.column)
      let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      let message = isUTF16 ? "the file is UTF-16" : "the file is not valid UTF-8"
      return (
        nil, [Diagnostic(message, code: .badEncoding, at: range, help: "save the file as UTF-8")]
      )
    }
    return parse(SourceText(path: path, bytes: bytes))
  }

  private static func parse(_ source: SourceText) -> ParseResult {
    let read = YAMLReader.read(source)
    var decoder = ScenarioDecoder(source: source, diagnostics: read.diagnostics)
    let file = read.root.flatMap { decoder.decodeFile($0) }
    let diagnostics = decoder.sortedDiagnostics
    let hasErrors = diagnostics.contains { $0.severity == .error }
    return (hasErrors ? nil : file, diagnostics)
  }
}
