import Testing

@testable import ScenarioRunner

@Suite("Comparing a list with what was expected of it")
struct SequenceComparisonTests {
  private func compare(_ expected: [Int], _ actual: [Int]) -> SequenceComparison {
    SequenceComparison(
      expected: expected.map(String.init), actual: actual.map(String.init)
    ) { expected[$0] == actual[$1] }
  }

  @Test("Equal lists differ nowhere")
  func equal() {
    #expect(compare([1, 2], [1, 2]).isEqual)
    #expect(compare([], []).isEqual)
    #expect(compare([1, 2], [1, 2]).lines.isEmpty)
  }

  @Test(
    "What is missing, left over or other is shown in its place",
    arguments: [
      ([1, 2, 3], [1, 3], [" 1", "-2", " 3"]),
      ([1, 3], [1, 2, 3], [" 1", "+2", " 3"]),
      ([1, 2, 3], [1, 4, 3], [" 1", "-2", "+4", " 3"]),
      ([1], [], ["-1"]),
      ([], [1], ["+1"]),
      ([1, 2], [2, 1], ["-1", " 2", "+1"]),
    ])
  func differs(expected: [Int], actual: [Int], lines: [String]) {
    let comparison = compare(expected, actual)

    #expect(!comparison.isEqual)
    #expect(comparison.lines == lines)
  }

  @Test("What holds far from a difference is not shown")
  func shortened() {
    let lines = compare(Array(1...20), Array(1...9) + [0] + Array(11...20)).lines

    #expect(lines == ["…", " 8", " 9", "-10", "+0", " 11", " 12"])
  }

  @Test("Long lists are compared in bounded time and shown in bounded space")
  func bounded() {
    let lines = compare([Int](repeating: 1, count: 100_000), [Int](repeating: 2, count: 90_000))
      .lines

    #expect(lines.count == 61)
    #expect(lines.last?.hasSuffix("more lines") == true)
  }
}
