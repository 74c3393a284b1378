/// A file that is opened in place of others.
public struct FileReplacement: Sendable {
  /// Whole paths that are replaced.
  public var paths: Set<String>
  /// Endings of paths that are replaced; each begins with "/".
  public var suffixes: [String]
  /// What is opened instead.
  public var replacement: String
  /// Whether it says whom a program may trust.
  public var isTrust: Bool
  /// Whether it stands where the machine has no file, so that programs ask for its status before they open
  /// it.
  public var isAddition: Bool

  /// Creates a replacement.
  public init(
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
