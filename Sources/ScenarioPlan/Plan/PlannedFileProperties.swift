package import Foundations

/// What a file must be, beside what it says; what is `nil` is not asked.
package struct PlannedFileProperties: Sendable, Hashable, Codable {
  /// What stands at the path.
  package var kind: FileKind?
  /// Where a symbolic link leads.
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

  /// In a few words.
  package var summary: String {
    var words: [String] = []
    if let kind { words.append("is a \(kind.rawValue)") }
    if let link { words.append("leads to \(link.summary)") }
    if let mode { words.append("has the mode 0\(String(mode, radix: 8))") }
    if let digest { words.append("has the SHA-256 \(digest)") }
    return words.joined(separator: ", ")
  }
}
