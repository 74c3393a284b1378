internal import Foundations

/// The target of a request: the canonical parts of its URL.
package struct RequestTarget: Sendable, Hashable, Codable {
  /// `http`, `https`, or `tcp` for a connection in a protocol that nothing here speaks.
  package var scheme: String
  /// The host in lower case.
  package var host: String
  /// The port.
  package var port: UInt16
  /// The path with one spelling for all equal paths; `*` for `OPTIONS *`.
  package var path: String
  /// Query items, decoded, in order.
  package var query: [URLPattern.QueryItem]

  /// Creates a target from parts that are canonical already.
  package init(
    scheme: String, host: String, port: UInt16, path: String,
    query: [URLPattern.QueryItem] = []
  ) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }

  /// Reads what a request line and its `Host` field say (RFC 9112, section 3.2).
  ///
  /// `target` may be in origin form (`/path?query`), absolute form (which wins over `authority` and
  /// `scheme`), or `*`. `authority` is a host, with a port where it is not the scheme's own.
  package init(scheme: String, authority: String, target: String) throws(PatternError) {
    let parts = URLParts(target)
    let scheme = parts.scheme ?? scheme.lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw PatternError("unknown scheme \"\(scheme)\"", help: "a scheme is http or https")
    }
    let (host, port) = try URLParts.hostAndPort(parts.authority ?? authority, in: target)
    self.init(
      scheme: scheme, host: host, port: port ?? URLParts.defaultPort(scheme),
      path: parts.path.isEmpty ? "/" : PercentEncoding.normalizedPath(parts.path),
      query: parts.query.map(URLParts.queryItems) ?? [])
  }

  /// The URL as text, without the scheme's own port.
  package var text: String {
    let hasUsualPort = scheme.hasPrefix("http") && port == URLParts.defaultPort(scheme)
    let shownPort = hasUsualPort ? "" : ":\(port)"
    let items = query.map { item in
      PercentEncoding.encodedQuery(item.name) + "=" + PercentEncoding.encodedQuery(item.value)
    }
    let shownQuery = items.isEmpty ? "" : "?" + items.joined(separator: "&")
    return "\(scheme)://\(host)\(shownPort)\(path)\(shownQuery)"
  }
}
