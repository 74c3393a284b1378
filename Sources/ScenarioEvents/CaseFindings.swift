/// A value that a case has captured.
public struct CapturedText: Sendable, Hashable, Codable {
  /// Its name.
  public var name: String
  /// The value: a text as it is, anything else as JSON; its beginning and an ellipsis where it is long.
  public var value: String

  /// Creates a description.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A file that a case has left for whoever looks into it.
public struct Attachment: Sendable, Hashable, Codable {
  /// What it is.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A file of the case's own folder, which was kept.
    case file
    /// What real hosts said.
    case recording
    /// The requests and replies of the whole run.
    case archive
  }

  /// What it is.
  public var kind: Kind
  /// Its path, absolute; of a name that is not UTF-8 a form for people.
  public var path: String
  /// Where it is, as `file:///a%FF`, if its name is not UTF-8; otherwise `nil`.
  public var address: String?

  /// Creates a description.
  public init(kind: Kind, path: String, address: String? = nil) {
    self.kind = kind
    self.path = path
    self.address = address
  }
}
