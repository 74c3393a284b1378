/// A value that a case has captured.
package struct CapturedText: Sendable, Hashable, Codable {
  /// Its name.
  package var name: String
  /// The value: a text as it is, anything else as JSON; its beginning and an ellipsis where it is long.
  package var value: String

  /// Creates a description.
  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A file that a case has left for its readers.
package struct Attachment: Sendable, Hashable, Codable {
  /// The kind.
  package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A file of the case's own folder, which was kept.
    case file
    /// The recording of real hosts.
    case recording
    /// The requests and replies of the whole run.
    case archive
  }

  /// The kind.
  package var kind: Kind
  /// Its path, absolute; of a name that is not UTF-8 a form for people.
  package var path: String
  /// The address, as `file:///a%FF`, if its name is not UTF-8; otherwise `nil`.
  package var address: String?

  /// Creates a description.
  package init(kind: Kind, path: String, address: String? = nil) {
    self.kind = kind
    self.path = path
    self.address = address
  }
}
