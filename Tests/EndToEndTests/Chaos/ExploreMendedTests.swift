import Testing

/// What explorations write, compare and keep, where programs change and runs differ.
@Suite("Explorations of programs that change")
struct ExploreMendedTests {
  private static func explored(
    _ script: String, _ explore: String, clock: String = "", _ options: [String] = []
  ) throws -> Explored {
    let explored = try Explored("name: t\ntarget: { command: [\"true\"] }", ["--points", "fsync"])
    explored.folder.write(script, to: "s.sh")
    explored.folder.write(
      """
      version: 2
      name: script
      target: { command: [bash, \(explored.folder.path)/s.sh], files: { in: "data\\n" } }
      timeout: 60s
      \(clock)explore: { \(explore) }

      """, to: "case.yaml")
    explored.outcome = try explored.explore(options)
    return explored
  }

  @Test("A file of which one line differs in each run is compared in all others, and must be there")
  func varyingFile() throws {
    let explored = try Self.explored(
      "cp in report 2> /dev/null && date +%s%N >> report; exit 0\n",
      "call: ['@open'], where: { path: in }, errors: [EACCES], times: once",
      clock: "clock: { flow: real }\n")
    let output = explored.outcome.output
    #expect(explored.outcome.exitCode == 1, "\(explored.outcome.text)")
    #expect(output.contains("the file work/report (line 2)"), "\(explored.outcome.text)")
    #expect(output.contains("  work/report is missing\n"), "\(explored.outcome.text)")
    #expect(explored.reproducers.count == 1, "\(explored.outcome.text)")

    // The mended program tells of it.
    explored.folder.write("cp in report && date +%s%N >> report\n", to: "s.sh")
    let mended = try BuiltRunner.run(
      ["run", "\(explored.saved)/\(try #require(explored.reproducers.first))"])
    mended.expectExit(0)
  }

  @Test("A scenario that was written passes, and goes, where the mended program makes no such call")
  func callGone() throws {
    let settings = "call: ['@open'], where: { path: '[ir]*' }, errors: [EACCES], times: once"
    let explored = try Self.explored("cp in report 2> /dev/null; exit 0\n", settings)
    #expect(explored.outcome.exitCode == 1, "\(explored.outcome.text)")
    let names = explored.reproducers
    #expect(!names.isEmpty, "\(explored.outcome.text)")
    explored.folder.write("echo data > report\n", to: "s.sh")
    for name in names {
      let run = try BuiltRunner.run(["run", "\(explored.saved)/\(name)"])
      run.expectExit(0)
      #expect(!run.text.contains("warning"), "\(run.text)")
    }

    let again = try explored.explore(["--fresh"])
    again.expectExit(0)
    #expect(again.output.contains("no longer found, and removed"), "\(again.text)")
    #expect(explored.reproducers.isEmpty)
  }

  @Test("The same fault at the same point has one name, whichever exploration finds it")
  func oneName() throws {
    let explored = try Self.explored(
      "mv in out 2> /dev/null; sync . || exit 1; exit 0\n",
      "call: [fsync, '@rename'], errors: [EIO], times: once")
    let names = explored.reproducers
    #expect(!names.isEmpty, "\(explored.outcome.text)")

    let again = try explored.explore(["--points", "@rename"])
    again.expectExit(1)
    #expect(explored.reproducers == names, "\(again.text)")

    explored.folder.write("mv in out\n", to: "s.sh")
    let mended = try explored.explore([])
    mended.expectExit(0)
    #expect(explored.reproducers.isEmpty, "\(mended.text)")
  }

  @Test("Functions whose results no error can replace are left out, with the reason")
  func functions() throws {
    let explored = try Explored(
      """
      name: functions
      target: { command: [awk, "BEGIN { print sin(1) }"] }
      explore: { call: [ { function: "*sin", in: libm }, write ], errors: [EIO] }
      """)
    #expect(
      explored.outcome.output.contains("not explored: \"sin\" returns a floating point number"),
      "\(explored.outcome.text)")
    #expect(explored.outcome.output.contains("0 distinct findings"), "\(explored.outcome.text)")
  }
}
