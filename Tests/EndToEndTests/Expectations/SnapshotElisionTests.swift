import Testing

@Suite("What a snapshot says of an output, and what it leaves open")
struct SnapshotElisionTests {
  private static let path = "s/__snapshots__/a.yaml/talk.stdout.snap"

  private static func text(_ words: String) -> String {
    """
    version: 2
    name: talk
    target: { command: [sh, -c, '\(words)'] }
    expect: { exit: 0, stdout: { snapshot: true } }

    """
  }

  @Test(
    "An output that looks like an elision is written as a text: another output is a difference",
    arguments: [
      (#"printf "a\\n...\\nb\\n""#, "a\n\\...\nb\n", #"printf "a\\nx\\nb\\n""#),
      (#"printf "a [..] b\\n""#, "a \\[..] b\n", #"printf "a 1 b\\n""#),
      (#"printf "a\\r\\nb\\n""#, "a\\r\nb\n", #"printf "a\\nb\\n""#),
      (#"echo in $HOME, not \$HOME"#, "in $HOME, not \\$HOME\n", #"echo in \$HOME, not \$HOME"#),
      (#"echo \$TMPDIR"#, "\\$TMPDIR\n", "echo $TMPDIR"),
    ])
  func texts(words: String, held: String, others: String) throws {
    let project = try ProjectFolder()
    try project.write(Self.text(words), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
    #expect(project.read(Self.path) == held)
    try project.scenario(["run", "s"], variables: ["CI=1"]).expectExit(0)

    try project.write(Self.text(others), to: "s/a.yaml")
    let changed = try project.scenario(["run", "s"])
    #expect(changed.exitCode == 1 && changed.output.contains("\n  +"), "\(changed.text)")
    for update in ["changed", "all"] {
      try project.scenario(["run", "s", "-u", update]).expectExit(0)
      try project.scenario(["run", "s"], variables: ["CI=1"]).expectExit(0)
    }
    // What waits for a review is written in the same way.
    try project.write(Self.text(words), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(1)
    try project.scenario(["review", "s", "--accept"]).expectExit(0)
    #expect(project.read(Self.path) == held)
  }

  @Test("An elision that somebody wrote holds, and stays where all else is written anew")
  func elisions() throws {
    let project = try ProjectFolder()
    try project.write(Self.text(#"printf "a\\n...\\nt 1\\nz\\n""#), to: "s/a.yaml")
    try project.write("a\n...\nt [..]\nz\n", to: Self.path)
    try project.scenario(["run", "s", "-u", "changed"]).expectExit(0)
    #expect(project.read(Self.path) == "a\n...\nt [..]\nz\n")
    try project.scenario(["run", "s", "-u", "all"]).expectExit(0)
    #expect(project.read(Self.path) == "a\n\\...\nt 1\nz\n")
  }

  @Test("How the lines of the snapshot's own file end does not count")
  func ends() throws {
    let project = try ProjectFolder()
    try project.write(Self.text(#"printf "a\\nb\\n""#), to: "s/a.yaml")
    try project.write("a\r\n...\r\nb\r\n", to: Self.path)
    try project.scenario(["run", "s"], variables: ["CI=1"]).expectExit(0)
  }
}
