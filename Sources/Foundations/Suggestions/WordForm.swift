/// A word without what is a matter of taste: capitals, hyphens, underscores and blanks.
package struct WordForm: Hashable {
  /// `greaterthan` for `greater_than`, `greater-than`, `greaterThan` and `Greater than`.
  package let text: String

  /// Creates the form of a word.
  package init(_ word: String) {
    text = String(word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " })
  }
}
