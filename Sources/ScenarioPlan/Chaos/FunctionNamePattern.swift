/// A function's name, in which `*` matches any characters: `BN_*`.
package struct FunctionNamePattern: Sendable, Hashable {
  private let pieces: [[UInt8]]

  /// Cuts a text at its asterisks.
  package init(_ text: String) {
    pieces = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      .map { Array($0) }
  }

  /// True if it matches more than one name.
  package var hasAsterisk: Bool { pieces.count > 1 }

  /// True if it matches every name.
  package var takesAll: Bool { hasAsterisk && pieces.allSatisfy(\.isEmpty) }

  /// Returns whether the pattern matches a name.
  package func matches(_ name: some RandomAccessCollection<UInt8>) -> Bool {
    guard let first = pieces.first, let last = pieces.last else { return false }
    guard hasAsterisk else { return name.elementsEqual(first) }
    guard name.count >= first.count + last.count, name.starts(with: first),
      name.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      while rest.count >= piece.count, !rest.starts(with: piece) { rest = rest.dropFirst() }
      guard rest.count >= piece.count else { return false }
      rest = rest.dropFirst(piece.count)
    }
    return true
  }
}
