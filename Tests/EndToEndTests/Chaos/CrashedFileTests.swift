import Testing

/// What a crash of the machine leaves of files whose changes were made elsewhere, or whose syncs have failed.
@Suite("Files after a crash")
struct CrashedFileTests {
  private static func run(
    _ command: String, crash: String = "lose: unsynced", chaos: String = "", settings: String
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: crash
      target: { command: [bash, -c], files: { settings: "old\\n", part/x: "old\\n" } }
      chaos:
      \(chaos)  - { name: power cut, call: kill, provide: { kill: tree, \(crash) } }
      steps:
        - run:
            - |
              \(command); kill -0 $$
          expect: { signal: KILL }
      expect: { files: { settings: "\(settings)" } }

      """, to: "crash.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test(
    "A file that is written in another folder and moved is empty without a sync",
    arguments: [
      "t=$(mktemp); echo new > $t; mv $t settings", "echo new > ~/s; mv ~/s settings",
      "echo new > $TMPDIR/s; ln -f $TMPDIR/s settings",
      "mkdir $TMPDIR/d; echo new > $TMPDIR/d/s; mv $TMPDIR/d d; mv d/s settings",
      """
      python3 -c 'import shutil, tempfile; f = tempfile.NamedTemporaryFile(delete=False); \
      f.write(b"new"); f.close(); shutil.move(f.name, "settings")'
      """,
    ])
  func moved(command: String) throws {
    let outcome = try Self.run(command, settings: "")
    outcome.expectExit(0)
  }

  @Test("With a sync it is whole, and so is one that is only moved")
  func synced() throws {
    let written = try Self.run(
      "t=$(mktemp); echo new > $t; sync $t; mv $t settings", settings: "new\\n")
    written.expectExit(0)
    let moved = try Self.run(
      "mv settings $TMPDIR/s; mv $TMPDIR/s settings", settings: "old\\n")
    moved.expectExit(0)
  }

  @Test("Where names are lost as well, the old file is back")
  func names() throws {
    let outcome = try Self.run(
      "t=$(mktemp); echo new > $t; mv $t settings", crash: "lose: unsynced, metadata: lost",
      settings: "old\\n")
    outcome.expectExit(0)
  }

  @Test("Only what comes to files that lose something does")
  func patterns() throws {
    let crash = "lose: unsynced, files: [part/**]"
    let part = try Self.run(
      "echo new > y; mv y part/x; cp part/x settings", crash: crash, settings: "new\\n")
    part.expectExit(0)
    let lost = try Self.run(
      "echo new > y; mv y part/x; mv part/x settings", crash: crash, settings: "")
    lost.expectExit(0)
  }

  @Test("What is written to a mapping elsewhere is not known, so that the case is not judged")
  func mapped() throws {
    let outcome = try Self.run(
      """
      python3 -c 'import mmap, os; path = os.environ["TMPDIR"] + "/m"; \
      f = os.open(path, os.O_RDWR | os.O_CREAT); os.write(f, b"old"); \
      mmap.mmap(f, 3)[0:3] = b"new"; os.rename(path, "settings")'
      """, settings: "new")
    outcome.expectExit(3)
    #expect(outcome.text.contains("settings comes from another folder"), "\(outcome.text)")
  }

  @Test(
    "A sync that fails has lost its data, whoever decides so and when",
    arguments: [
      "error: EIO", "compute: -5", "compute: result - 5",
      #"exec: { command: [sh, -c, "while read l; do echo '{\"error\": \"EIO\"}'; done"], at: after }"#,
    ])
  func failedSync(provider: String) throws {
    let outcome = try Self.run(
      "echo more >> settings; sync settings; sync settings",
      chaos: "  - { name: failure, call: fsync, when: { nth: 1 }, provide: { \(provider) } }\n",
      settings: "old\\n")
    outcome.expectExit(0)
  }

  @Test(
    "Where lengths are lost, a sync after one that failed has cut the file off, and has no old bytes",
    arguments: [
      ("echo new > settings; sync settings || sync settings", ""),
      ("truncate -s 2 settings; sync settings || sync settings", "ol"),
      ("echo new > settings; sync settings", "old\\n"),
    ])
  func cutThenFailedSync(command: String, settings: String) throws {
    let outcome = try Self.run(
      command, crash: "lose: unsynced, metadata: lost",
      chaos: "  - { call: fsync, when: { nth: 1 }, provide: { error: EIO } }\n",
      settings: settings)

    outcome.expectExit(0)
  }
}
