import Patterns
import Testing

@Suite("Globs")
struct GlobPatternTests {
  @Test(
    "A glob matches",
    arguments: [
      ("a.txt", "a.txt"), ("*.txt", "a.txt"), ("*.txt", ".txt"), ("a?c", "abc"), ("a?c", "aäc"),
      ("[a-c]x", "bx"), ("[!a-c]x", "dx"), ("[]x]", "]"), ("\\*", "*"), ("**", "a/b/c"),
      ("**/*.db", "a.db"), ("**/*.db", "/x/y/a.db"), ("a/**/b", "a/b"), ("a/**/b", "a/x/y/b"),
      ("a/**", "a/b/c"), ("**/*.db-journal", "/tmp/t.db-journal"), ("*a*b*c*", "xxaxxbxxcxx"),
      ("/tmp/*/x", "/tmp/one/x"), ("**/a/**/b", "x/a/y/a/z/b"), ("", ""), ("*", ""),
      ("a**b", "a/x/b"), ("**/a*b", "ax/ab"), ("*.tar.*", "x.tar.tar.gz"),
    ])
  func matches(pattern: String, text: String) {
    #expect(GlobPattern(pattern).matches(text))
  }

  @Test(
    "A glob does not match",
    arguments: [
      ("a.txt", "b.txt"), ("*.txt", "d/a.txt"), ("a?c", "ac"), ("a?c", "a/c"), ("[a-c]x", "dx"),
      ("[!a]x", "/x"), ("\\*", "a"), ("**/*.db", "a.dbx"), ("a/**/b", "ab"), ("a/**", "a"),
      ("/tmp/*/x", "/tmp/one/two/x"), ("", "a"), ("a", ""), ("*a*b", "ba"), ("**/b", "ab"),
    ])
  func doesNotMatch(pattern: String, text: String) {
    #expect(!GlobPattern(pattern).matches(text))
  }

  @Test("Many stars that do not match are at an end")
  func manyStars() {
    let text = String(repeating: "a", count: 5_000)
    let stars = String(repeating: "*a", count: 50) + "*b"
    let globstars = String(repeating: "**/a*", count: 20) + "b"

    #expect(!GlobPattern(stars).matches(text))
    #expect(!GlobPattern(globstars).matches(text.map { "\($0)" }.joined(separator: "/")))
  }

  @Test("A set without an end is refused", arguments: ["[a", "x[!", "[z-a]", "[]"])
  func malformed(pattern: String) {
    #expect(throws: PatternError.self) { try GlobPattern(pattern).validate() }
    #expect(!GlobPattern(pattern).matches(pattern))
  }

  @Test("A set with an end is accepted", arguments: ["[a]", "[!a-z]", "a[-]b", "[a-]"])
  func wellFormed(pattern: String) throws {
    try GlobPattern(pattern).validate()
  }
}
