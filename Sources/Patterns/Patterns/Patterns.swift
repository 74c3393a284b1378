/// A glob over paths: `*` within a segment, `**` across segments, `?` one character, `[a-z]` a set.
package struct GlobPattern: Sendable, Hashable, Codable {
  /// The pattern as written.
  package var text: String

  /// Creates a pattern.
  package init(_ text: String) {
    self.text = text
  }

  /// True if it is a path without wildcards.
  package var isPlain: Bool { !text.contains { "*?[{\\".contains($0) } }
}

/// A URL with templates: `https://api.example.com/v1/orders/{id}?page=2`.
package struct URLPattern: Sendable, Hashable, Codable {
  /// `http` or `https`; `nil` is either.
  package var scheme: String?
  /// The host in lower case, may hold `*`; `nil` is any.
  package var host: String?
  /// The port; `nil` is the scheme's own.
  package var port: UInt16?
  /// The path, beginning with `/`; `{name}` matches one segment, `*` and `**` as in globs.
  package var path: String
  /// Query items that must be there, in order.
  package var query: [QueryItem]

  /// One query item.
  package struct QueryItem: Sendable, Hashable, Codable {
    /// The decoded name.
    package var name: String
    /// The decoded value.
    package var value: String

    /// Creates an item.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a pattern.
  package init(
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
package struct RegularExpression: Sendable, Hashable, Codable {
  /// The expression as written.
  package var text: String

  /// Creates an expression; the planner has checked it.
  package init(_ text: String) {
    self.text = text
  }
}
