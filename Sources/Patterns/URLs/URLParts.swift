internal import Foundations

/// A URL cut at its marks (RFC 3986, appendix B), nothing decoded yet.
package struct URLParts {
  var scheme: String?
  /// Host and port; `nil` if there is no `//`.
  var authority: String?
  /// The path.
  package var path: String
  var query: String?
  var fragment: String?

  /// Cuts a URL.
  package init(_ text: String) {
    var rest = Substring(text)
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let marks = rest.firstRange(of: "://"), !rest[..<marks.lowerBound].contains("/") {
      scheme = rest[..<marks.lowerBound].lowercased()
      let behind = rest[marks.upperBound...]
      let slash = behind.firstIndex(of: "/") ?? behind.endIndex
      authority = String(behind[..<slash])
      rest = behind[slash...]
    }
    path = String(rest)
  }

  /// Query items, decoded, in order.
  package static func queryItems(_ query: String) -> [URLPattern.QueryItem] {
    query.utf8.split(separator: UInt8(ascii: "&")).map { item in
      let parts = item.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
      ).map { Substring($0) }
      return URLPattern.QueryItem(
        name: PercentEncoding.decoded(parts[0], plusIsSpace: true),
        value: parts.count > 1 ? PercentEncoding.decoded(parts[1], plusIsSpace: true) : "")
    }
  }

  /// Host in lower case and port, if the authority has one.
  package static func hostAndPort(
    _ authority: String, in text: String
  ) throws(PatternError) -> (host: String, port: UInt16?) {
    var host = Substring(authority)
    var portText: Substring?
    if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
      host = authority[...bracket]
      let behind = authority[authority.index(after: bracket)...]
      guard behind.isEmpty || behind.hasPrefix(":") else { throw malformedHost(authority, text) }
      portText = behind.isEmpty ? nil : behind.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      portText = authority[authority.index(after: colon)...]
    }
    guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else {
      throw malformedHost(authority, text)
    }
    guard let portText, !portText.isEmpty else { return (host.lowercased(), nil) }
    guard let port = UInt16(portText), port > 0 else {
      throw PatternError(
        "\"\(portText)\" in \"\(text)\" is not a port", help: "a port is a number from 1 to 65535")
    }
    return (host.lowercased(), port)
  }

  /// The port that a scheme means when none is written.
  package static func defaultPort(_ scheme: String) -> UInt16 {
    scheme == "http" ? 80 : 443
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }

  private static func malformedHost(_ authority: String, _ text: String) -> PatternError {
    PatternError(
      "\"\(authority)\" in \"\(text)\" is not a host",
      help: "write a host name, as in https://api.example.com/, and other letters as xn--…")
  }
}
