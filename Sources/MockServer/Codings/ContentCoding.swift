internal import NIOHTTP1

/// A content coding (RFC 9110, section 8.4.1; RFC 7932; RFC 8878).
enum ContentCoding: String, CaseIterable {
  case gzip, deflate, br, zstd

  /// The reason why bytes cannot be decoded.
  struct DecodingError: Error {
    let message: String
  }

  /// Reads a name; `x-gzip` is an old one of gzip.
  init?(name: some StringProtocol) {
    let name = name.lowercased()
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
  }

  /// The coding that a client likes best (RFC 9110, section 12.5.3); `nil` is none.
  ///
  /// Of several that it likes equally the first rules.
  static func preferred(by headers: HTTPHeaders) -> ContentCoding? {
    var best: (coding: ContentCoding, weight: Double)?
    var excluded: [ContentCoding] = []
    var wildcard = 0.0
    for item in headers[canonicalForm: "accept-encoding"] {
      let parts = item.split(separator: ";")
      guard let name = parts.first.map({ $0.filter { $0 != " " } }) else { continue }
      let weight = parts.dropFirst().compactMap { Self.weight($0) }.first ?? 1
      if name == "*" { wildcard = weight }
      guard let coding = ContentCoding(name: name) else { continue }
      if weight <= 0 { excluded.append(coding) }
      if weight > best?.weight ?? 0 { best = (coding, weight) }
    }
    if let best { return best.coding }
    guard wildcard > 0 else { return nil }
    return allCases.first { !excluded.contains($0) }
  }

  private static func weight(_ parameter: Substring) -> Double? {
    let text = parameter.filter { $0 != " " }.lowercased()
    return text.hasPrefix("q=") ? Double(text.dropFirst(2)) : nil
  }
}
