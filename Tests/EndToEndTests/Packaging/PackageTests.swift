import Testing

/// What the static executable is given away as.
@Suite("Packages")
struct PackageTests {
  private static let packaging = "\(BuiltRunner.root)/Packaging"

  @Test("pip installs the wheel, and what it installs runs scenarios and fails wrong ones")
  func wheel() throws {
    let folder = try TemporaryFolder()
    let made = try BuiltRunner.command([
      "\(Self.packaging)/package", "wheel", "--program", try BuiltRunner.staticExecutable(),
      "--output",
      folder.path,
    ])
    try #require(made.exitCode == 0, "\(made.text)")
    let script = """
      python3 -m venv "$1/venv" && "$1/venv/bin/pip" install --no-index --quiet "$1"/*.whl
      """
    let installed = try BuiltRunner.command(["sh", "-c", script, "sh", folder.path])
    try #require(installed.exitCode == 0, "\(installed.text)")

    for (day, exitCode) in [("02", 0), ("03", 1)] as [(String, Int32)] {
      let file = folder.write(
        """
        version: 2
        clock: { at: 2030-01-01T00:00:00Z, flow: auto }
        target: { command: [sh, -c, "sleep 86400; date +%d"] }
        expect: { exit: 0, stdout: "\(day)\\n" }
        """, to: "day-\(day).yaml")
      let outcome = try BuiltRunner.command(["\(folder.path)/venv/bin/scenario", "run", file])
      #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    }
  }

  @Test("A program that needs shared libraries is not given away")
  func dynamic() throws {
    let folder = try TemporaryFolder()
    let outcome = try BuiltRunner.command([
      "\(Self.packaging)/package", "wheel", "--program", "/usr/bin/env", "--output",
      folder.path,
    ])

    #expect(outcome.exitCode != 0)
    #expect(outcome.errorOutput.contains("needs shared libraries"), "\(outcome.text)")
    #expect(TemporaryFolder.names(folder.path).isEmpty)
  }

  @Test("A release is installed if it has the checksum that is asked for, and else nothing is")
  func install() throws {
    let folder = try TemporaryFolder()
    let script = """
      set -e
      mkdir -p "$1/release/bin"
      printf '#!/bin/sh\\necho 0.1.0\\n' > "$1/release/bin/scenario"
      chmod +x "$1/release/bin/scenario"
      tar -czf "$1/release.tar.gz" -C "$1" release
      sum=$(sha256sum "$1/release.tar.gz" | cut -d ' ' -f 1)
      "$2/install.sh" "$1/release.tar.gz" "$sum" "$1/right"
      "$2/install.sh" "$1/release.tar.gz" "${sum%?}x" "$1/wrong" || echo "exit $?"
      ls "$1/right/bin"
      test ! -e "$1/wrong"
      """
    let outcome = try BuiltRunner.command(["sh", "-c", script, "sh", folder.path, Self.packaging])

    outcome.expectExit(0)
    #expect(outcome.output == "0.1.0\nexit 3\nscenario\n")
    #expect(outcome.errorOutput.contains("has the checksum"), "\(outcome.text)")
  }
}
