/// Letters of other scripts that nobody tells from those of ASCII.
package enum LookalikeLetters {
  /// The word with each such letter replaced by the one that it looks like, and without characters that nobody sees.
  package static func plain(_ word: String) -> String {
    guard !word.utf8.allSatisfy({ $0 < 0x80 }) else { return word }
    var plain = String.UnicodeScalarView()
    for scalar in word.unicodeScalars where !isInvisible(scalar) {
      plain.append(letters[scalar] ?? narrow(scalar) ?? scalar)
    }
    return String(plain)
  }

  /// Small and capital letters of Cyrillic and Greek whose common shapes are those of Latin ones.
  private static let letters: [Unicode.Scalar: Unicode.Scalar] = {
    let pairs = zip(
      "авеијкмнорстухһѕіԁԛԝАВЕЈКМНОРСТУХЅІαειικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ".unicodeScalars,
      "abeujkmhopctyxhsidqwABEJKMHOPCTYXSIaeiikvoptuxABEZHIKMNOPTYX".unicodeScalars)
    return Dictionary(pairs) { first, _ in first }
  }()

  /// Fullwidth forms (U+FF01 to U+FF5E) are those of ASCII, each as far behind its own.
  private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    (0xFF01...0xFF5E).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0xFEE0) : nil
  }

  /// Blanks, joiners and marks of direction without width, and blanks that are none of ASCII.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace
  }
}
