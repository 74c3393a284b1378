extension [Diagnostic] {
  /// Returns the diagnostics in the order of the files and of the lines within them; those without
  /// a place first, those of other files last, and those at one place as they were reported.
  package func sorted(byFiles files: [String]) -> [Diagnostic] {
    let places = Dictionary(zip(files, files.indices)) { first, _ in first }
    func key(_ range: SourceRange?) -> (Int, Int, Int) {
      guard let range else { return (-1, 0, 0) }
      return (places[range.file] ?? files.count, range.line, range.column)
    }
    return enumerated().map { (key: key($1.range), offset: $0, diagnostic: $1) }
      .sorted { $0.key != $1.key ? $0.key < $1.key : $0.offset < $1.offset }
      .map(\.diagnostic)
  }
}
