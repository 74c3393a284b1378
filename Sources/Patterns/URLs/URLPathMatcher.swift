internal import Foundations

/// A path pattern cut into segments.
///
/// Only `**` spans segments, and only the last one that was met is ever widened, so that the time
/// is bounded by pattern length times path length.
package struct URLPathMatcher: Sendable {
  /// The key of a path in an index.
  package enum Place: Hashable, Sendable {
    /// The path has no template.
    case path(String)
    /// The path begins with that segment.
    case segment(String)
    /// The path is unknown.
    case anywhere
  }

  private enum Segment: Sendable {
    case literal(String)
    /// `*` somewhere in the segment.
    case glob(CompiledGlob)
    /// `{name}`, with literal text around it or not.
    case capture(prefix: String, name: String, suffix: String)
    /// `**`: any number of segments.
    case any
  }

  /// A star that is no template; requests have it, or the letter.
  private static let star = "%2A"

  private let segments: [Segment]

  /// Cuts a pattern.
  package init(_ path: String) throws(PatternError) {
    var names: Set<String> = []
    var segments: [Segment] = []
    for text in Self.split(path) {
      let segment = try Self.segment(String(text), in: path)
      if case .capture(_, let name, _) = segment, !names.insert(name).inserted {
        throw PatternError(
          "the name \"\(name)\" stands twice in \"\(path)\"",
          help: "give each template its own name")
      }
      segments.append(segment)
    }
    self.segments = segments
  }

  /// The names of the templates, in order.
  package var captureNames: [String] {
    segments.compactMap { segment in
      guard case .capture(_, let name, _) = segment else { return nil }
      return name
    }
  }

  /// The key in an index of the path that this pattern was read from.
  package func place(of path: String) -> Place {
    let isLiteral = segments.allSatisfy { segment in
      if case .literal = segment { true } else { false }
    }
    // A literal star has two spellings.
    if isLiteral, !path.contains(Self.star) { return .path(path) }
    guard case .literal(let first)? = segments.first, !first.contains(Self.star) else {
      return .anywhere
    }
    return .segment(first)
  }

  /// Returns whether both match the same paths, whatever their templates are called; `false` in doubt.
  package func hasSameShape(as other: URLPathMatcher) -> Bool {
    segments.count == other.segments.count
      && zip(segments, other.segments).allSatisfy { own, other in
        switch (own, other) {
        case (.literal(let left), .literal(let right)): left == right
        case (.capture(let prefix, _, let suffix), .capture(let otherPrefix, _, let otherSuffix)):
          prefix == otherPrefix && suffix == otherSuffix
        case (.any, .any): true
        default: false
        }
      }
  }

  /// The part in front of the second slash.
  package static func firstSegment(of path: String) -> String {
    String(split(path).first ?? "")
  }

  /// The captured names and their decoded texts; `nil` if the path does not match.
  package func match(_ path: String) -> [String: String]? {
    let texts = Self.split(
      path.utf8.contains(UInt8(ascii: "*")) ? path.replacing("*", with: Self.star) : path)
    var captures: [(name: String, text: String)] = []
    var position = 0
    var index = 0
    var lastAny: (index: Int, position: Int, captures: Int)?
    while position < texts.count || index < segments.count {
      if index < segments.count, case .any = segments[index] {
        lastAny = (index, position, captures.count)
        index += 1
      } else if index < segments.count, position < texts.count,
        Self.matches(segments[index], texts[position], &captures)
      {
        index += 1
        position += 1
      } else if let last = lastAny, last.position < texts.count {
        lastAny = (last.index, last.position + 1, last.captures)
        captures.removeLast(captures.count - last.captures)
        index = last.index + 1
        position = last.position + 1
      } else {
        return nil
      }
    }
    return Dictionary(captures.map { ($0.name, $0.text) }) { first, _ in first }
  }

  private static func split(_ path: String) -> [Substring] {
    let relative = path.hasPrefix("/") ? path.dropFirst() : Substring(path)
    return relative.split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func matches(
    _ segment: Segment, _ text: Substring, _ captures: inout [(name: String, text: String)]
  ) -> Bool {
    switch segment {
    case .literal(let literal): return text == literal
    case .glob(let glob): return glob.matches(String(text))
    case .any: return true
    case .capture(let prefix, let name, let suffix):
      guard text.utf8.count > prefix.utf8.count + suffix.utf8.count, text.hasPrefix(prefix),
        text.hasSuffix(suffix)
      else {
        return false
      }
      let captured = text.dropFirst(prefix.count).dropLast(suffix.count)
      captures.append((name, PercentEncoding.decoded(captured)))
      return true
    }
  }

  // MARK: - Reading

  private static func segment(_ text: String, in path: String) throws(PatternError) -> Segment {
    if text == "**" { return .any }
    if text.contains("**") {
      throw PatternError(
        "\"**\" in \"\(path)\" does not fill its segment",
        help: "write /**/ for any number of segments, or * within one")
    }
    guard text.contains("{") || text.contains("}") else { return try literalOrGlob(text) }
    let parts = text.split(separator: "{", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].contains("}"), !text.contains("*") else {
      throw malformedTemplate(text, path)
    }
    let inner = parts[1].split(separator: "}", omittingEmptySubsequences: false)
    guard inner.count == 2, isName(inner[0]) else { throw malformedTemplate(text, path) }
    return .capture(prefix: String(parts[0]), name: String(inner[0]), suffix: String(inner[1]))
  }

  private static func literalOrGlob(_ text: String) throws(PatternError) -> Segment {
    guard text.contains("*") else { return .literal(text) }
    // Only the star means anything in a URL, so that everything else is shielded.
    let shielded = text.split(separator: "*", omittingEmptySubsequences: false).map { part in
      part.flatMap { ["?", "[", "\\"].contains($0) ? ["\\", $0] : [$0] }
    }
    let pattern = shielded.map { String($0) }.joined(separator: "*")
    guard let glob = CompiledGlob(pattern) else { return .literal(text) }
    return .glob(glob)
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && !text.hasPrefix("%")
      && text.unicodeScalars.allSatisfy { scalar in
        scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic
          || ("0"..."9").contains(scalar)
      }
  }

  private static func malformedTemplate(_ text: String, _ path: String) -> PatternError {
    PatternError(
      "\"\(text)\" in \"\(path)\" is not a template",
      help: "write one {name} for a segment, as in /orders/{id}; \"*\" may not stand beside it")
  }
}
