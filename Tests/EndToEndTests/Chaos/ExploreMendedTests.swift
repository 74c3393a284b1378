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
