/// A glob cut into tokens, ready to be asked often.
///
/// Matching looks back at most to the last `*` and the last `**`, so that its time is bounded by a
/// polynomial however many of them a pattern holds.
package struct CompiledGlob: Sendable {
  fileprivate enum Token: Sendable {
    case scalar(Unicode.Scalar)
    /// `?`
    case anyScalar
    /// `[a-z]`, `[!a-z]`
    case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    /// `*`
    case star
    /// `**`
    case globstar
    /// `**/` at the beginning of a segment: no folder, or any number of them.
    case folders
  }

  private let tokens: [Token]

  /// Reads a pattern; `nil` if a set has no end.
  package init?(_ text: String) {
    var tokens: [Token] = []
    var rest = Substring(text).unicodeScalars
    var isSegmentStart = true
    while let scalar = rest.popFirst() {
      let beganSegment = isSegmentStart
      isSegmentStart = scalar == "/"
      switch scalar {
      case "*":
        guard rest.first == "*" else {
          tokens.append(.star)
          continue
        }
        while rest.first == "*" { rest.removeFirst() }
        if beganSegment, rest.first == "/" {
          rest.removeFirst()
          isSegmentStart = true
          tokens.append(.folders)
        } else {
          tokens.append(.globstar)
        }
      case "?": tokens.append(.anyScalar)
      case "[":
        guard let set = Self.set(from: &rest) else { return nil }
        tokens.append(set)
      case "\\": tokens.append(.scalar(rest.popFirst() ?? scalar))
      default: tokens.append(.scalar(scalar))
      }
    }
    self.tokens = tokens
  }

  /// Reads a set up to its `]`; a `]` right at the beginning is a member.
  private static func set(from rest: inout Substring.UnicodeScalarView) -> Token? {
    let isNegated = rest.first == "!" || rest.first == "^"
    if isNegated { rest.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let scalar = rest.popFirst() {
      if scalar == "]", !ranges.isEmpty { return .set(ranges, isNegated: isNegated) }
      let lower = scalar == "\\" ? rest.popFirst() ?? scalar : scalar
      let next = rest.dropFirst().first
      guard rest.first == "-", let upper = next, upper != "]" else {
        ranges.append(lower...lower)
        continue
      }
      rest.removeFirst(2)
      guard lower <= upper else { return nil }
      ranges.append(lower...upper)
    }
    return nil
  }

  // MARK: - Matching

  /// Returns whether the whole text matches.
  package func matches(_ text: String) -> Bool {
    var search = Search(tokens: tokens, text: text.unicodeScalars)
    return search.run()
  }

  private struct Search {
    let tokens: [Token]
    let text: String.UnicodeScalarView
    var position: String.UnicodeScalarView.Index
    var token = 0
    /// The last `*` and where what it covers ends.
    var star: (token: Int, end: String.UnicodeScalarView.Index)?
    /// The last `**` and where what it covers ends.
    var globstar: (token: Int, end: String.UnicodeScalarView.Index)?

    init(tokens: [Token], text: String.UnicodeScalarView) {
      self.tokens = tokens
      self.text = text
      position = text.startIndex
    }

    mutating func run() -> Bool {
      while position < text.endIndex {
        guard advance() || widenStar() || widenGlobstar() else { return false }
      }
      return tokens[token...].allSatisfy { $0.matchesNothing }
    }

    /// Consumes one token, and one scalar where the token needs one.
    private mutating func advance() -> Bool {
      guard token < tokens.count else { return false }
      switch tokens[token] {
      case .star:
        star = (token, position)
      case .globstar, .folders:
        globstar = (token, position)
        star = nil
      case .scalar, .anyScalar, .set:
        guard tokens[token].matches(text[position]) else { return false }
        position = text.index(after: position)
      }
      token += 1
      return true
    }

    /// Makes the last `*` cover one scalar more.
    private mutating func widenStar() -> Bool {
      guard let last = star, text[last.end] != "/" else { return false }
      position = text.index(after: last.end)
      star = (last.token, position)
      token = last.token + 1
      return true
    }

    /// Makes the last `**` cover more: one scalar, or one folder for `**/`.
    private mutating func widenGlobstar() -> Bool {
      guard let last = globstar, last.end < text.endIndex else { return false }
      if case .folders = tokens[last.token] {
        guard let slash = text[last.end...].firstIndex(of: "/") else { return false }
        position = text.index(after: slash)
      } else {
        position = text.index(after: last.end)
      }
      globstar = (last.token, position)
      star = nil
      token = last.token + 1
      return true
    }
  }
}

extension CompiledGlob.Token {
  fileprivate var matchesNothing: Bool {
    switch self {
    case .star, .globstar, .folders: true
    case .scalar, .anyScalar, .set: false
    }
  }

  /// Returns whether a token for one scalar matches this one.
  fileprivate func matches(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .scalar(let own): own == scalar
    case .anyScalar: scalar != "/"
    case .set(let ranges, let isNegated):
      scalar != "/" && ranges.contains { $0.contains(scalar) } != isNegated
    case .star, .globstar, .folders: false
    }
  }
}
