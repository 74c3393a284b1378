/// The host and the port of a URL's authority, or of a Host header (RFC 3986, section 3.2).
enum HTTPAuthority {
  /// Splits an authority: the host in canonical form, and the port where there is one; `nil` if it is none.
  static func split(_ authority: String) -> (host: String, port: UInt16?)? {
    var rest = authority[...]
    let host: String
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      let literal = rest[rest.index(after: rest.startIndex)..<end]
      guard AddressLiteral.bytes(of: String(literal)) != nil else { return nil }
      host = literal.lowercased()
      rest = rest[rest.index(after: end)...]
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      guard let name = HostName.normalized(rest[..<end]) else { return nil }
      host = name
      rest = rest[end...]
    }
    guard !rest.isEmpty else { return (host, nil) }
    guard let port = UInt16(rest.dropFirst()), port > 0, rest.first == ":" else { return nil }
    return (host, port)
  }
}
