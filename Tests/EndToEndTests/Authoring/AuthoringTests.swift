import Testing

@Suite("Beginning projects and scenarios")
struct AuthoringTests {
  @Test("A project that is begun passes, and is begun only once")
  func begin() throws {
    let project = try ProjectFolder(configuration: nil)
    try project.write("/build/", to: ".gitignore")

    let ignored =
      "/build/\n/reports/\n/.scenario/last-run.json\n/.scenario/timings.json\n/.scenario/passed/\n"
    let outcome = try project.scenario(["init"])
    #expect(
      outcome.exitCode == 0 && outcome.output.contains("wrote scenario.yml"), "\(outcome.text)")
    #expect(project.read(".gitignore") == ignored)
    let run = try project.scenario(["run"])
    #expect(run.exitCode == 0 && run.output.contains("1 passed"), "\(run.text)")
    try project.write("version: 2\n", to: "scenarios/example.yaml")
    let again = try project.scenario(["init"])
    #expect(again.exitCode == 0 && again.output.contains("kept scenarios/example.yaml"))
    #expect(project.read("scenarios/example.yaml") == "version: 2\n")
    #expect(project.read(".gitignore") == ignored)
    let file = try project.scenario(["init", "scenario.yml/below"])
    file.expectExit(3)
  }

  private func new(
    _ project: ProjectFolder, _ options: [String] = [], _ command: [String]
  ) throws -> BuiltRunner.Outcome {
    try project.scenario(["new"] + options + ["--"] + command)
  }

  @Test("A command becomes a scenario that passes, and fails once the command does something else")
  func new() throws {
    let project = try ProjectFolder()
    try project.write(
      "#!/bin/sh\necho \"hello $1\"; cat in.txt; echo oops >&2; exit 3\n", to: "say", mode: 0o755)
    try project.write("a: ${{ b }}\n", to: "in.txt")

    let outcome = try new(project, ["--file", "in.txt"], ["./say", "it's"])
    outcome.expectExit(0)
    #expect(outcome.output.contains("wrote scenarios/say.yaml: it ended with exit code 3"))
    #expect(project.read("scenarios/say.yaml")?.contains("[../say") == true)
    let run = try project.scenario(["run"])
    #expect(run.exitCode == 0 && run.output.contains("1 passed"), "\(run.text)")
    try project.write("a: c\n", to: "in.txt")
    try project.scenario(["run"]).expectExit(1)
    let again = try new(project, [], ["./say"])
    #expect(again.exitCode == 2 && again.errorOutput.contains("exists already"), "\(again.text)")
  }

  @Test("What changes from run to run is loosened, and the rest stays exact")
  func changing() throws {
    let project = try ProjectFolder()
    let command = ["sh", "-c", "echo first; echo \"id $(cat /proc/sys/kernel/random/uuid) end\""]

    let outcome = try new(project, ["-o", "a.yaml"], command)
    #expect(outcome.exitCode == 0 && outcome.output.contains("line 2 changed"), "\(outcome.text)")
    let text = try #require(project.read("a.yaml"))
    #expect(text.contains("- first\n") && text.contains("matches: '^id "), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(text.replacing("echo first", with: "echo last"), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("Signals, binary output, long output and no output become scenarios, too")
  func odd() throws {
    let project = try ProjectFolder()
    for (name, command, part) in [
      ("signal", "kill -SEGV $$", "signal: SEGV"),
      ("binary", "printf 'magic\\000\\377\\001'", "contains: magic"),
      ("long", "seq 1 5000", "all_of:"), ("nothing", ":", "stdout: { empty: true }"),
      ("expression", "echo '${{ x }}'", "$${{ x }}"),
    ] {
      let outcome = try new(project, ["-o", "\(name).yaml"], ["sh", "-c", command])
      outcome.expectExit(0)
      let text = project.read("\(name).yaml") ?? ""
      #expect(text.contains(part), "\(text)")
      try project.scenario(["run", "\(name).yaml"]).expectExit(0)
    }
  }

  @Test("What cannot be a scenario by itself is reported, and nothing is written")
  func refused() throws {
    let project = try ProjectFolder()
    let hang = try new(project, ["--timeout", "300ms", "-o", "a.yaml"], ["sleep", "1000"])
    #expect(hang.exitCode == 3 && hang.errorOutput.contains("--timeout"), "\(hang.text)")
    let network = try new(
      project, ["-o", "a.yaml"],
      ["python3", "-c", "import urllib.request as u; u.urlopen('http://api.example.com/x')"])
    network.expectExit(1)
    #expect(network.errorOutput.contains("needs the network"), "\(network.text)")
    let missing = try new(project, ["-o", "a.yaml"], ["no-such-program"])
    missing.expectExit(3)
    let file = try new(project, ["-o", "a.yaml", "--file", "gone"], ["true"])
    file.expectExit(2)
    try project.scenario(["new"]).expectExit(2)
    #expect(project.read("a.yaml") == nil)
  }

  @Test("What is piped becomes standard input")
  func input() throws {
    let project = try ProjectFolder()
    let outcome = try BuiltRunner.command([
      "sh", "-c", "cd \"$0\" && printf 'b\\na\\n' | \"$1\" new -o s.yaml -- sort", project.path,
      BuiltRunner.executable,
    ])
    outcome.expectExit(0)
    #expect(project.read("s.yaml")?.contains("stdin:") == true)
    #expect(try project.scenario(["run", "s.yaml"]).output.contains("1 passed"))
  }
}
