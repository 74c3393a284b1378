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
    _ arguments: [String], in folder: TemporaryFolder, mountsProc: Bool = true
  ) throws -> BuiltRunner.Outcome? {
    let program = "\(BuiltRunner.root)/.build/static/scenario"
    let linked = try BuiltRunner.command(["\(BuiltRunner.root)/Tests/link-static.sh", program])
    #expect(linked.exitCode == 0, "\(linked.text)")
    let script = """
      set -e
      root=$1; program=$2; shift 2
      mkdir -p "$root/bin" "$root/tmp" "$root/proc" "$root/dev"
      cp "$program" "$root/scenario"
      cp "$(command -v busybox)" "$root/bin/busybox"
      for name in sh wget sleep date; do ln -sf busybox "$root/bin/$name"; done
      mount --rbind /dev "$root/dev"
      \(mountsProc ? "mount -t proc proc \"$root/proc\"" : "")
      exec chroot "$root" /scenario "$@"
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

  @Test("Without /proc it says so")
  func noProc() throws {
    let folder = try TemporaryFolder()
    guard let outcome = try run(["--version"], in: folder, mountsProc: false) else { return }

    #expect(outcome.exitCode == 3, "\(outcome.text)")
    #expect(outcome.errorOutput.contains("error: /proc is not mounted here"), "\(outcome.text)")
    #expect(outcome.errorOutput.contains("help: mount -t proc proc /proc"))
  }
}
