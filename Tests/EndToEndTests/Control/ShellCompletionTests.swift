import Testing

@Suite("Completions in shells, at their terminals")
struct ShellCompletionTests {
  /// Names that shells must quote, and must not run.
  private static let cases = """
    version: 2
    target: { command: [date] }
    scenarios:
      - { name: alpha one }
      - { name: "beta 'two' $(touch ran) `touch ran`" }
      - { name: "colon: here" }

    """

  /// Types at a shell, and looks at its screen.
  private func scenario(
    _ shell: String, _ start: [String], _ file: String, _ setup: String
  ) -> String {
    let path = BuiltRunner.executable.split(separator: "/").dropLast().joined(separator: "/")
    return """
      version: 2
      name: \(shell)
      target:
        command: [\(start.joined(separator: ", "))]
        terminal: 90x16
        env: { TERM: xterm, PATH: "/\(path):/usr/bin:/bin" }
        files: { first.yaml: { file: first.yaml }, "\(file)": { file: "\(shell).script" } }
      steps:
        - start:
        - send: "\(setup)\\n"
        - wait: { screen: ready }
        - send: "scenario run first.yaml --case al\\t"
        - wait: { screen: '--case [''"]?alpha(\\\\)? one' }
        - send: { key: ctrl-u }
        - send: "scenario run first.yaml --case be\\t"
        - wait: { screen: 'two[''\\\\]' }
        - send: { key: ctrl-u }
        - send: "scenario run first.yaml --case alpha\\\\ o\\t"
        - wait: { screen: '--case alpha\\\\ one' }
        - send: { key: ctrl-u }
        - send: "scenario run first.yaml --case co\\t"
        - wait: { screen: 'colon(\\\\)?:(\\\\)? here' }
        - send: { key: ctrl-u }
        - send: "scenario rer\\t"
        - wait: { screen: 'scenario rerun' }
      expect: { files: { ran: { absent: true } } }

      """
  }

  @Test(
    "Names with blanks, quotes, colons and commands are completed as words of that shell",
    arguments: [
      ("bash", ["bash", "--norc", "-i"], "s", "source ./s; echo rea'dy'"),
      (
        "zsh", ["zsh", "-f", "-i"], "fun/_scenario",
        "fpath=($PWD/fun $fpath); autoload -Uz compinit; compinit -u; echo rea'dy'"
      ), ("fish", ["fish", "--no-config", "-i"], "s", "source ./s; echo rea'dy'"),
    ])
  func shells(shell: String, start: [String], file: String, setup: String) throws {
    let isThere = try BuiltRunner.command(["sh", "-c", "command -v \(shell)"]).exitCode == 0
    try #require(isThere, "Tests/install-dependencies.sh installs \(shell)")
    let folder = try TemporaryFolder()
    _ = folder.write(Self.cases, to: "first.yaml")
    _ = folder.write(try BuiltRunner.run(["completions", shell]).output, to: "\(shell).script")
    let path = folder.write(scenario(shell, start, file, setup), to: "shell.yaml")

    let outcome = try BuiltRunner.run(["run", path])
    outcome.expectExit(0)
    guard shell == "bash" else { return }
    _ = folder.write(Self.cases.replacing("alpha one", with: "gamma one"), to: "first.yaml")
    let other = folder.write(
      scenario(shell, start, file, setup).replacing("name: bash", with: "timeout: 2s"),
      to: "other.yaml")
    let missing = try BuiltRunner.run(["run", other])
    #expect(missing.exitCode == 3 && missing.text.contains("the screen,"), "\(missing.text)")
  }
}
