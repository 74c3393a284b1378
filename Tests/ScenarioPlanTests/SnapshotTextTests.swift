@testable import ScenarioPlan
import Testing

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

  private static let outputs = [
    "...", "...\n", "a\n...\nb\n", "\\...\n", "\\\\...\n", "....\n", " ...\n", "...x\n", "\\\\\n",
    "x [..] y\n", "[..]", "\\[..]\n", "\\\\[..][..]\n", "[..\n", "a\r\nb\r\n", "...\r\n",
    "[..]\r\n", "\r\n",
    "C:\\r\n", "C:\\\\r\n", "C:\\\r\n", "r\n", "\\r\r\n", "a\r\r\n", "10%\r20%\n", "", "\n", "a",
    "a\n\n", "é\n",
    "e\u{301}\n", "\0\u{fffd}\n",
  ]

  @Test("What is written of an output holds for this output, and for no other", arguments: outputs)
  func written(output: String) {
    let held = SnapshotText(SnapshotText.written(output))
    #expect(held.matches(output), "\(held.text)")
    for other in Self.outputs + ["one\ntwo\n", "x one y\n", "one", "a\none\nb\n", "\\one\n"]
    where !other.isEqualAside(output) {
      #expect(!held.matches(other), "\(held.text) holds for \(other.debugDescription)")
    }
    #expect(held.updated(to: output) == held.text)
  }

  @Test(
    "A backslash tells a text from an elision",
    arguments: [
      ("\\...\n", "...\n", true), ("\\...\n", "a\nb\n", false), ("\\\\...\n", "\\...\n", true),
      ("x \\[..] y\n", "x [..] y\n", true), ("x \\[..] y\n", "x 1 y\n", false),
      ("C:\\\\[..]\n", "C:\\a\n", true), ("C:\\\\[..]\n", "C:a\n", false),
      ("a\\r\n", "a\r\n", true), ("a\\r\n", "a\n", false), ("a\\r\n", "a\\r\n", false),
      ("a\\\\r\n", "a\\r\n", true), ("a\\b\n", "a\\b\n", true), ("a\\\\b\n", "a\\\\b\n", true),
      ("a\r\n...\r\nb\r\n", "a\n1\nb\n", true), ("a\r\n", "a\r\n", false),
      ("t [..] s\\r\n", "t 1 s\r\n", true), ("t [..] s\\r\n", "t 1 s\n", false),
    ])
  func backslashes(held: String, actual: String, isMatch: Bool) {
    #expect(SnapshotText(held).matches(actual) == isMatch)
  }

  @Test("An update writes what is new as a text, and leaves elisions and texts that stay")
  func updateOfTexts() {
    let held = SnapshotText("\\...\nt [..] s\n...\n\\[..]\n")
    #expect(held.matches("...\nt 1 s\n[..]\n"))
    let actual = "...\nt 2 s\n1\n2\n[..] [..]\n...\n"
    let updated = held.updated(to: actual)
    #expect(updated == "\\...\nt [..] s\n...\n\\...\n", "\(updated)")
    #expect(SnapshotText(updated).matches(actual))
    #expect(SnapshotText("a\n...\n").updated(to: "...\n1\n") == "\\...\n...\n")
    #expect(SnapshotText("a [..]\n").updated(to: "a 1\n[..]\n") == "a [..]\n\\[..]\n")
  }

  @Test(
    "Elisions of texts of any length survive an update", arguments: [2_100, 6_000])
  func longUpdate(count: Int) {
    let isElided = { $0 % 100 == 50 }
    let held = (0..<count).map { isElided($0) ? "took [..] ms" : "line \($0)" }
    var lines = (0..<count).map { isElided($0) ? "took \($0) ms" : "line \($0)" }
    lines[0] = "other"
    lines[count - 1] = "other"
    lines.insert(contentsOf: ["new", "new"], at: count / 2)
    let actual = lines.joined(separator: "\n") + "\n"

    let updated = SnapshotText(held.joined(separator: "\n") + "\n").updated(to: actual)

    var expected = held
    expected[0] = "other"
    expected[count - 1] = "other"
    expected.insert(contentsOf: ["new", "new"], at: count / 2)
    #expect(updated == expected.joined(separator: "\n") + "\n")
    #expect(SnapshotText(updated).matches(actual))
  }

  @Test("Where no line has stayed, elisions of a long text stay where they fit")
  func longChange() {
    let held = (0..<2_500).map { $0 % 100 == 50 ? "took [..] ms" : "line \($0)" }
    let lines = (0..<2_500).map { $0 % 100 == 50 ? "took \($0) ms" : "other \($0)" }
    let actual = lines.joined(separator: "\n") + "\n"

    let updated = SnapshotText(held.joined(separator: "\n") + "\n...\n").updated(to: actual)

    #expect(SnapshotText(updated).matches(actual))
    #expect(updated.ranges(of: "took [..] ms").count == 25)
  }
}

extension String {
  /// Whether a snapshot takes two texts for the same: one final newline aside.
  fileprivate func isEqualAside(_ other: String) -> Bool {
    func body(_ text: String) -> [UInt8] {
      text == "\n" || text.utf8.last != UInt8(ascii: "\n")
        ? Array(text.utf8) : Array(text.utf8.dropLast())
    }
    return body(self) == body(other)
  }
}
