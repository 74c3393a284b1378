internal import Foundations

extension URLPattern {
  /// Reads a pattern such as `https://api.example.com/v1/orders/{id}?page=2`.
  ///
  /// Where `allowsPathAlone` holds, `/v1/orders/{id}` is a pattern too, for any host. The result is
  /// canonical: host in lower case, the scheme's own port left out, one spelling for equal paths.
  package init(parsing text: String, allowsPathAlone: Bool = false) throws(PatternError) {
    let parts = URLParts(text)
    try Self.refuseWhatNoRequestHas(parts, in: text)
    var scheme: String?
    var host: String?
    var port: UInt16?
    if let authority = parts.authority {
      scheme = try Self.scheme(parts.scheme, in: text)
      (host, port) = try URLParts.hostAndPort(authority, in: text)
      if let known = scheme, port == URLParts.defaultPort(known) { port = nil }
    } else {
      guard allowsPathAlone, parts.path.hasPrefix("/") else {
        throw PatternError(
          "\"\(text)\" is not a URL",
          help: allowsPathAlone
            ? "write a path such as /orders/{id}, or a URL such as https://api.example.com/orders"
            : "write scheme, host and path, as in https://api.example.com/orders")
      }
    }
    let path = parts.path.isEmpty ? "/" : PercentEncoding.normalizedPattern(parts.path)
    _ = try URLPathMatcher(path)
    self.init(
      scheme: scheme, host: host, port: port, path: path,
      query: try parts.query.map { query throws(PatternError) in
        try Self.queryItems(query, in: text)
      } ?? [])
  }

  /// Reads a method and a pattern: `POST /orders`, `GET https://host/path`, or a pattern alone.
  package static func parseRequestLine(
    _ text: String
  ) throws(PatternError) -> (method: String?, url: URLPattern) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    switch words.count {
    case 1: return (nil, try URLPattern(parsing: String(words[0]), allowsPathAlone: true))
    case 2:
      let method = String(words[0])
      guard method.utf8.allSatisfy(isCapital) else {
        throw PatternError(
          "\"\(method)\" is not a method",
          help: "write the method in capitals, as in \"\(method.uppercased()) \(words[1])\"")
      }
      return (method, try URLPattern(parsing: String(words[1]), allowsPathAlone: true))
    default:
      throw PatternError(
        "\"\(text)\" is not a request",
        help: "write a method and a path or URL, as in \"POST /orders\"")
    }
  }

  private static func isCapital(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  private static func refuseWhatNoRequestHas(
    _ parts: URLParts, in text: String
  ) throws(PatternError) {
    if parts.fragment != nil {
      throw PatternError(
        "the URL \"\(text)\" has a fragment, which no request carries",
        help: "leave out \"#\" and what follows, or write %23 for the letter")
    }
    if parts.authority?.contains("@") == true {
      throw PatternError(
        "the URL \"\(text)\" names a user, which no request carries in its URL",
        help: "leave out what stands before \"@\" and match the \"authorization\" header")
    }
    if let broken = PercentEncoding.firstBrokenTriplet(in: parts.path + (parts.query ?? "")) {
      throw PatternError(
        "\"\(broken)\" in \"\(text)\" is not a percent-encoded letter",
        help: "write two hexadecimal digits behind \"%\", or %25 for the letter \"%\"")
    }
  }

  private static func scheme(_ scheme: String?, in text: String) throws(PatternError) -> String? {
    switch scheme {
    case "http", "https": return scheme
    case "*": return nil
    default:
      throw PatternError(
        "unknown scheme \"\(scheme ?? "")\" in \"\(text)\"",
        help: scheme == "tcp"
          ? "a connection of another protocol has a script, which says what the client must send: { host: HOST:PORT, tcp: [ … ] }"
          : "write http://, https://, or *:// for either")
    }
  }

  private static func queryItems(
    _ query: String, in text: String
  ) throws(PatternError) -> [QueryItem] {
    for mark in ["{", "}", "*"] where query.contains(mark) {
      throw PatternError(
        "\"\(mark)\" in the query of \"\(text)\" would be taken literally",
        help: "leave the item out to allow any value, or percent-encode the letter")
    }
    return URLParts.queryItems(query)
  }

  /// The pattern as text.
  package var text: String {
    var result = ""
    if let host {
      result += (scheme ?? "*") + "://" + host
      if let port { result += ":\(port)" }
    }
    result += path
    let items = query.map { item in
      PercentEncoding.encodedQuery(item.name) + "=" + PercentEncoding.encodedQuery(item.value)
    }
    return items.isEmpty ? result : result + "?" + items.joined(separator: "&")
  }
}
