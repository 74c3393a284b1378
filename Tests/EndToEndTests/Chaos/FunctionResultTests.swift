import Testing

@Suite("Results of functions that are no integers")
struct FunctionResultTests {
  @Test(
    "A function of libm returns the number that is said",
    arguments: [("constant: 0", "0.0"), ("constant: 2", "2.0"), ("constant: -1", "-1.0")])
  func sine(provide: String, output: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 1
      name: sine
      target: { command: [python3, -c, "import math; print(math.sin(1.0))"] }
      chaos: [ { name: s, function: sin, provide: { \(provide) } } ]
      expect: { stdout: "\(output)" }

      """, to: "case.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    #expect(outcome.exitCode == 0, "\(outcome.text)")
  }

  @Test("What it cannot return is refused before anything runs")
  func refused() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 1
      name: sine
      target: { command: [python3, -c, "import math; print(math.sin(1.0))"] }
      chaos: [ { name: s, function: sin, provide: { error: EDOM } } ]

      """, to: "case.yaml")
    let outcome = try BuiltRunner.run(["check", path])
    #expect(outcome.exitCode == 2, "\(outcome.text)")
    #expect(outcome.text.contains("returns a floating point number"), "\(outcome.text)")
    #expect(outcome.text.contains("{ constant: 0, errno: EDOM }"), "\(outcome.text)")
  }
}
