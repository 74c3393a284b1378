@testable import Patterns
import Testing

@Suite("Line diffs")
struct LineDiffTests {
  @Test("Lines that end with a carriage return and a line feed are told apart")
  func returns() {
    #expect(LineDiff.lines(expected: "a\r\nb\r\n", actual: "a\r\nc\r\n").count == 3)
  }

  @Test("A diff shows what changed and two lines around it")
  func context() {
    let old = (1...20).map(String.init)
    var new = old
    new[9] = "ten"
    new.append("21")
    let lines = LineDiff.lines(
      expected: old.joined(separator: "\n"), actual: new.joined(separator: "\n"))

    #expect(
      lines == ["…", " 8", " 9", "-10", "+ten", " 11", " 12", "…", " 19", " 20", "+21"])
  }

  @Test("Equal texts have no diff")
  func equal() {
    #expect(LineDiff.lines(expected: "a\nb", actual: "a\nb\n") == [])
    #expect(LineDiff.lines(expected: "", actual: "") == [])
  }

  @Test("Lines may end with CR LF, and a CR more is a difference")
  func carriageReturns() {
    #expect(
      LineDiff.lines(expected: "a\r\nb\r\n", actual: "a\r\nc\r\n") == [" a\r", "-b\r", "+c\r"])
    #expect(LineDiff.lines(expected: "a\nb", actual: "a\r\nb") == ["-a", "+a\r", " b"])
  }

  @Test("Additions and removals at both ends are shown")
  func ends() {
    #expect(LineDiff.lines(expected: "b\nc", actual: "a\nb") == ["+a", " b", "-c"])
    #expect(LineDiff.lines(expected: "", actual: "a\nb") == ["+a", "+b"])
    #expect(LineDiff.lines(expected: "a\nb", actual: "") == ["-a", "-b"])
  }

  @Test("Applying a diff to one text gives the other", arguments: 0..<200)
  func roundTrip(seed: Int) {
    var state = UInt64(seed + 1)
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let old = (0..<random(6)).map { _ in String(random(3)) }
    let new = (0..<random(6)).map { _ in String(random(3)) }
    let lines = LineDiff.lines(
      expected: old.joined(separator: "\n"), actual: new.joined(separator: "\n"))

    #expect(lines.isEmpty == (old == new))
    // Within so few lines nothing is left out but at the ends.
    #expect(!lines.dropFirst().contains("…"))
    let shown = lines.drop { $0 == "…" }
    let before = shown.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst()) }
    let after = shown.filter { !$0.hasPrefix("-") }.map { String($0.dropFirst()) }
    #expect(old.joined(separator: "\n").contains(before.joined(separator: "\n")))
    #expect(new.joined(separator: "\n").contains(after.joined(separator: "\n")))
  }

  @Test("The diff of huge texts is cut")
  func huge() {
    let old = (0..<50_000).map { "a\($0)" }.joined(separator: "\n")
    let new = (0..<50_000).map { "b\($0)" }.joined(separator: "\n")
    let lines = LineDiff.lines(expected: old, actual: new)

    #expect(lines.count == 61)
    #expect(lines.last?.hasSuffix("more lines") == true)
  }
}
