import Glibc
import Testing

/// The program as one file, in a root that holds nothing but it and busybox.
@Suite("The static executable")
struct StaticExecutableTests {
  private static let world = """
    version: 2
    clock: { at: 2030-01-01T00:00:00Z, flow: auto }
    target:
      command: "wget -qO- http://api.test/greeting; sleep 86400; date +%F"
    responses:
      - GET http://api.test/greeting: { text: "hello\\n" }
    expect: { stdout: "hello\\nDATE\\n" }

    """

  /// Makes the root, and runs the program there as the first process of a process namespace; `nil` if that cannot be
  /// done here.
  private func run(
    _ arguments: [String], in folder: TemporaryFolder, mountsProc: Bool = true,
    mountsDevices: Bool = true, preparation: String = ""
  ) throws -> BuiltRunner.Outcome? {
    let program = try BuiltRunner.staticExecutable()
    let script = """
      set -e
      root=$1; program=$2; shift 2
      mkdir -p "$root/bin" "$root/tmp" "$root/proc" "$root/dev"
      cp "$program" "$root/scenario"
      cp "$(command -v busybox)" "$root/bin/busybox"
      for name in sh wget sleep date; do ln -sf busybox "$root/bin/$name"; done
      mount --bind "$root" "$root"
      cd "$root"
      \(mountsDevices ? "mount --rbind /dev dev" : "")
      \(preparation)
      \(mountsProc ? "mount -t proc proc \"$root/proc\"" : "")
      exec env -i /usr/sbin/chroot "$root" /scenario "$@"
      """
    let prefix = ["unshare", "--mount", "--pid", "--fork"]
    guard try BuiltRunner.command(prefix + ["mount", "-t", "tmpfs", "none", "/mnt"]).exitCode == 0
    else {
      print("skipped: nothing can be mounted")
      return nil
    }
    return try BuiltRunner.command(
      prefix + ["sh", "-c", script, "sh", folder.path, program] + arguments)
  }

  @Test(
    "It needs no library, no locale and nothing in /etc", arguments: [("02", 0), ("03", 1)])
  func world(day: String, exitCode: Int32) throws {
    let folder = try TemporaryFolder()
    _ = folder.write(
      Self.world.replacing("DATE", with: "2030-01-\(day)"), to: "world.yaml")
    guard let outcome = try run(["run", "/world.yaml"], in: folder) else { return }

    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    #expect(outcome.output.contains("1d virtual"), "\(outcome.text)")
  }

  @Test(
    "It needs no home, and may change nothing but its folder for temporary files",
    arguments: [("02", 0), ("03", 1)])
  func readOnly(day: String, exitCode: Int32) throws {
    let folder = try TemporaryFolder()
    _ = folder.write(Self.world.replacing("DATE", with: "2030-01-\(day)"), to: "world.yaml")
    let preparation = """
      mount -o remount,ro,bind "$root"
      mount -t tmpfs none tmp
      if touch x 2> /dev/null; then exit 9; fi
      """
    guard let outcome = try run(["run", "/world.yaml"], in: folder, preparation: preparation)
    else { return }

    #expect(outcome.exitCode == exitCode, "\(outcome.text)")
    #expect(outcome.output.contains("1d virtual"), "\(outcome.text)")
  }

  /// What the machine lacks, how it is taken away, and what is said of it.
  private static let lacks = [
    (
      "mount -t tmpfs -o ro none tmp", true,
      [
        "cannot create a folder in \"/tmp\": Read-only file system",
        "help: set TMPDIR to a folder that exists and that you may write to",
      ]
    ),
    (
      "rmdir tmp", true,
      [
        "cannot create a folder in \"/tmp\": No such file or directory",
        "help: set TMPDIR to a folder that exists",
      ]
    ),
    (
      "mount -t tmpfs -o noexec none tmp", true,
      [
        "work/./own\": Permission denied",
        "the target exited with 126: shells do so for a program that cannot be executed, and the case's folder is"
          + " mounted with noexec",
        "help: its file system is mounted with noexec: set TMPDIR to a folder",
      ]
    ),
    (
      "rm bin/sh", true,
      [
        "the program \"/bin/sh\" does not exist",
        "help: a command that is one string needs a shell; a list, such as",
      ]
    ),
    (
      "", false,
      [
        "cannot start the target: open /dev/null: No such file or directory",
        "help: mount /dev, or make the device",
      ]
    ),
  ]

