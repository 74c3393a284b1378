import Testing

@testable import ScenarioPlan

@Suite("Texts of snapshots")
struct SnapshotTextTests {
  @Test(
    "Elisions stand for what changes, everything else for itself",
    arguments: [
      ("a\nb\n", "a\nb", true), ("a\nb\n", "a\nc\n", false), ("a\n", "a\n\n", false),
      ("took [..] ms\n", "took 12 ms\n", true), ("took [..] ms\n", "took 12 s\n", false),
      ("a\n...\nz\n", "a\nz\n", true), ("a\n...\nz\n", "a\nb\nc\nz\n", true),
      ("a\n...\nz\n", "a\nb\n", false), ("[..]b[..]b\n", "abab\n", true), ("...\n", "", true),
    ])
  func matching(held: String, actual: String, isMatch: Bool) {
    #expect(SnapshotText(held).matches(actual) == isMatch)
  }

  @Test(
    "An update keeps the elisions that still fit, and holds afterwards",
    arguments: [
      ("a\nb\n", "c\n", "c\n"), ("t [..] s\na\n", "t 9 s\nb\n", "t [..] s\nb\n"),
      ("t [..] s\n", "other\n", "other\n"), ("a\n...\nz\n", "b\n1\n2\nz\n", "b\n...\nz\n"),
      ("a\n...\nz\n", "a\n1\ny\n", "a\n...\ny\n"),
    ])
  func update(held: String, actual: String, expected: String) {
    let updated = SnapshotText(held).updated(to: actual)
    #expect(updated == expected)
    #expect(SnapshotText(updated).matches(actual))
  }
}
