extension StringProtocol {
  /// Returns whether two texts look the same and are not: `é` as one scalar, and as `e` with an accent behind it.
  package func isTwin(of other: some StringProtocol) -> Bool {
    self == other && !utf8.elementsEqual(other.utf8)
  }

  /// The text with each scalar beyond ASCII as `\x{E9}`, so that twins differ visibly; an ellipsis
  /// says that the text was cut, and stays.
  package var spelledOut: String {
    unicodeScalars.map { $0.isASCII || $0 == "…" ? String($0) : TerminalText.visible($0) }.joined()
  }
}
