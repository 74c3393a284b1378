/// The content of a file, as a run has read it.
package struct SourceDigest: Sendable, Hashable, Codable {
  /// The path, as the places of failures name it.
  package var file: String
  /// SHA-256 of its text, in hexadecimal.
  package var sha256: String

  /// Creates a description.
  package init(file: String, sha256: String) {
    self.file = file
    self.sha256 = sha256
  }
}
