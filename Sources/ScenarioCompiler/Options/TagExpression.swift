package import Foundations

/// An expression on the tags of a case: `smoke and not slow or (a and b)`.
///
/// `not` binds tighter than `and`, and that tighter than `or`. A tag is any text without blanks and
/// parentheses; in quotes it may have those too, and be called `and`.
package struct TagExpression: Sendable, Hashable {
  /// A tag that the expression names.
  package struct Mention: Sendable, Hashable {
    /// The tag.
    package var tag: String
    /// The place in the expression.
    package var range: SourceRange
    /// True if the expression asks for it, and does not only leave it out.
    package var isWanted: Bool
  }

  indirect enum Node: Sendable, Hashable {
    case tag(String)
    case not(Node)
    case and(Node, Node)
    case or(Node, Node)
  }

  /// The tags that it names, in order.
  package let mentions: [Mention]
  private let root: Node

  /// Reads an expression.
  ///
  /// - Parameters:
  ///   - text: The expression.
  ///   - name: What messages call the place where it stands, in place of a file's path.
  /// - Throws: A diagnostic that points into the expression.
  package init(_ text: String, in name: String = "--tags") throws(Diagnostic) {
    var parser = TagExpressionParser(text: text, name: name)
    root = try parser.parse()
    mentions = parser.mentions
  }

  /// Returns whether a case with these tags is meant.
  package func isMet(by tags: [String]) -> Bool {
    Self.isMet(root, Set(tags))
  }

  private static func isMet(_ node: Node, _ tags: Set<String>) -> Bool {
    switch node {
    case .tag(let tag): tags.contains(tag)
    case .not(let inner): !isMet(inner, tags)
    case .and(let left, let right): isMet(left, tags) && isMet(right, tags)
    case .or(let left, let right): isMet(left, tags) || isMet(right, tags)
    }
  }

  /// Returns warnings about tags that no scenario has, where the scenarios have these.
  ///
  /// A tag that is only left out may be one that no scenario has yet, unless it looks like a misspelling.
  package func warnings(whereKnown tags: Set<String>) -> [Diagnostic] {
    mentions.compactMap { mention in
      guard !tags.contains(mention.tag) else { return nil }
      guard mention.isWanted || Suggestion.closest(to: mention.tag, in: tags) != nil else {
        return nil
      }
      return Diagnostic(
        "unknown tag \"\(mention.tag)\": no scenario has it", code: .unknownTag, at: mention.range,
        help: Suggestion.help(for: mention.tag, in: tags.prefix(40), label: "known tags"))
    }
  }
}

/// A recursive descent parser; what it meets first decides.
struct TagExpressionParser {
  private enum Token: Equatable {
    case open
    case close
    case word(String)
    case quoted(String)
  }

  private struct Place {
    var token: Token
    var column: Int
    var length: Int
  }

  /// Deeper nesting is no selection any more.
  private static let depthLimit = 64
  private static let lengthLimit = 4_096
  private static let keywords = ["and", "or", "not"]

  private let text: String
  private let name: String
  private var tokens: [Place] = []
  private var position = 0
  private var depth = 0
  private var isNegated = false
  private(set) var mentions: [TagExpression.Mention] = []

  init(text: String, name: String) {
    self.text = text
    self.name = name
  }

  mutating func parse() throws(Diagnostic) -> TagExpression.Node {
    guard text.unicodeScalars.count <= Self.lengthLimit else {
      throw failure("the expression has more than \(Self.lengthLimit) characters", at: nil)
    }
    try scan()
    guard !tokens.isEmpty else {
      throw failure("the expression is empty", at: nil, help: "name a tag, as in \"smoke\"")
    }
    let node = try parseOr()
    guard let rest = current else { return node }
    if rest.token == .close {
      throw failure("\")\" without \"(\"", at: rest, help: "remove it, or add \"(\" before it")
    }
    throw failure(
      "\"\(spelling(rest))\" follows without \"and\" or \"or\"", at: rest,
      help: help(between: rest))
  }

  // MARK: - Grammar

  private mutating func parseOr() throws(Diagnostic) -> TagExpression.Node {
    var node = try parseAnd()
    while take("or") { node = .or(node, try parseAnd()) }
    return node
  }

