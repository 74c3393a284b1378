public import ScenarioModel

/// What a file must be, beside what it says; what is `nil` is not asked.
public struct PlannedFileProperties: Sendable, Hashable, Codable {
  /// What stands at the path.
  public var kind: FileKind?
  /// Where a symbolic link leads.
  public var link: PlannedMatcher?
  /// The lower twelve bits of its mode.
  public var mode: UInt32?
  /// The SHA-256 of its bytes, in lower-case hexadecimal digits.
  public var digest: String?

  /// Creates properties.
  public init(kind: FileKind?, link: PlannedMatcher?, mode: UInt32?, digest: String?) {
    self.kind = kind
    self.link = link
    self.mode = mode
    self.digest = digest
  }

  /// In a few words.
  var summary: String {
    var words: [String] = []
    if let kind { words.append("is a \(kind.rawValue)") }
    if let link { words.append("leads to \(link.summary)") }
    if let mode { words.append("has the mode 0\(String(mode, radix: 8))") }
    if let digest { words.append("has the SHA-256 \(digest)") }
    return words.joined(separator: ", ")
  }
}
