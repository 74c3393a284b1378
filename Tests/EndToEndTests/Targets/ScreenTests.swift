import Testing

@Suite("What a target's terminal shows")
struct ScreenTests {
  private func run(_ text: String, _ command: String = "run") throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    return try BuiltRunner.run([command, folder.write("version: 2\n" + text, to: "screen.yaml")])
  }

  private static let text = """
    target:
      command: [bash, -c, 'printf "one\\rtw\\n\\033[3;3Hcolour \\033[31mred\\033[m"; read x; tput clear; echo $x']
      terminal: 20x4
      env: { TERM: xterm }
    steps:
      - start:
      - wait: { screen: 'red$' }
      - expect:
          screen: { all_of: [{ lines: [twe, "", "  colour red"] }, { not: { contains: "\\e" } }] }
      - send: "bye\\n"
      - wait: exit
    expect: { screen: bye }

    """

  @Test("Moves, clears and colours are done and not seen, and the screen stays behind the end")
  func screen() throws {
    let outcome = try run(Self.text)
    outcome.expectExit(0)
    let other = try run(Self.text.replacing("[twe,", with: "[two,"))
    #expect(other.exitCode == 1 && other.text.contains("│twe                 │"), "\(other.text)")
    let end = try run(Self.text.replacing("{ screen: bye }", with: "{ screen: by }"))
    #expect(end.exitCode == 1 && end.text.contains("the screen, 20x4"), "\(end.text)")
    #expect(try run(Self.text, "plan").output.contains("screen"))
  }

  @Test("A wait for what the screen never shows tells what it shows instead")
  func never() throws {
    let late = try run("timeout: 1s\n" + Self.text.replacing("'red$'", with: "'green$'"))
    late.expectExit(3)
    #expect(late.text.contains("│  colour red        │"), "\(late.text)")
    let ended = try run(
      Self.text.replacing("- wait: exit", with: "- wait: { screen: 'never' }"))
    #expect(ended.exitCode == 1 && ended.text.contains("exited with code 0 before"))
    #expect(ended.text.contains("│bye                 │"), "\(ended.text)")
  }

  @Test("Several targets have a screen each, and each start has a new one")
  func several() throws {
    let text = """
      targets:
        one: { command: [printf, 'a\\033[Hb'], terminal: 20x4 }
        two: { command: [sh, -c, 'test -e x && echo again; touch x'], terminal: 10x2 }
      steps:
        - run: one
        - run: two
          expect: { screen: "" }
        - run: two
          expect: { screen: again }
        - run: one
      expect: { targets: { one: { screen: b }, two: { screen: again } } }

      """
    let outcome = try run(text)
    outcome.expectExit(0)
    let other = try run(text.replacing("one: { screen: b }", with: "one: { screen: ab }"))
    #expect(other.exitCode == 1 && other.text.contains("one"), "\(other.text)")
  }

  @Test(
    "What has no terminal has no screen, which is reported before anything runs",
    arguments: [
      ("  terminal: 20x4\n", "", "the target has no terminal"),
      ("- wait: exit", "- exec: \"true\"\n    expect: { screen: x }", "has no terminal"),
      ("'red$'", "'('", "regular expression"),
      ("'red$'", "'red$', stdout: x", "cannot be combined with"),
    ])
  func mistakes(part: String, other: String, message: String) throws {
    let outcome = try run(Self.text.replacing(part, with: other))
    #expect(outcome.exitCode == 2 && outcome.text.contains(message), "\(outcome.text)")
  }

  @Test("A secret that goes over the end of a row is shown nowhere", arguments: [true, false])
  func wrappedSecret(isSecret: Bool) throws {
    let outcome = try run(
      """
      \(isSecret ? "secrets: { matches: ['key-[a-z]{20}'] }" : "")
      target: { command: "printf 'token: key-abcdefghijklmnopqrst'", terminal: 20x4 }
      expect: { screen: other }

      """)
    outcome.expectExit(1)
    #expect(outcome.text.contains("jklmnop") != isSecret, "\(outcome.text)")
    #expect(outcome.text.contains("the screen is not shown") == isSecret, "\(outcome.text)")
  }
}
