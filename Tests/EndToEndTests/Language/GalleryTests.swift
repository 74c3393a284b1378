import Testing

@Suite("The gallery")
struct GalleryTests {
  static let scenarios = TemporaryFolder.names("\(BuiltRunner.root)/scenarios")
    .filter { $0.hasSuffix(".yaml") }
  static let failing = TemporaryFolder.names("\(BuiltRunner.root)/Tests/EndToEndTests/Failing")
    .filter { $0.hasSuffix(".yaml") }

  @Test("Every scenario passes", arguments: scenarios)
  func passes(name: String) throws {
    let outcome = try BuiltRunner.run(["run", "scenarios/\(name)", "--timeout", "10m"])

    outcome.expectExit(0)
    #expect(outcome.output.contains("passed, 0 failed"))
    #expect(outcome.output.contains("PASS"))
  }

  @Test("Every scenario has a twin that fails")
  func twins() {
    #expect(!Self.scenarios.isEmpty)
    #expect(Self.scenarios == Self.failing)
  }

  @Test("Every twin fails, and says why", arguments: failing)
  func fails(name: String) throws {
    let path = "Tests/EndToEndTests/Failing/\(name)"
    let text = try #require(TemporaryFolder.read("\(BuiltRunner.root)/\(path)"))
    let firstLine = try #require(text.split(separator: "\n").first)
    #expect(firstLine.hasPrefix("# fails: "))

    let outcome = try BuiltRunner.run(["run", path])

    #expect(outcome.exitCode == 1 || outcome.exitCode == 3, "\(outcome.text)")
    #expect(outcome.output.contains(firstLine.dropFirst("# fails: ".count)), "\(outcome.text)")
    #expect(outcome.output.contains("reproduce: scenario run \(path)"))
    #expect(!outcome.text.contains("Fatal error"))
  }

  @Test("Gallery and twins are written in the one style")
  func style() throws {
    let folders = ["scenarios", "Tests/EndToEndTests/Failing"]
    let outcome = try BuiltRunner.run(["fmt", "--check"] + folders)

    outcome.expectExit(0)
    #expect(outcome.output.isEmpty, "\(outcome.text)")
  }

  @Test("The whole gallery runs at once, and its plan is the same twice")
  func wholeGallery() throws {
    let outcome = try BuiltRunner.run(["run", "scenarios", "--timeout", "10m"])
    let first = try BuiltRunner.run(["plan", "scenarios", "--format", "json"])
    let second = try BuiltRunner.run(["plan", "scenarios", "--format", "json"])

    outcome.expectExit(0)
    first.expectExit(0)
    #expect(first.output == second.output)
    #expect(!first.output.isEmpty)
  }
}
