import Glibc
import Testing

@Suite("The files of snapshots")
struct SnapshotFileTests {
  private static let path = "s/__snapshots__/a.yaml/talk.stdout.snap"

  private static func text(_ word: String, name: String = "talk") -> String {
    """
    version: 2
    name: \(name)
    target: { command: [echo, \(word)] }
    expect: { exit: 0, stdout: { snapshot: true } }

    """
  }

  @Test("A snapshot that cannot be read leaves open whether the program is right: an error")
  func unreadable() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("one"), to: "s/a.yaml")
    try project.write("", to: Self.path + "/file")
    for update in [[], ["-u", "changed"], ["-u", "all"]] {
      let folder = try project.scenario(["run", "s"] + update)
      #expect(folder.exitCode == 3 && folder.output.contains("ERROR"), "\(folder.text)")
      #expect(folder.output.contains("\"\(Self.path)\" is not a regular file"), "\(folder.text)")
    }
    try project.scenario(["run", "s"], variables: ["CI=1"]).expectExit(3)
    #expect(unlink("\(project.path)/\(Self.path)/file") == 0)
    #expect(rmdir("\(project.path)/\(Self.path)") == 0)

    try project.write([0x6f, 0xff, 0x0a], to: Self.path)
    let bytes = try project.scenario(["run", "s", "--report", "junit=r.xml"])
    #expect(bytes.exitCode == 3 && bytes.output.contains("is not UTF-8"), "\(bytes.text)")
    #expect(bytes.output.contains("--update missing"), "\(bytes.text)")
    let report = try #require(project.read("r.xml"))
    #expect(report.contains("<error ") && !report.contains("<failure "), "\(report)")
    // One that differs is a failure.
    try project.write("two\n", to: Self.path)
    try project.scenario(["run", "s"]).expectExit(1)
    #expect(chmod("\(project.path)/\(Self.path)", 0) == 0)
    guard geteuid() != 0 else { return }
    let closed = try project.scenario(["run", "s"])
    #expect(closed.exitCode == 3 && closed.output.contains("Permission denied"), "\(closed.text)")
  }

  @Test("The same holds for the snapshot of a folder")
  func unreadableOfFolder() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      version: 2
      name: build
      target: { command: [mkdir, out] }
      expect: { exit: 0, files: { out/: { snapshot: true } } }

      """, to: "s/a.yaml")
    try project.write([0xff], to: "s/__snapshots__/a.yaml/build.out.snap")
    let run = try project.scenario(["run", "s"])
    #expect(run.exitCode == 3 && run.output.contains("is not UTF-8"), "\(run.text)")
  }

  @Test("What waits goes when the scenario passes")
  func passing() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("one"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
    try project.write(Self.text("two"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(1)
    #expect(project.read(Self.path + ".new") == "two\n")
    try project.write(Self.text("one"), to: "s/a.yaml")
    try project.scenario(["run", "s"]).expectExit(0)
    #expect(project.read(Self.path + ".new") == nil)
  }

  @Test("What is older than the snapshot is not taken over")
  func stale() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("one"), to: "s/a.yaml")
    try project.write("older\n", to: Self.path)
    try project.write("newer\n", to: Self.path + ".new")
    try project.setTime(of: Self.path + ".new", seconds: 1_000)
    try project.setTime(of: Self.path, seconds: 1_001)
    let shown = try project.scenario(["review", "s"])
    #expect(shown.exitCode == 1 && shown.output.contains("snapshot changed since"), "\(shown.text)")
    let refused = try project.scenario(["review", "s", "--accept"])
    #expect(refused.exitCode == 1 && refused.output.contains("not accepted"), "\(refused.text)")
    #expect(refused.errorOutput.contains("run the scenarios again"), "\(refused.text)")
    #expect(project.read(Self.path) == "older\n" && project.read(Self.path + ".new") == "newer\n")
    // What was seen behind the snapshot's last change is.
    try project.setTime(of: Self.path + ".new", seconds: 1_001)
    try project.scenario(["review", "s", "--accept"]).expectExit(0)
    #expect(project.read(Self.path) == "newer\n" && project.read(Self.path + ".new") == nil)

    try project.write("again\n", to: Self.path + ".new")
    try project.setTime(of: Self.path + ".new", seconds: 1_000)
    try project.scenario(["review", "s", "--reject"]).expectExit(0)
    #expect(project.read(Self.path) == "newer\n" && project.read(Self.path + ".new") == nil)
  }

  @Test("What waits for a scenario that is no more is found and removed with the snapshots")
  func unreferenced() throws {
    let project = try ProjectFolder()
    try project.write(Self.text("one"), to: "s/a.yaml")
    try project.write("one\n", to: Self.path)
    try project.write("two\n", to: Self.path + ".new")
    let orphan = "s/__snapshots__/a.yaml/old.snap.new"
    try project.write("old\n", to: orphan)
    let listed = try project.scenario(["review", "s", "--unreferenced"])
    #expect(listed.exitCode == 1 && listed.output == orphan + "\n", "\(listed.text)")
    try project.scenario(["review", "s", "--unreferenced", "--delete"]).expectExit(0)
    #expect(project.read(orphan) == nil && project.read(Self.path + ".new") == "two\n")
  }

  @Test("Names in any script can be read in the file's name, however long they are")
  func names() throws {
    let project = try ProjectFolder()
    let long = String(repeating: "ж", count: 300)
    for (name, file) in [
      ("größe ändern", "größe-ändern.stdout.snap"), ("नमस्ते 2", "नमस्ते-2.stdout.snap"),
      ("日本: a/b", "日本--a-b-"), (long, String(repeating: "ж", count: 40) + "-"),
    ] {
      try project.write(Self.text("one", name: "\"\(name)\""), to: "s/a.yaml")
      try project.scenario(["run", "s"]).expectExit(0)
      let names = TemporaryFolder.names("\(project.path)/s/__snapshots__/a.yaml")
      #expect(names.contains { $0.hasPrefix(file) }, "\(names)")
      try project.scenario(["run", "s"], variables: ["CI=1"]).expectExit(0)
    }
  }

  @Test("The end of the input, and a signal, end a review; what was not decided waits")
  func endings() throws {
    for (key, end) in [("ctrl-d", "exit: 1"), ("ctrl-\\\\", "exit: 131"), ("ctrl-c", "exit: 130")] {
      let project = try ProjectFolder()
      try project.write(Self.text("one"), to: "s/a.yaml")
      try project.write("old\n", to: Self.path)
      try project.write("one\n", to: Self.path + ".new")
      try project.write(
        """
        version: 2
        name: review
        target:
          command: [sh, -c, 'cd \(project.path) && exec \(BuiltRunner.executable) review s']
          terminal: 80x24
        steps:
          - start:
          - wait: { stdout: 'uit\\?' }
          - send: { key: "\(key)" }
          - wait: exit
        expect: { \(end) }

        """, to: "review.yaml")
      let run = try project.scenario(["run", "review.yaml"])
      run.expectExit(0)
      #expect(project.read(Self.path) == "old\n" && project.read(Self.path + ".new") == "one\n")
    }
  }
}

extension ProjectFolder {
  /// Writes a file of any bytes.
  fileprivate func write(_ bytes: [UInt8], to name: String) throws {
    try write("", to: name)
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } > 0)
  }

  /// Says when a file was written last.
  fileprivate func setTime(of name: String, seconds: Int) throws {
    var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    try #require(utimensat(AT_FDCWD, "\(path)/\(name)", &times, 0) == 0)
  }
}
