@testable import Patterns
import Testing
import _StringProcessing

@Suite("Linear regular expressions")
struct LinearExpressionTests {
  private func isFound(_ pattern: String, _ text: String) throws -> Bool {
    if case .found = try LinearExpression(pattern).search(in: text) { return true }
    return false
  }

  @Test(
    "What an expression means",
    arguments: [
      ("^Bearer .+", "Bearer x", true), ("^Bearer .+", "bearer x", false),
      ("(?i)^bearer .+", "BEARER x", true), ("a{2,3}$", "caaa", true), ("^a{2,3}$", "aaaa", false),
      ("[a-c]+\\d", "xxb7", true), ("[^a-c]", "abc", false), ("\\bcat\\b", "a cat.", true),
      ("\\bcat\\b", "concat", false), ("a.c", "a\nc", false), ("(?s)a.c", "a\nc", true),
      ("^b$", "a\nb\nc", false), ("(?m)^b$", "a\nb\nc", true), ("x$", "x\n", false),
      ("x\\Z", "x\n", true), ("x\\z", "x\n", false), ("a|bc|", "zzz", true),
      ("^(?:a|bc)$", "bc", true),
      ("\\Qa.b\\E", "a.b", true), ("\\Qa.b\\E", "aXb", false), ("\\x41\\u{42}", "AB", true),
      ("[\\w-]+@[\\w.]+", "me-2@a.b", true), ("(?<year>\\d{4})", "in 1985", true),
      ("é", "caf\u{E9}", true), ("\\w", "é", true), ("", "", true), ("^$", "", true),
    ])
  func meanings(pattern: String, text: String, isFound: Bool) throws {
    #expect(try self.isFound(pattern, text) == isFound)
  }

  @Test(
    "An expression that would try everything is searched at once",
    arguments: ["(a+)+$", "(a|aa)+$", "(a*)*b", "(?:a?){30}a{30}b"])
  func catastrophic(pattern: String) throws {
    let text = String(repeating: "a", count: 20_000) + "!"

    #expect(try !isFound(pattern, text))
    #expect(
      try isFound(pattern, String(repeating: "a", count: 30) + "b") == !pattern.hasSuffix("$"))
  }

  @Test(
    "What no linear search can do, or is malformed, is refused",
    arguments: [
      "(a)\\1", "(?=a)", "(?<!a)b", "(?>a)", "a++", "[a", "(a", "a)", "*a",
      "a{3,2}", "a{-1}", "a{+1}", "a{2,-1}", "a{,-2}",
      "a**", "\\",
      "[z-a]", "((((a{1000}){1000}){1000}){1000})", "\\p{Greek}",
    ])
  func refused(pattern: String) {
    #expect(throws: PatternError.self) { try LinearExpression(pattern) }
  }

  @Test("A thousand random expressions are found where the standard library finds them")
  func agreesWithStandardLibrary() throws {
    var random = Random(state: 4)
    var compared = 0
    for _ in 0..<1_000 {
      let pattern = random.pattern(depth: 1)
      guard let linear = try? LinearExpression(pattern),
        let other = try? Regex(pattern).matchingSemantics(.unicodeScalar)
      else { continue }
      for _ in 0..<4 {
        let text = random.text()
        var isFound = false
        if case .found = linear.search(in: text) { isFound = true }
        let isFoundThere = try other.firstMatch(in: text) != nil
        #expect(isFound == isFoundThere, "/\(pattern)/ in \(text.debugDescription)")
        compared += 1
      }
    }
    #expect(compared > 3_000)
  }

  private func groups(_ pattern: String, _ text: String) throws -> [String?]? {
    let expression = try LinearExpression(pattern, keepsGroups: true)
    return LinearMatch(of: expression, in: text).map {
      [text.text(in: $0.range)] + $0.groups.map { $0.map(text.text) }
    }
  }

  @Test(
    "What groups match",
    arguments: [
      ("(a+)(b*)", "xaab", ["aab", "aa", "b"]), ("(a+?)(.*)", "aab", ["aab", "a", "ab"]),
      ("(a)|(b)", "b", ["b", nil, "b"]), ("(?:(a)|b)*", "ab", ["ab", "a"]),
      ("(\\w+)=(\\w*)", "é; key=é1;", ["key=é1", "key", "é1"]), ("(a*)*", "b", ["", ""]),
      ("port (?<port>\\d{2,3}?)", "port 8080", ["port 80", "80"]), ("x|(xy)", "xy", ["x", nil]),
      ("^(.*)$", "é\u{301}", ["é\u{301}", "é\u{301}"]), ("()b", "ab", ["b", ""]),
      ("(?m)^(\\S+)$", "a b\ncd\n", ["cd", "cd"]), ("z(a)", "za".uppercased(), nil),
    ] as [(String, String, [String?]?)])
  func groupTexts(pattern: String, text: String, groups: [String?]?) throws {
    #expect(try self.groups(pattern, text) == groups)
  }

  @Test("Groups of an expression that would try everything are found at once")
  func catastrophicGroups() throws {
    let text = String(repeating: "a", count: 20_000)

    #expect(try groups("(a+)+b", text) == nil)
    #expect(RegularExpression("(a+)+b").firstGroup(in: text) == nil)
    #expect(RegularExpression("(?<all>(?:a|aa)+)$").firstGroup(in: text) == text)
  }

  @Test(
    "All matches that are not empty are found, from left to right",
    arguments: [
      ("sk_[a-z]+", "é sk_live b sk_ c sk_x", ["sk_live", "sk_x"]), ("x*", "axxéx", ["xx", "x"]),
      ("^a", "aa", ["a"]), ("(?m)^a", "aa\na", ["a", "a"]), ("\\bé", "éé é", ["é", "é"]),
      ("a|ab", "ab a", ["a", "a"]), ("(", "((", []), ("(.)\\1", "aab", ["aa"]),
    ] as [(String, String, [String])])
  func allMatches(pattern: String, text: String, matches: [String]) {
    let ranges = RegularExpression(pattern).rangeSearch(text)

    #expect(ranges.map { text.text(in: $0) } == matches)
  }

  @Test("All matches of an expression that would try everything are found at once")
  func catastrophicMatches() {
    let text = String(repeating: "a", count: 20_000) + " ab"

    #expect(RegularExpression("(a+)+b").rangeSearch(text).count == 1)
  }

  @Test(
    "Where each match leaves a longer way that never ends, the rest of a long text is one range")
  func rest() {
    let long = String(repeating: "tok ", count: 50_000)
    let ranges = RegularExpression("(?s)tok(?:.*END)?").rangeSearch(long)
    #expect(ranges.last?.upperBound == long.utf8.count && ranges.count < 50_000)
    #expect(ranges.dropLast().allSatisfy { $0.count == 3 })
    let short = String(repeating: "tok ", count: 50)
    #expect(RegularExpression("(?s)tok(?:.*END)?").rangeSearch(short).count == 50)
  }

  private static func repeatsNothing(_ pattern: String) throws -> Bool {
    var parser = LinearExpressionParser(pattern)
    return try parser.tree().repeatsNothing
  }

  @Test("Random expressions have all the matches that the standard library finds")
  func allMatchesOfStandardLibrary() throws {
    var random = Random(state: 11)
    var compared = 0
    for _ in 0..<500 {
      let pattern = random.pattern(depth: 2)
      guard let other = try? Regex(pattern).matchingSemantics(.unicodeScalar),
        let linear = try? LinearExpression(pattern, keepsGroups: true),
        // Whether a turn that takes no letter ends a repetition is each library's own choice.
        try !Self.repeatsNothing(pattern)
      else { continue }
      for _ in 0..<4 {
        let text = random.text()
        let expected = text.matches(of: other).map { String(text[$0.range]) }.filter { !$0.isEmpty }
        let found = LinearMatch.ranges(of: linear, in: text).map { text.text(in: $0) }
        #expect(found == expected, "/\(pattern)/ in \(text.debugDescription)")
        compared += expected.count
      }
    }
    #expect(compared > 400)
  }

  @Test("A thousand random expressions match where the standard library's do, with the same groups")
  func groupsOfStandardLibrary() throws {
    var random = Random(state: 7)
    var compared = 0
    for _ in 0..<1_000 {
      let pattern = random.pattern(depth: 2)
      var parser = LinearExpressionParser(pattern)
      guard let other = try? Regex(pattern).matchingSemantics(.unicodeScalar),
        let tree = try? parser.tree()
      else { continue }
      for _ in 0..<4 {
        let text = random.text()
        let match = try other.firstMatch(in: text)
        let expected = match.map { match in match.output.map { $0.substring.map(String.init) } }
        let found = try groups(pattern, text)
        // Whether a group is set anew by a turn that takes no letter is each library's own choice.
        let isSame = tree.repeatsNothing ? found?[0] == expected?[0] : found == expected
        #expect(isSame, "/\(pattern)/ in \(text.debugDescription): \(found as Any)")
        compared += 1
      }
    }
    #expect(compared > 3_000)
  }
}

