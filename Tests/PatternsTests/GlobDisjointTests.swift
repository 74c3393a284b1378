@testable import Patterns
import Testing

@Suite("Globs that have nothing in common")
struct GlobDisjointTests {
  @Test(
    "Two patterns are apart where their beginnings or their ends differ",
    arguments: [
      ("a", "b", true), ("a", "a", false), ("a/**", "b/**", true), ("a/**", "a/b/*", false),
      ("*.db", "*.txt", true), ("*.db", "*b", false), ("a*", "*b", false), ("a?", "b?", true),
      ("a/x", "a/*", false), ("a/x", "b/*", true), ("[ab]x", "cx", true), ("[ab]x", "bx", false),
      ("[ab]x", "[cd]x", false), ("**/x", "x", false), ("**/x", "y/**", false),
      ("**/x.db", "**/y.db", true), ("a\\*", "b\\*", false), ("**", "anything", false),
      ("a/**/b", "a/b", false),
    ])
  func disjoint(own: String, other: String, isDisjoint: Bool) {
    #expect(GlobPattern(own).isDisjoint(from: GlobPattern(other)) == isDisjoint)
    #expect(GlobPattern(other).isDisjoint(from: GlobPattern(own)) == isDisjoint)
  }
}
