import Glibc
import Testing

@Suite("Files outside of the case's folders")
struct OutsideFilesTests {
  /// A folder that no case owns, with a file in it.
  private final class Outside {
    let folder = try? TemporaryFolder()

    var path: String { folder?.path ?? "" }

    init() throws {
      let folder = try #require(folder)
      chmod(folder.path, 0o777)
      folder.write("old\n", to: "old", mode: 0o666)
      // Who owns a file may change its mode.
      if geteuid() == 0 { chown("\(folder.path)/old", 65534, 65534) }
    }
  }

  /// How the runner is started: as it is, and as a container's ordinary user.
  struct Manner: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var prefix: [String]
  }

  static var manners: [Manner] {
    [Manner(testDescription: "as it is", prefix: [])]
      + ContainerTests.containers.map {
        Manner(testDescription: $0.testDescription, prefix: $0.prefix)
      }
  }

  private func run(
    _ rule: String?, _ target: String, expect: String = "exit: 0", prefix: [String] = [],
    report: String? = nil
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o755)
    let path = folder.write(
      """
      version: 2
      \(rule.map { "files: { outside: \($0) }" } ?? "tags: [plain]")
      target: \(target)
      expect: { \(expect) }

      """, to: "outside.yaml")
    let outcome = try BuiltRunner.run(
      ["run", path] + (report.map { ["--report", $0] } ?? []), prefix: prefix)
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static let calls = [
    "openat", "open", "openat2", "creat", "mkdir", "mknod", "symlink", "link", "linkat", "rename",
    "renameat2", "truncate", "chmod", "fchmod", "utimensat", "bind", "unlinkat",
  ]

  private static func program(_ name: String) -> String {
    "\(BuiltRunner.root)/.build/programs/\(name)"
  }

  @Test(
    "Each call that changes files is made and reported unless said otherwise", arguments: manners)
  func reported(manner: Manner) throws {
    for program in ["outside_writes", "outside_writes-static"] {
      let outside = try Outside()
      let events = TemporaryFolder.unique("events")
      defer { unlink(events) }
      let lines = Self.calls.map { "\($0): done" }.joined(separator: "\\n")
      let outcome = try run(
        nil, "{ command: [\(Self.program(program)), \(outside.path)] }",
        expect: "exit: 0, stdout: \"\(lines)\\n\"", prefix: manner.prefix,
        report: "jsonl=\(events)")
      let told = TemporaryFolder.read(events) ?? ""

      outcome.expectExit(0)
      #expect(outcome.text.contains("files outside of the case's folders were changed:"))
      #expect(
        outcome.text.contains("\"\(outside.path)/old\" (openat by outside_writes"),
        "\(outcome.text)")
      for name in [
        "old", "open", "openat2", "creat", "folder", "pipe", "symlink", "link", "socket",
      ] {
        #expect(told.contains(#""path":"\#(outside.path)/\#(name)""#), "\(name): \(told)")
      }
      #expect(told.contains(#""event":"changedOutside""#) && told.contains(#""isRefused":false"#))
      #expect(TemporaryFolder.names(outside.path).isEmpty)
    }
  }

  @Test("Each call that changes files is refused where the scenario says so", arguments: manners)
  func refused(manner: Manner) throws {
    let outside = try Outside()
    // What is not there cannot be renamed, as on a disk that nobody can write to.
    let lines = Self.calls.map { "\($0): \($0 == "renameat2" ? "ENOENT" : "EROFS")" }
    let outcome = try run(
      "refuse", "{ command: [\(Self.program("outside_writes")), \(outside.path)] }",
      expect: "exit: 0, stdout: \"\(lines.joined(separator: "\\n"))\\n\"", prefix: manner.prefix)

    outcome.expectExit(0)
    #expect(outcome.text.contains("folders were refused:"), "\(outcome.text)")
    #expect(TemporaryFolder.names(outside.path) == ["old"])
    #expect(TemporaryFolder.read("\(outside.path)/old") == "old\n")
  }

  @Test("Nobody looks where the scenario allows it")
  func allowed() throws {
    let outside = try Outside()
    let outcome = try run(
      "allow", "{ command: [\(Self.program("outside_writes")), \(outside.path)] }")

    outcome.expectExit(0)
    #expect(!outcome.text.contains("outside of the case's folders"), "\(outcome.text)")
    #expect(TemporaryFolder.names(outside.path).isEmpty)
  }

  @Test(
    "A shell, Python and a static Go program are refused and reported alike",
    arguments: [
      ("{ command: [sh, -c, \"echo x > OUTSIDE/new; rm -f OUTSIDE/old; true\"] }", "rm"),
      (
        #"{ command: [python3, -c, "import contextlib as c, os\nwith c.suppress(OSError): open('OUTSIDE/new', 'w')"#
          + #"\nwith c.suppress(OSError): os.remove('OUTSIDE/old')"] }"#, "python3"
      ),
      ("{ command: [PROGRAMS/outside_writer, OUTSIDE] }", "outside_writer"),
    ])
  func languages(command: String, program: String) throws {
    func target(_ outside: Outside) -> String {
      command.replacing("OUTSIDE", with: outside.path)
        .replacing("PROGRAMS", with: "\(BuiltRunner.root)/.build/programs")
    }
    let refused = try Outside()
    let outcome = try run("refuse", target(refused))

    outcome.expectExit(0)
    #expect(outcome.text.contains("folders were refused:"), "\(outcome.text)")
    #expect(outcome.text.contains("\(refused.path)/old\" (unlink"), "\(outcome.text)")
    #expect(outcome.text.contains(" by \(program))"), "\(outcome.text)")
    #expect(TemporaryFolder.names(refused.path) == ["old"])

    let reported = try Outside()
    let twin = try run("report", target(reported))

    twin.expectExit(0)
    #expect(twin.text.contains("were changed:"), "\(twin.text)")
    #expect(!TemporaryFolder.names(reported.path).contains("old"))
  }

  @Test("Links, dots and descriptors lead outside as the kernel follows them")
  func links() throws {
    let outside = try Outside()
    let command = """
      ln -s \(outside.path) folder; ln -s \(outside.path)/made file; ln -s ../../../../../../../../../../../..\(outside.path)/dots dots
      for name in folder/link file dots; do echo x > $name; done 2>&1 | grep -c Read-only
      cd folder; echo x > here 2>/dev/null || echo kept; exec 3<old; echo x > /proc/self/fd/3 2>/dev/null || echo kept
      """
    let outcome = try run(
      "refuse", "{ command: [bash, -c, \"\(command.replacing("\n", with: "; "))\"] }",
      expect: "stdout: \"3\\nkept\\nkept\\n\"")

    outcome.expectExit(0)
    #expect(TemporaryFolder.names(outside.path) == ["old"])
    #expect(TemporaryFolder.read("\(outside.path)/old") == "old\n")
    #expect(outcome.text.contains("\(outside.path)/link"), "\(outcome.text)")
  }

  @Test("What a case has for itself, devices, output and coverage files cause no report")
  func silent() throws {
    let outside = try Outside()
    let command = """
      echo x > file; mkdir -p a/b; mv file a/b; ln -s a/b/file link; echo y >> link; rm -r a link; mktemp > name;
      echo z > $HOME/z; mkdir -p $XDG_CACHE_HOME/c; echo > /dev/null; echo o > /dev/stdout; echo e > /dev/stderr;
      echo n > /proc/self/comm; ln -s /dev/stdout log; echo l > log; echo > \(outside.path)/a.gcda;
      mkdir -p \(outside.path); rm -f \(outside.path)/missing; cat \(outside.path)/old > copy; echo 1 > /dev/shm/$$; rm /dev/shm/$$
      """
    let outcome = try run(
      "refuse", "{ command: [bash, -c, \"\(command.replacing("\n", with: " "))\"] }",
      expect: "exit: 0, stdout: \"o\\nl\\n\", stderr: \"e\\n\"")

    outcome.expectExit(0)
    #expect(!outcome.text.contains("outside of the case's folders"), "\(outcome.text)")
    #expect(TemporaryFolder.names(outside.path) == ["a.gcda", "old"])
    let twin = try run(
      "refuse", "{ command: [sh, -c, \"echo > \(outside.path)/a.gcd\"] }", expect: "exit: 2")
    #expect(twin.text.contains("\(outside.path)/a.gcd\" (open"), "\(twin.text)")
  }

  @Test(
    "In a root of its own a path that reads like one of the case's leads outside",
    .enabled(if: geteuid() == 0))
  func ownRoot() throws {
    let outside = try Outside()
    let events = TemporaryFolder.unique("events")
    defer {
      unlink(events)
      _ = try? BuiltRunner.command(["rm", "-r", "\(outside.path)/tmp"])
    }
    let script =
      "import os; own = os.getcwd(); os.makedirs('\(outside.path)/tmp' + own);"
      + " os.chroot('\(outside.path)/tmp'); open(own + '/made', 'w')"
    let outcome = try run(
      "report", "{ command: [python3, -c, \"\(script)\"] }", report: "jsonl=\(events)")
    let told = TemporaryFolder.read(events) ?? ""

    outcome.expectExit(0)
    #expect(told.contains(#"/made""#), "\(told)")
  }

  @Test(
    "What a process mounts for itself is nobody else's, and the same place is outside for others")
  func ownMount() throws {
    let outside = try Outside()
    let mount = "unshare --user --map-root-user --mount sh -c"
    let inner = "mount -t tmpfs tmpfs \(outside.path)"
    guard try BuiltRunner.command(["sh", "-c", "\(mount) '\(inner)'"]).exitCode == 0 else {
      return print("skipped: nothing can be mounted here")
    }
    let command = "\(mount) '\(inner) && echo x > \(outside.path)/new && cat \(outside.path)/new'"

    let own = try run(
      "refuse", "{ command: [sh, -c, \"\(command)\"] }", expect: "exit: 0, stdout: \"x\\n\"")
    let others = try run(
      "refuse",
      "{ command: [sh, -c, \"\(command.replacing(inner, with: "true"))\"] }", expect: "exit: 2")

    own.expectExit(0)
    #expect(!own.text.contains("outside of the case's folders"), "\(own.text)")
    others.expectExit(0)
    #expect(others.text.contains("\(outside.path)/new\" (open"), "\(others.text)")
  }

  @Test("What is moved or linked out of the case's folder is kept in it")
  func movedOut() throws {
    let outside = try Outside()
    let script =
      "import os\\nopen('own', 'w')\\nfor call in os.rename, os.link:\\n try: call('own', '\(outside.path)/new')"
      + "\\n except OSError as error: print(error.strerror)"
    let outcome = try run(
      "refuse", "{ command: [python3, -c, \"\(script)\"] }",
      expect: "exit: 0, stdout: \"Read-only file system\\nRead-only file system\\n\"")

    outcome.expectExit(0)
    #expect(TemporaryFolder.names(outside.path) == ["old"])
    #expect(outcome.text.contains("\"\(outside.path)/new\" (rename by python3)"), "\(outcome.text)")
  }

  @Test(
    "A file outside that gets a name in the case's folder is changed outside by that name",
    arguments: [
      "open('inside', 'a').close()", "os.truncate('inside', 0)", "os.chmod('inside', 0o600)",
    ])
  func linkedIn(change: String) throws {
    func script(_ change: String) -> String {
      "import os\\nos.mkdir('sub')\\nos.link('\(Self.mark)/old', 'sub/inside')\\nos.chdir('sub')"
        + "\\nos.rename('inside', 'moved')\\nos.rename('moved', 'inside')\\n\(change)"
    }
    func run(_ change: String) throws -> (outside: Outside, outcome: BuiltRunner.Outcome) {
      let outside = try Outside()
      let text = script(change).replacing(Self.mark, with: outside.path)
      return (outside, try self.run("report", "{ command: [python3, -c, \"\(text)\"] }"))
    }

    let (outside, changed) = try run(change)
    let (_, unchanged) = try run("open('inside').read(); os.unlink('inside')")

    changed.expectExit(0)
    #expect(changed.text.contains("were changed: \"\(outside.path)/old\" ("), "\(changed.text)")
    unchanged.expectExit(0)
    #expect(!unchanged.text.contains("outside of the case's folders"), "\(unchanged.text)")
  }

  private static let mark = "OUTSIDE"

  @Test("Where nothing outside may change, a file there gets no name in the case's folder")
  func linkRefused() throws {
    let outside = try Outside()
    let script =
      "import errno, os\\nopen('own', 'w')\\nos.link('own', 'other')\\ntry: os.link('\(outside.path)/old', 'inside')"
      + "\\nexcept OSError as error: print(errno.errorcode[error.errno])"
      // What has no name yet is nobody else's.
      + "\\nfile = os.open('\(outside.path)', os.O_TMPFILE | os.O_RDWR)"
      + "\\nos.link(f'/proc/self/fd/{file}', 'named', src_dir_fd=file)\\nprint(os.path.exists('named'))"
    let outcome = try run(
      "refuse", "{ command: [python3, -c, \"\(script)\"] }",
      expect: "exit: 0, stdout: \"EXDEV\\nTrue\\n\"")

    outcome.expectExit(0)
    #expect(outcome.text.contains("\"\(outside.path)/old\" (link by python3)"), "\(outcome.text)")
  }

  @Test(
    "A file without a name, wherever it was opened, gets none outside",
    arguments: ["empty", "proc", "folder", "link"], [".", "outside"])
  func namelessFile(way: String, place: String) throws {
    let outside = try Outside()
    // O_TMPFILE is tied to its disk, as a name is.
    let folder = place == "." ? "." : outside.path
    let script = [
      "import ctypes, os", "call = ctypes.CDLL(None, use_errno=True).linkat",
      // By a number that the runner has nothing under.
      "file = os.dup2(os.open('\(folder)', os.O_TMPFILE | os.O_RDWR, 0o600), 900)",
      "new = b'\(outside.path)/new'",
      "if '\(way)' == 'empty': result = call(file, b'', -100, new, 0x1000)",
      "if '\(way)' == 'proc': result = call(-100, b'/proc/self/fd/%d' % file, -100, new, 0x400)",
      "if '\(way)' == 'folder': result = call(os.open('/proc/self/fd', os.O_RDONLY), b'%d' % file,"
        + " os.open('\(outside.path)', os.O_RDONLY), b'new', 0x400)",
      "if '\(way)' == 'link': os.symlink('/proc/self/fd/%d' % file, 'way');"
        + " result = call(-100, b'way', -100, new, 0x400)",
      "print(os.strerror(ctypes.get_errno()) if result else 'linked')",
    ].joined(separator: "\\n")
    let target = "{ command: [python3, -c, \"\(script)\"] }"

    let refused = try run(
      "refuse", target, expect: "exit: 0, stdout: { contains: Read-only file system }")
    let names = TemporaryFolder.names(outside.path)
    let reported = try run("report", target, expect: "exit: 0, stdout: linked")

    refused.expectExit(0)
    #expect(names == ["old"])
    reported.expectExit(0)
    #expect(TemporaryFolder.read("\(outside.path)/new") == "")
    for outcome in [refused, reported] {
      #expect(outcome.text.contains("\"\(outside.path)/new\" (linkat by"), "\(outcome.text)")
    }
  }

  @Test(
    "A folder outside that is mounted in the case's folder stays outside, and a disk of its own does not"
  )
  func mountedIn() throws {
    let own = "unshare --user --map-root-user --mount"
    // In a namespace of its own, and in the runner's.
    let ways = try [(own, own), ("unshare --mount", "env")].filter { trial, _ in
      try BuiltRunner.command(["sh", "-c", "\(trial) mount -t tmpfs tmpfs /mnt"]).exitCode == 0
    }
    if ways.isEmpty { print("skipped: nothing can be mounted here") }
    for (_, prefix) in ways {
      func target(_ mount: String) -> String {
        "{ command: [sh, -c, \"mkdir m; exec \(prefix) sh -c '\(mount) && { echo x > m/new; umount m; }'\"] }"
      }
      let outside = try Outside()
      let reported = try run("report", target("mount --bind \(outside.path) m"))
      let there = TemporaryFolder.read("\(outside.path)/new")
      unlink("\(outside.path)/new")
      let refused = try run(
        "refuse", target("mount --bind \(outside.path) m"),
        expect: "exit: { any_of: [0, 2] }, stderr: { contains: Read-only }")
      let disk = try run("refuse", target("mount -t tmpfs tmpfs m"))

      reported.expectExit(0)
      #expect(there == "x\n")
      #expect(reported.text.contains("were changed: \"\(outside.path)/new\" ("), "\(reported.text)")
      refused.expectExit(0)
      #expect(TemporaryFolder.names(outside.path) == ["old"])
      disk.expectExit(0)
      #expect(!disk.text.contains("outside of the case's folders"), "\(disk.text)")
    }
  }

  @Test(
    "The case's folder stays its own where it is mounted from elsewhere and the target has mounts of its own"
  )
  func mountedTemporaryFolder() throws {
    guard
      try BuiltRunner.command(["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
        .exitCode == 0
    else { return print("skipped: nothing can be mounted here") }
    let (source, place, outside) = (try TemporaryFolder(), try TemporaryFolder(), try Outside())
    let prefix = [
      "unshare", "--mount", "sh", "-c",
      "mount --bind \(source.path) \(place.path) && TMPDIR=\(place.path) exec \"$@\"", "sh",
    ]
    func target(_ file: String) -> String {
      "{ command: [unshare, --mount, sh, -c, 'mkdir a; echo x > \(file)'] }"
    }
    let own = try run("refuse", target("a/f"), prefix: prefix)
    let other = try run(
      "refuse", target("\(outside.path)/new"), expect: "exit: 2, stderr: { contains: Read-only }",
      prefix: prefix)

    own.expectExit(0)
    #expect(!own.text.contains("outside of the case's folders"), "\(own.text)")
    other.expectExit(0)
    #expect(TemporaryFolder.names(outside.path) == ["old"])
  }

  @Test("A call that fails changes nothing, nor does one on a file that has no name any more")
  func nothingChanged() throws {
    let outside = try Outside()
    let script =
      "import os\\nfile = os.open('\(outside.path)/old', os.O_RDONLY)\\nos.unlink('\(outside.path)/old')"
      + "\\nos.fchmod(file, 0o600)\\ntry: os.truncate('\(outside.path)', 0)\\nexcept OSError: pass"
    let outcome = try run("report", "{ command: [python3, -c, \"\(script)\"] }")

    outcome.expectExit(0)
    #expect(
      outcome.text.contains("were changed: \"\(outside.path)/old\" (unlink by python3);"),
      "\(outcome.text)")
  }

  @Test("What fails without the scenario's doing is no change, and many changes are counted")
  func counted() throws {
    let outside = try Outside()
    let folder = outside.path
    let outcome = try run(
      "report",
      """
      { command: [bash, -c, "mkdir \(folder); rmdir \(folder)/none; echo > \(folder)/none/x; \
      for n in 1 2 3 4 5; do > \(folder)/$n; > \(folder)/$n; done; rm \(folder)/[1-5]"] }
      """)

    outcome.expectExit(0)
    #expect(
      outcome.text.contains(
        "were changed: \"\(folder)/1\" (openat by bash), \"\(folder)/2\" (openat by bash),"
          + " \"\(folder)/3\" (openat by bash) and 2 more;"), "\(outcome.text)")
    #expect(!outcome.text.contains("\"\(folder)/none"), "\(outcome.text)")
  }

  @Test("Keys of other places, and words that are none, are refused with what to write")
  func language() throws {
    let fixture = try run("allow, notes.txt: hello", "{ command: 'true' }")
    fixture.expectExit(2)
    #expect(fixture.text.contains("unknown key \"notes.txt\" in \"files\""), "\(fixture.text)")
    #expect(fixture.text.contains("target: { files: "), "\(fixture.text)")

    let word = try run("refused", "{ command: 'true' }")
    word.expectExit(2)
    #expect(word.text.contains("refuse"), "\(word.text)")
  }
}
