import Testing

/// `files: { a: { symlink: b }, c: { kind: folder } }` lays what is no file.
struct LaidLinkTests {
  private static let scenario = """
    version: 2
    target:
      command: [sh, -c, "cat current/one; readlink current whole; stat -c %a out data; cat late"]
      files:
        data/one: one
        current: { symlink: data }
        whole: { symlink: "${{ dir }}/data/one" }
        out: { kind: folder, mode: "0700" }
        data: { kind: folder }
    clock: { at: 2026-03-01T09:00:00Z, flow: auto, file_times: virtual }
    steps:
      - write: { path: late, symlink: data/one }
      - run: []
    expect:
      exit: 0
      stdout: "onedata\\n${{ dir }}/data/one\\n700\\n755\\none"

    """

  @Test("Links lead where they say, and folders are there with their modes")
  func links() throws {
    let project = try ProjectFolder()
    try project.write(Self.scenario, to: "a.yaml")
    let right = try project.scenario(["run", "a.yaml"])
    right.expectExit(0)
    for (said, wrong) in [
      ("{ symlink: data }", "{ symlink: out }"), ("mode: \"0700\"", "mode: \"0750\""),
      ("symlink: data/one }", "symlink: data }"),
    ] {
      try project.write(Self.scenario.replacing(said, with: wrong), to: "a.yaml")
      #expect(try project.scenario(["run", "a.yaml"]).exitCode == 1, "\(wrong)")
    }
  }
}
