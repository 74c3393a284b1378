import Testing

@Suite("Saved plans of folders")
struct StaleFolderTests {
  private static let text = "version: 2\ntarget: { command: [echo, hi] }\nexpect: { stdout: hi }\n"

  @Test("A plan of a folder is stale once scenario files have come or gone there, and only then")
  func folder() throws {
    let project = try ProjectFolder()
    try project.write(Self.text, to: "scenarios/a.yaml")
    try project.scenario(["plan", "-o", "p.json"]).expectExit(0)
    try project.scenario(["run", "--plan", "p.json"]).expectExit(0)
    try project.write("", to: "scenarios/notes.txt")
    try project.write(Self.text, to: "scenarios/__explored__/a.yaml")
    try project.scenario(["run", "--plan", "p.json"]).expectExit(0)

    try project.write(Self.text, to: "scenarios/below/b.yaml")
    let more = try project.scenario(["run", "--plan", "p.json"])
    #expect(
      more.exitCode == 2 && more.text.contains("\"scenarios\" contains other scenario files"),
      "\(more.text)")
    try project.scenario(["plan", "-o", "q.json"]).expectExit(0)
    _ = try BuiltRunner.command(["rm", "\(project.path)/scenarios/below/b.yaml"])
    try project.scenario(["run", "--plan", "q.json"]).expectExit(2)
    try project.scenario(["run", "--plan", "p.json"]).expectExit(0)
  }

  @Test("A plan of named files does not ask what lies beside them")
  func files() throws {
    let project = try ProjectFolder()
    try project.write(Self.text, to: "scenarios/a.yaml")
    try project.scenario(["plan", "scenarios/a.yaml", "-o", "p.json"]).expectExit(0)
    try project.write(Self.text, to: "scenarios/b.yaml")
    try project.scenario(["run", "--plan", "p.json"]).expectExit(0)
  }

  @Test("The plan's name is that of what its cases do, and rerun finds it again")
  func digest() throws {
    let project = try ProjectFolder()
    try project.write(Self.text.replacing("stdout: hi", with: "stdout: ho"), to: "scenarios/a.yaml")
    try project.scenario(["run", "--report", "jsonl=r.jsonl"]).expectExit(1)
    let again = try project.scenario(["rerun", "r.jsonl"])
    #expect(again.exitCode == 1 && !again.text.contains("stale"), "\(again.text)")
  }
}
