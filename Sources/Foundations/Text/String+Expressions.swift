extension String {
  /// True if the text may hold an expression: it has a `${{`.
  package var mayHoldExpressions: Bool {
    utf8.contains(UInt8(ascii: "$")) && range(ofScalars: "${{") != nil
  }

  /// Returns the number of scalars in front of the first occurrence of a text; `nil` if there is
  /// none.
  private func range(ofScalars text: String) -> Int? {
    let scalars = Array(unicodeScalars)
    let wanted = Array(text.unicodeScalars)
    guard !wanted.isEmpty, scalars.count >= wanted.count else { return nil }
    return (0...(scalars.count - wanted.count)).first { start in
      scalars[start..<(start + wanted.count)].elementsEqual(wanted)
    }
  }
}
