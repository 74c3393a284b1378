extension URLPattern {
  /// The captured path templates if the target matches, else `nil`.
  package func match(_ target: RequestTarget) -> [String: String]? {
    guard matchesScheme(target), matchesHost(target), matchesPort(target),
      query.allSatisfy({ matches($0, in: target) })
    else {
      return nil
    }
    return matchPath(target)
  }

  /// Returns whether the scheme fits.
  package func matchesScheme(_ target: RequestTarget) -> Bool {
    scheme.map { $0 == target.scheme } ?? true
  }

  /// Returns whether the host fits.
  package func matchesHost(_ target: RequestTarget) -> Bool {
    guard let host else { return true }
    guard host.contains("*") else { return host == target.host }
    return CompiledGlob(host)?.matches(target.host) ?? false
  }

  /// A pattern without a host says nothing about the port either.
  package func matchesPort(_ target: RequestTarget) -> Bool {
    guard host != nil else { return true }
    return (port ?? URLParts.defaultPort(target.scheme)) == target.port
  }

  /// The captured path templates if the path fits, else `nil`.
  package func matchPath(_ target: RequestTarget) -> [String: String]? {
    guard let matcher = try? URLPathMatcher(path) else { return nil }
    return matcher.match(target.path)
  }

  /// Returns whether a target has an item of the query.
  package func matches(_ item: QueryItem, in target: RequestTarget) -> Bool {
    target.query.contains(item)
  }
}