  @Test("It says what the machine lacks, and ends with 3", arguments: lacks)
  func lacking(preparation: String, mountsDevices: Bool, messages: [String]) throws {
    let folder = try TemporaryFolder()
    let text = """
      version: 2
      scenarios:
        - name: a program of the file's own
          target: { command: [./own], files: { own: { text: "#!/bin/busybox true\\n", mode: '755' } } }
          expect: { exit: 0 }
        - name: a shell's
          target: { command: './own; exit $?', files: { own: { text: "#!/bin/busybox true\\n", mode: '755' } } }
          expect: { exit: 0 }
        - name: one of the machine
          target: { command: 'busybox true' }
          expect: { exit: 0 }

      """
    _ = folder.write(text, to: "world.yaml")
    guard
      let outcome = try run(
        ["run", "/world.yaml"], in: folder, mountsDevices: mountsDevices, preparation: preparation)
    else { return }
    let whole = try run(["run", "/world.yaml"], in: folder)

    outcome.expectExit(3)
    for message in messages { #expect(outcome.text.contains(message), "\(outcome.text)") }
    #expect(!outcome.text.contains("chmod +x"), "\(outcome.text)")
    #expect(whole?.exitCode == 0, "\(whole?.text ?? "")")
  }

  @Test("Where nothing may be traced it says so, and what to change")
  func noTracing() throws {
    let folder = try TemporaryFolder()
    let file = folder.write("version: 2\ntarget: { command: [date] }\n", to: "date.yaml")
    let program = try BuiltRunner.staticExecutable()
    let denied = ["\(BuiltRunner.root)/.build/programs/deny_call", "ptrace", program]
    let outcome = try BuiltRunner.command(denied + ["run", file])
    let doctor = try BuiltRunner.command(denied + ["doctor"])
    let allowed = try BuiltRunner.command([program, "run", file])

    outcome.expectExit(3)
    #expect(outcome.text.contains("does not let the runner trace processes"), "\(outcome.text)")
    #expect(outcome.text.contains("run `scenario doctor` to see the fix"), "\(outcome.text)")
    doctor.expectExit(3)
    #expect(doctor.output.contains("fail  hold a process "), "\(doctor.text)")
    allowed.expectExit(0)
  }

  @Test(
    "Where a call is refused that it needs before anything else, it names the call and ends",
    arguments: ["mmap", "readlink", "write"])
  func refusedCall(name: String) throws {
    let program = try BuiltRunner.staticExecutable()
    let denied = ["\(BuiltRunner.root)/.build/programs/deny_call", name, program]
    let outcomes = try [["doctor"], ["run", "x.yaml"], ["--version"]].map {
      try BuiltRunner.command(denied + $0)
    }
    let allowed = try BuiltRunner.command([program, "--version"])

    for outcome in outcomes {
      outcome.expectExit(3)
      #expect(
        outcome.errorOutput == """
          error: the call \(name) is refused here: Operation not permitted
          help: the container's seccomp profile must allow \(name) (docker run --security-opt seccomp=unconfined)

          """)
    }
    allowed.expectExit(0)
  }

  @Test(
    "Without a home, and where its folder belongs to somebody else, it runs scenarios",
    .enabled(if: geteuid() == 0), arguments: [("02", 0), ("03", 1)])
  func noHome(day: String, exitCode: Int32) throws {
    let folder = try TemporaryFolder()
    _ = folder.write(
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      target: { command: "sleep 86400; date +%d" }
      expect: { stdout: "\(day)\\n" }

      """, to: "world.yaml")
    let program = try BuiltRunner.staticExecutable()
    // The user has no entry in passwd(5).
    let script = """
      chmod 755 "$1"
      cp "$2" "$1/scenario"
      cd "$1"
      exec setpriv --reuid=54321 --regid=54321 --clear-groups env -i ${3:+HOME="$3"} PATH=/usr/bin:/bin \
        ./scenario run world.yaml
      """
    for home in ["", "/nonexistent"] {
      let outcome = try BuiltRunner.command(["sh", "-c", script, "sh", folder.path, program, home])
      #expect(outcome.exitCode == exitCode, "\(outcome.text)")
      #expect(outcome.output.contains("1d virtual"), "\(outcome.text)")
      // A failure is to be recorded, for `scenario rerun`; that all is well is not.
      #expect(
        outcome.text.contains("the run could not be recorded: Permission denied")
          == (exitCode == 1), "\(outcome.text)")
    }
  }

  @Test("Without /proc it says so")
  func noProc() throws {
    let folder = try TemporaryFolder()
    guard let outcome = try run(["--version"], in: folder, mountsProc: false) else { return }

    outcome.expectExit(3)
    #expect(outcome.errorOutput.contains("error: /proc is not mounted here"), "\(outcome.text)")
    #expect(outcome.errorOutput.contains("help: mount -t proc proc /proc"))
  }

  @Test(
    "With another namespace's /proc, or one that cannot be written, it says so",
    arguments: [
      (
        #"exec unshare --mount --pid --fork "$1" $2"#,
        "/proc shows another process namespace", "--mount-proc"
      ),
      (
        #"exec unshare --mount sh -c 'mount -t proc -o ro proc /proc && exec "$@"' sh "$1" $2"#,
        "/proc is mounted read-only", "mount -o remount,rw /proc"
      ),
    ])
  func wrongProc(command: String, message: String, help: String) throws {
    let permitted = "unshare --mount --pid --fork mount -t tmpfs none /mnt || exit 77\n"
    let folder = try TemporaryFolder()
    let file = folder.write(
      "version: 2\nname: true\ntarget: { command: ['true'] }\n", to: "true.yaml")
    func run(_ command: String, _ arguments: String) throws -> BuiltRunner.Outcome {
      try BuiltRunner.command([
        "sh", "-c", permitted + command, "sh", try BuiltRunner.staticExecutable(), arguments,
      ])
    }
    let outcome = try run(command, "run \(file)")
    guard outcome.exitCode != 77 else { return print("skipped: nothing can be mounted") }

    outcome.expectExit(3)
    #expect(outcome.errorOutput.contains("error[E112]: \(message)"), "\(outcome.text)")
    #expect(outcome.errorOutput.contains(help), "\(outcome.text)")
    #expect(try run(command, "doctor").text.contains(message))
    // Who only reads needs it not.
    for reader in ["check \(file)", "run --help"] {
      let read = try run(command, reader)
      read.expectExit(0)
    }
    let right = try run(#"exec unshare --mount-proc --pid --fork "$1" $2"#, "run \(file)")
    right.expectExit(0)
  }
}