  private mutating func parseAnd() throws(Diagnostic) -> TagExpression.Node {
    var node = try parseNot()
    while take("and") { node = .and(node, try parseNot()) }
    return node
  }

  private mutating func parseNot() throws(Diagnostic) -> TagExpression.Node {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw failure("the expression is nested deeper than \(Self.depthLimit)", at: current)
    }
    if take("not") {
      isNegated.toggle()
      defer { isNegated.toggle() }
      return .not(try parseNot())
    }
    guard let place = current else {
      throw failure("a tag is missing at the end", at: nil, help: "name a tag, as in \"smoke\"")
    }
    switch place.token {
    case .open:
      position += 1
      let node = try parseOr()
      guard current?.token == .close else {
        throw failure("\"(\" is not closed", at: place, help: "add \")\" at the end of the group")
      }
      position += 1
      return node
    case .close:
      throw failure("a tag is missing before \")\"", at: place, help: "name a tag, or remove it")
    case .word(let word) where Self.keywords.contains(word):
      throw failure(
        "a tag is missing before \"\(word)\"", at: place,
        help: "name a tag; write a tag with this name in quotes")
    case .word(let tag), .quoted(let tag):
      position += 1
      mentions.append(
        TagExpression.Mention(tag: tag, range: range(place), isWanted: !isNegated))
      return .tag(tag)
    }
  }

  private var current: Place? { tokens.indices.contains(position) ? tokens[position] : nil }

  private mutating func take(_ keyword: String) -> Bool {
    guard current?.token == .word(keyword) else { return false }
    position += 1
    return true
  }

  // MARK: - Tokens

  private mutating func scan() throws(Diagnostic) {
    let letters = Array(text.unicodeScalars)
    var index = 0
    while index < letters.count {
      let start = index
      switch letters[index] {
      case let letter where letter.properties.isWhitespace:
        index += 1
      case "(", ")":
        index += 1
        tokens.append(
          Place(token: letters[start] == "(" ? .open : .close, column: start, length: 1))
      case "\"", "'":
        guard let end = letters[(start + 1)...].firstIndex(of: letters[start]) else {
          throw failure(
            "the quote is not closed", at: Place(token: .open, column: start, length: 1),
            help: "add \(letters[start]) after the tag")
        }
        let tag = String(String.UnicodeScalarView(letters[(start + 1)..<end]))
        index = end + 1
        tokens.append(Place(token: .quoted(tag), column: start, length: index - start))
      default:
        while index < letters.count, !letters[index].properties.isWhitespace,
          letters[index] != "(", letters[index] != ")"
        {
          index += 1
        }
        let word = String(String.UnicodeScalarView(letters[start..<index]))
        let place = Place(token: .word(word), column: start, length: index - start)
        if let operation = Self.foreign(word) {
          throw failure("\"\(word)\" is not an operator", at: place, help: "write \(operation)")
        }
        tokens.append(place)
      }
    }
  }

  /// The word for what other languages write as a sign.
  private static func foreign(_ word: String) -> String? {
    switch word {
    case "&&", "&", "+": "\"and\""
    case "||", "|", ",": "\"or\""
    case "!", "~": "\"not\""
    default: word.hasPrefix("!") && word.count > 1 ? "\"not \(word.dropFirst())\"" : nil
    }
  }

  // MARK: - Messages

  private func help(between place: Place) -> String {
    if case .word(let word) = place.token, Self.keywords.contains(word.lowercased()) {
      return word == "not"
        ? "write \"and not\" or \"or not\"" : "did you mean \"\(word.lowercased())\"?"
    }
    return "write \"and\" or \"or\" between them; write a tag with spaces in quotes"
  }

  private func spelling(_ place: Place) -> String {
    switch place.token {
    case .open: "("
    case .close: ")"
    case .word(let text), .quoted(let text): text
    }
  }

  private func range(_ place: Place?) -> SourceRange {
    SourceRange(
      file: name, line: 1, column: (place?.column ?? text.unicodeScalars.count) + 1,
      length: place?.length ?? 1)
  }

  private func failure(_ message: String, at place: Place?, help: String? = nil) -> Diagnostic {
    Diagnostic(message, code: .badArguments, at: range(place), help: help)
  }
}
