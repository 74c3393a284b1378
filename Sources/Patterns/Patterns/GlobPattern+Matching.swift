extension GlobPattern {
  /// Returns whether the whole text matches; a malformed pattern matches nothing.
  package func matches(_ text: String) -> Bool {
    CompiledGlob(self.text)?.matches(text) ?? false
  }

  /// Checks that the pattern is well formed.
  package func validate() throws(PatternError) {
    guard CompiledGlob(text) != nil else {
      throw PatternError(
        "the pattern \"\(text)\" has a set that does not end or runs backwards",
        help: "close the set with \"]\", or write \"\\[\" for the bracket itself")
    }
  }
}
