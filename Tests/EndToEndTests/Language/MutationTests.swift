import Testing

@Suite("Changed data and the change that matters")
struct MutationRunTests {
  private func run(
    _ program: String, expect: String = "{ exit: 0 }"
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      factories:
        address: { fields: { city: London } }
        user: { fields: { id: 1, name: Bob, tags: [a], address: { $build: address } } }
      build:
        bob: { $mutate: { of: { $build: user }, count: 4, kinds: [nil], only: [id, name, tags, address.city] } }
      target:
        command: [python3, -c, "import json; u = json.load(open('user.json')); \(program)"]
        files: { user.json: { json: "${{ build.bob }}" } }
      expect: \(expect)

      """, to: "mutation.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test("A program that takes whatever comes passes")
  func tolerant() throws {
    let outcome = try run("print(u)")

    #expect(outcome.exitCode == 0 && !outcome.text.contains("the case fail"), "\(outcome.text)")
  }

  @Test("Of four changes the one that breaks the program is named")
  func one() throws {
    let outcome = try run("print(u['address']['city'].upper())")

    outcome.expectExit(1)
    #expect(
      outcome.text.contains(
        "a single one of 4 changes makes the case fail: "
          + "build.bob.address.city: \"London\" → null (nil)"),
      "\(outcome.text)")
    #expect(outcome.text.contains("mutation.yaml:6:8"), "\(outcome.text)")
  }

  @Test("Two changes that break it only together are named both")
  func two() throws {
    let outcome = try run("exit(u['id'] is None and u['tags'] is None)")

    outcome.expectExit(1)
    for text in [
      "2 of 4 changes together make the case fail", "build.bob.id: 1 → null (nil)",
      "build.bob.tags: [\"a\"] → null (nil)",
    ] {
      #expect(outcome.text.contains(text), "\(outcome.text)")
    }
    #expect(!outcome.text.contains("build.bob.name"), "\(outcome.text)")
  }

  @Test("A program that fails with sound data too is not blamed on a change")
  func neither() throws {
    let outcome = try run("exit(3)")

    outcome.expectExit(1)
    #expect(
      outcome.text.contains("the case also fails without 4 changes of \"$mutate\""),
      "\(outcome.text)")
  }

  @Test("Runs that fail in another way are not taken for the failure that is explained")
  func another() throws {
    let program = """
      n = str(u).count('None'); print('wrong' if n == 4 else 'right'); exit(3 if 0 < n < 4 else 0)
      """
    let outcome = try run(program, expect: "{ exit: 0, stdout: right }")

    outcome.expectExit(1)
    #expect(
      outcome.text.contains("4 of 4 changes together make the case fail"), "\(outcome.text)")
  }
}
