package import Foundations

/// The conditions on a file besides its content; those that are `nil` are not checked.
package struct PlannedFileProperties: Sendable, Hashable, Codable {
  /// The kind of the file.
  package var kind: FileKind?
  /// The condition on the target of a symbolic link.
  package var link: PlannedMatcher?
  /// The lower twelve bits of its mode.
  package var mode: UInt32?
  /// The SHA-256 of its bytes, in lower-case hexadecimal digits.
  package var digest: String?

  /// Creates properties.
  package init(kind: FileKind?, link: PlannedMatcher?, mode: UInt32?, digest: String?) {
    self.kind = kind
    self.link = link
    self.mode = mode
    self.digest = digest
  }

  /// The properties in a few words.
  package var summary: String {
    var words: [String] = []
    if let kind { words.append("is a \(kind.rawValue)") }
    if let link { words.append("leads to \(link.summary)") }
    if let mode { words.append("has the mode 0\(String(mode, radix: 8))") }
    if let digest { words.append("has the SHA-256 \(digest)") }
    return words.joined(separator: ", ")
  }
}
