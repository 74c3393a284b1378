import Glibc
import Testing

@Suite("fmt and upgrade")
struct FormatCommandTests {
  private static let text = "version: 2  \ntarget: {command: [\"date\"]}   # now\n"
  private static let formatted = "version: 2\ntarget: { command: [date] }  # now\n"

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o170777 : 0
  }

  @Test("fmt rewrites files, tells which, keeps their mode, and has nothing to do the second time")
  func rewrites() throws {
    let folder = try TemporaryFolder()
    let file = folder.write(Self.text, to: "a.yaml", mode: 0o640)
    folder.write(Self.formatted, to: "b.yaml")
    folder.write("not: [touched\n", to: "notes.txt")
    try #require(symlink(file, "\(folder.path)/link.yml") == 0)

    let first = try BuiltRunner.run(["fmt", folder.path])
    first.expectExit(0)
    #expect(first.output == "\(file)\n")
    #expect(TemporaryFolder.read(file) == Self.formatted)
    #expect(mode(file) == S_IFREG | 0o640)
    #expect(mode("\(folder.path)/link.yml") & S_IFMT == S_IFLNK)

    let second = try BuiltRunner.run(["fmt", folder.path])
    #expect(second.exitCode == 0 && second.text.isEmpty)
    #expect(TemporaryFolder.names(folder.path) == ["a.yaml", "b.yaml", "link.yml", "notes.txt"])
  }

  @Test("A symbolic link stays one, and its target is rewritten")
  func followsLinks() throws {
    let folder = try TemporaryFolder()
    let file = folder.write(Self.text, to: "a.yaml")
    let link = "\(folder.path)/link"
    try #require(symlink("a.yaml", link) == 0)

    #expect(try BuiltRunner.run(["fmt", link]).output == "\(link)\n")
    #expect(mode(link) & S_IFMT == S_IFLNK)
    #expect(TemporaryFolder.read(file) == Self.formatted)
  }

  @Test("--check lists and --diff shows what would change, and nothing is written")
  func checks() throws {
    let folder = try TemporaryFolder()
    let file = folder.write(Self.text, to: "a.yaml")
    let good = folder.write(Self.formatted, to: "b.yaml")

    let check = try BuiltRunner.run(["fmt", "--check", file, good])
    check.expectExit(1)
    #expect(check.output == "\(file)\n")
    let diff = try BuiltRunner.run(["fmt", "--diff", file, good])
    diff.expectExit(1)
    #expect(
      diff.output == """
        --- \(file)
        +++ \(file) (formatted)
        @@ -1,2 +1,2 @@
        -version: 2\("  ")
        -target: {command: ["date"]}   # now
        +version: 2
        +target: { command: [date] }  # now

        """)
    #expect(TemporaryFolder.read(file) == Self.text)
    try BuiltRunner.run(["fmt", "--check", "--diff", good]).expectExit(0)
  }

  @Test(
    "What cannot be read is reported as check tells it, and left alone; the others are rewritten")
  func refuses() throws {
    let folder = try TemporaryFolder()
    let broken = folder.write("version: 2\nname: [a\n", to: "a.yaml")
    let file = folder.write(Self.text, to: "b.yaml")

    let outcome = try BuiltRunner.run(["fmt", broken, file, "\(folder.path)/none.yaml"])
    outcome.expectExit(2)
    #expect(outcome.errorOutput.contains("\(broken):"))
    #expect(outcome.errorOutput.contains("none.yaml"))
    #expect(TemporaryFolder.read(broken) == "version: 2\nname: [a\n")
    #expect(TemporaryFolder.read(file) == Self.formatted)
  }

  @Test("A dash reads standard input and prints")
  func standardInput() throws {
    let folder = try TemporaryFolder()
    let file = folder.write(Self.text, to: "a.yaml")
    let runner = BuiltRunner.executable

    let outcome = try BuiltRunner.command([
      "/bin/sh", "-c", "exec \"$0\" fmt - <\"$1\"", runner, file,
    ])
    outcome.expectExit(0)
    #expect(outcome.output == Self.formatted)
    #expect(TemporaryFolder.read(file) == Self.text)
  }

  @Test("upgrade leaves files of the current version alone, and refuses unknown ones")
  func upgrades() throws {
    let folder = try TemporaryFolder()
    let file = folder.write(Self.text, to: "a.yaml")
    let later = folder.write("version: 7 # later\n", to: "b.yaml")

    let current = try BuiltRunner.run(["upgrade", file])
    current.expectExit(0)
    #expect(current.output == "\(file): already version 2\n")
    #expect(TemporaryFolder.read(file) == Self.text)
    let unknown = try BuiltRunner.run(["upgrade", folder.path])
    unknown.expectExit(2)
    #expect(unknown.errorOutput.contains("\(later):1:10: error[E020]: unknown version \"7\""))
    #expect(TemporaryFolder.read(later) == "version: 7 # later\n")
  }
}
