import Testing

/// `scenario check -`.
@Suite("A file from standard input")
struct StandardInputTests {
  private func check(_ text: String, _ arguments: [String] = []) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    folder.write("version: 2\nfactories: { user: { fields: { a: x } } }\n", to: "base.yaml")
    let path = folder.write(text, to: "input")
    let outcome = try BuiltRunner.run(
      ["check", "-"] + arguments,
      prefix: ["sh", "-c", "cd \(folder.path) && exec \"$0\" \"$@\" < \(path)"])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static let good = """
    version: 2
    include: [base.yaml]
    target: { command: [echo, "${{ build.me.a }}"] }
    build: { me: { $build: user } }
    expect: { exit: 0 }

    """

  @Test("It is checked as a file of its folder is, under the name that it is given")
  func checks() throws {
    let right = try check(Self.good)
    let wrong = try check(Self.good.replacing("exit", with: "exitt"))
    let named = try check(
      Self.good.replacing("exit", with: "exitt"), ["--stdin-filename", "sub/shop.yaml"])

    right.expectExit(0)
    #expect(right.output == "1 scenario, no errors\n")
    wrong.expectExit(2)
    #expect(wrong.errorOutput.contains("standard input:5:11: error[E021]"), "\(wrong.text)")
    #expect(wrong.errorOutput.contains("5 | expect: { exitt: 0 }"))
    #expect(named.errorOutput.contains("sub/shop.yaml:5:11: error[E021]"), "\(named.text)")
    #expect(
      named.errorOutput.contains("the file \"sub/base.yaml\" does not exist"), "\(named.text)")
  }

  @Test("It is told in every format, and cannot be mended where it stands")
  func options() throws {
    let json = try check("version: 7\n", ["--format", "json"])
    let fix = try check(Self.good, ["--fix"])

    json.expectExit(2)
    #expect(json.output.contains(#""file": "standard input""#), "\(json.text)")
    fix.expectExit(2)
    #expect(fix.errorOutput.contains("\"--fix\" needs files"))
  }

  @Test("Other commands run files only")
  func others() throws {
    let outcome = try BuiltRunner.run(["run", "-"])

    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("cannot read \"-\""), "\(outcome.text)")
  }
}
