internal import Foundations

/// A path of an OpenAPI document with its templates, cut into segments (OpenAPI 3.1, "Path Templating").
package struct OpenAPIPath: Sendable {
  private enum Part: Sendable {
    case literal(String)
    case capture(String)
  }

  private let segments: [[Part]]

  /// Cuts a path such as `/pets/{id}`.
  package init(_ template: String) {
    segments = Self.split(template).map { Self.parts(of: $0) }
  }

  /// The names of the templates, in order.
  package var captureNames: [String] {
    segments.joined().compactMap { part in
      if case .capture(let name) = part { name } else { nil }
    }
  }

  /// The path without the names of its templates, as `/pets/{}`: two paths of one shape match the same requests.
  ///
  /// No path has the literal text `{}`, so that templates match it alone.
  package var shape: String {
    segments.map { parts in
      "/"
        + parts.map { part in
          if case .literal(let text) = part { text } else { "{}" }
        }.joined()
    }.joined()
  }

  /// The rank of the path among those that match a request: the lowest one is meant.
  ///
  /// A concrete path goes before one with templates; of two with templates, the one whose first template comes later.
  var rank: [Int] {
    segments.map { parts in
      let isConcrete = parts.allSatisfy { if case .literal = $0 { true } else { false } }
      return isConcrete ? 0 : parts.count > 1 ? 1 : 2
    }
  }

  /// The values of the templates as the path has them; `nil` if it does not match.
  package func encodedMatch(_ path: String) -> [String: String]? {
    let texts = Self.split(path)
    guard texts.count == segments.count else { return nil }
    var captures: [String: String] = [:]
    for (parts, text) in zip(segments, texts) {
      guard Self.match(parts, text, &captures) else { return nil }
    }
    return captures
  }

  private static func split(_ path: String) -> [Substring] {
    let relative = path.hasPrefix("/") ? path.dropFirst() : Substring(path)
    return relative.split(separator: "/", omittingEmptySubsequences: false)
  }

  /// A template ends where the literal text behind it is found first; a capture is never empty.
  private static func match(
    _ parts: [Part], _ text: Substring, _ captures: inout [String: String]
  ) -> Bool {
    var rest = text
    for (index, part) in parts.enumerated() {
      switch part {
      case .literal(let literal):
        // The one before a literal has looked for it already.
        guard rest.hasPrefix(literal) else { return false }
        rest = rest.dropFirst(literal.count)
      case .capture(let name):
        var end = rest.endIndex
        if index + 1 < parts.count, case .literal(let next) = parts[index + 1] {
          let isLast = index + 2 == parts.count
          let searched = rest.dropFirst()
          guard
            let found = isLast
              ? (searched.hasSuffix(next)
                ? searched.index(searched.endIndex, offsetBy: -next.count) : nil)
              : searched.firstRange(of: next)?.lowerBound
          else { return false }
          end = found
        }
        guard end > rest.startIndex else { return false }
        captures[name] = String(rest[..<end])
        rest = rest[end...]
      }
    }
    return rest.isEmpty
  }

  private static func parts(of segment: Substring) -> [Part] {
    var parts: [Part] = []
    var rest = segment
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex {
        parts.append(.literal(PercentEncoding.normalizedPath(rest[..<open])))
      }
      parts.append(.capture(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty || parts.isEmpty {
      parts.append(.literal(PercentEncoding.normalizedPath(rest)))
    }
    return parts
  }
}
