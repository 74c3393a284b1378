/// The lines of a text, whether they end with LF or, as in HTTP's headers, with CR LF.
package enum TextLines {
  /// The lines, a CR at their ends included; the last one is empty where the text ends with a line's end.
  ///
  /// A CR and a LF are one `Character`, so that texts cannot be split by characters.
  package static func split(_ text: some StringProtocol) -> [Substring] {
    Substring(text).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map(Substring.init)
  }

  /// A line without the CR of its end.
  package static func content(_ line: Substring) -> String {
    String(line.unicodeScalars.last == "\r" ? Substring(line.unicodeScalars.dropLast()) : line)
  }
}
