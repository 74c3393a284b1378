/// A file that is opened in place of others.
package struct FileReplacement: Sendable {
  /// Whole paths that are replaced.
  package var paths: Set<String>
  /// Endings of paths that are replaced; each begins with "/".
  package var suffixes: [String]
  /// The path of the file that is opened instead.
  package var replacement: String
  /// True if it names certificate authorities to trust.
  package var isTrust: Bool
  /// True if the machine has no such file, so that programs ask for its status before they open it.
  package var isAddition: Bool

  /// Creates a replacement.
  package init(
    paths: Set<String>, suffixes: [String] = [], replacement: String, isTrust: Bool = false,
    isAddition: Bool = false
  ) {
    self.isAddition = isAddition
    self.paths = paths
    self.suffixes = suffixes
    self.replacement = replacement
    self.isTrust = isTrust
  }
}
