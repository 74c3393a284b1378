/// The size of a terminal, in characters: `80x24`.
package struct TerminalSize: Hashable, Sendable, Codable {
  /// The length of a line.
  package var columns: UInt16
  /// The number of lines.
  package var rows: UInt16

  /// Creates a size.
  package init(columns: UInt16, rows: UInt16) {
    self.columns = columns
    self.rows = rows
  }

  /// Reads `COLUMNSxROWS`, both in decimal digits and at least 1; `nil` for anything else.
  package init?(text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let columns = UInt16(parts[0]), let rows = UInt16(parts[1]), columns > 0, rows > 0
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}

extension TerminalSize: CustomStringConvertible {
  /// The size as an author writes it.
  package var description: String { "\(columns)x\(rows)" }
}
