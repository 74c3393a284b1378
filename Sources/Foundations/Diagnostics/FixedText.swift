/// A text with mistakes mended.
package struct FixedText: Sendable {
  /// The text afterwards, in UTF-8.
  package private(set) var bytes: [UInt8]
  /// The number of fixes that it holds.
  package private(set) var count = 0

  /// Makes changes to a file; of two that overlap, the one further up.
  ///
  /// Every place is one of the text before, so that the order of the fixes does not matter.
  package init(_ original: [UInt8], path: String, fixes: [DiagnosticFix]) {
    let source = SourceText(path: path, bytes: original)
    let mark = original.count - source.bytes.count
    let changes = fixes.compactMap { fix -> (start: Int, end: Int, text: String)? in
      guard fix.start.file == path,
        let start = source.byteOffset(line: fix.start.line, column: fix.start.column),
        let end = source.byteOffset(line: fix.start.line, column: fix.endColumn)
      else { return nil }
      return (start, end, fix.text)
    }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    bytes = Array(original.prefix(mark))
    var position = 0
    for change in changes {
      // Two that put something into one place would depend on their order.
      guard change.start >= position, count == 0 || change.start > position || change.end > position
      else { continue }
      bytes += source.bytes[position..<change.start]
      bytes += Array(change.text.utf8)
      position = change.end
      count += 1
    }
    bytes += source.bytes[position...]
  }
}
