/// A glob over paths: `*` within a segment, `**` across segments, `?` one character, `[a-z]` a set.
public struct GlobPattern: Sendable, Hashable, Codable {
  /// The pattern as written.
  public var text: String

  /// Creates a pattern.
  public init(_ text: String) {
    self.text = text
  }
}

/// A URL with templates: `https://api.example.com/v1/orders/{id}?page=2`.
public struct URLPattern: Sendable, Hashable, Codable {
  /// `http` or `https`; `nil` is either.
  public var scheme: String?
  /// The host in lower case, may hold `*`; `nil` is any.
  public var host: String?
  /// The port; `nil` is the scheme's own.
  public var port: UInt16?
  /// The path, beginning with `/`; `{name}` matches one segment, `*` and `**` as in globs.
  public var path: String
  /// Query items that must be there, in order.
  public var query: [QueryItem]

  /// One query item.
  public struct QueryItem: Sendable, Hashable, Codable {
    /// The decoded name.
    public var name: String
    /// The decoded value.
    public var value: String

    /// Creates an item.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a pattern.
  public init(
    scheme: String?, host: String?, port: UInt16?, path: String, query: [QueryItem] = []
  ) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }
}

/// A regular expression that is known to be well formed.
public struct RegularExpression: Sendable, Hashable, Codable {
  /// The expression as written.
  public var text: String

  /// Creates an expression; the planner has checked it.
  public init(_ text: String) {
    self.text = text
  }
}