extension LinearExpressionParser.Node {
  /// Whether it matches no letters.
  fileprivate var mayBeEmpty: Bool {
    switch self {
    case .nothing: true
    case .one(.assert): true
    case .one: false
    case .sequence(let nodes): nodes.allSatisfy(\.mayBeEmpty)
    case .choice(let nodes): nodes.contains(where: \.mayBeEmpty)
    case .repetition(let node, let minimum, _, _): minimum == 0 || node.mayBeEmpty
    case .group(let node, _): node.mayBeEmpty
    }
  }

  /// Whether a part of it is repeated that may match no letters.
  fileprivate var repeatsNothing: Bool {
    switch self {
    case .nothing, .one: false
    case .sequence(let nodes), .choice(let nodes): nodes.contains(where: \.repeatsNothing)
    case .repetition(let node, _, _, _): node.mayBeEmpty || node.repeatsNothing
    case .group(let node, _): node.repeatsNothing
    }
  }
}

/// Random numbers that are the same in every run (xorshift).
private struct Random {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }

  mutating func text() -> String {
    let letters = ["a", "b", "c", "1", " ", "\n", "A", "_", "é"]
    return (0..<below(8)).map { _ in letters[below(letters.count)] }.joined()
  }

  mutating func pattern(depth: Int) -> String {
    (0...below(3)).map { _ in piece(depth: depth) }.joined()
  }

  private mutating func piece(depth: Int) -> String {
    let atoms = [
      "a", "b", "c", "1", ".", "\\d", "\\w", "\\s", "[ab]", "[^a]", "^", "$", "\\W", "[a-c1]",
    ]
    let marks = ["", "", "", "*", "+", "?", "{2}", "{1,2}", "*?"]
    guard depth > 0, below(3) == 0 else {
      let atom = atoms[below(atoms.count)]
      // Word boundaries are left out: the library's own are those of its natural language rules.
      return ["^", "$"].contains(atom) ? atom : atom + marks[below(marks.count)]
    }
    let inner = pattern(depth: depth - 1)
    let group = below(2) == 0 ? "(\(inner)|\(pattern(depth: depth - 1)))" : "(?:\(inner))"
    return group + marks[below(marks.count)]
  }
}
