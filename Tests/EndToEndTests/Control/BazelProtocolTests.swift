import Testing

@Suite("What Bazel tells its tests")
struct BazelProtocolTests {
  private static let text = """
    version: 2
    target: { command: [sh, -c, 'sleep "$0"; echo "$1"'] }
    factories:
      item: { fields: { number: { $int: [0, 1000000] } } }
    scenarios:
      - { name: a, steps: [{ run: ["0", "${{ build.x.number }}"], expect: { stdout: "no" } }], build: { x: { $build: item } } }
      - { name: b, steps: [{ run: ["0", "b"], expect: { stdout: "no" } }] }
      - { name: c, seed: 7, steps: [{ run: ["0", "${{ build.x.number }}"], expect: { stdout: "no" } }], build: { x: { $build: item } } }

    """

  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.write(Self.text, to: "cases.yaml")
  }

  private func run(
    _ variables: [String], _ arguments: [String] = [], file: String? = nil
  ) throws -> BuiltRunner.Outcome {
    try BuiltRunner.run(
      ["run", "-j1", file ?? self.file] + arguments,
      prefix: [
        "env", "BAZEL_TEST=1", "TEST_TMPDIR=\(folder.path)",
        "XML_OUTPUT_FILE=\(folder.path)/test.xml",
      ] + variables)
  }

  @Test("Nothing begins behind a failure with --test_runner_fail_fast, unless more is allowed")
  func failFast() throws {
    #expect(try run([]).output.contains("3 failed"))
    #expect(try run(["TESTBRIDGE_TEST_RUNNER_FAIL_FAST=0"]).output.contains("3 failed"))
    let fast = try run(["TESTBRIDGE_TEST_RUNNER_FAIL_FAST=1"])
    #expect(fast.exitCode == 1 && fast.output.contains("1 failed"), "\(fast.text)")
    let two = try run(["TESTBRIDGE_TEST_RUNNER_FAIL_FAST=1"], ["--fail-fast=2"])
    #expect(two.output.contains("2 failed"), "\(two.text)")
  }

  /// The numbers that the cases have shown.
  private func numbers(_ outcome: BuiltRunner.Outcome) -> [String] {
    outcome.output.split(separator: "\n").compactMap {
      $0.wholeMatch(of: /\s\s(\d+)/).map { String($0.1) }
    }
  }

  @Test("Each of several runs has its own random values, the same for the same number")
  func seed() throws {
    let usual = numbers(try run([]))
    let first = numbers(try run(["TEST_RANDOM_SEED=1"]))
    let second = numbers(try run(["TEST_RANDOM_SEED=2"]))
    try #require(usual.count == 2 && first.count == 2 && second.count == 2)
    #expect(first[0] != second[0] && first[0] != usual[0])
    #expect(numbers(try run(["TEST_RANDOM_SEED=1"])) == first)
    // A scenario's own seed stays, and what a person says counts for all.
    #expect(first[1] == usual[1] && second[1] == usual[1])
    let own = numbers(try run(["TEST_RANDOM_SEED=1"], ["--seed", "9"]))
    #expect(own == numbers(try run([], ["--seed", "9"])))
    #expect(numbers(try run(["TEST_RANDOM_SEED=x"])) == usual)
  }

  @Test("A run ends shortly before it would be killed, with a report")
  func timeout() throws {
    let path = folder.write(
      Self.text.replacing("\"0\", \"b\"", with: "\"1000\", \"b\""), to: "slow.yaml")
    let late = try run(["TEST_TIMEOUT=2"], file: path)
    late.expectExit(124)
    #expect(TemporaryFolder.read("\(folder.path)/test.xml")?.contains("<testsuites") == true)
    try run(["TEST_TIMEOUT=0"]).expectExit(1)
    try run(["TEST_TIMEOUT=1"], ["--global-timeout", "1h"]).expectExit(1)
  }
}
