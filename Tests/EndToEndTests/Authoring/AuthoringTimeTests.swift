import Testing

@Suite("Beginning scenarios of commands that tell the time")
struct AuthoringTimeTests {
  /// Writes the scenario of a command, and answers its text.
  private func scenario(
    of command: [String], _ options: [String] = [], in project: ProjectFolder
  ) throws -> String {
    let outcome = try project.scenario(["new", "-o", "a.yaml"] + options + ["--"] + command)
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    return try #require(project.read("a.yaml"))
  }

  /// The scenario as somebody would run it in another year: with the instant that it is held at.
  private func shifted(_ text: String) -> String {
    text.replacing(/at: \d{4}-/, with: "at: 2031-")
  }

  @Test(
    "What tells the time is held at the instant of the run, to the nanosecond",
    arguments: [
      ["date"], ["date", "+%s.%N"],
      ["python3", "-c", "import datetime, time; print(datetime.datetime.now(), time.time())"],
    ])
  func clock(command: [String]) throws {
    let project = try ProjectFolder()

    let text = try scenario(of: command, in: project)
    #expect(text.contains("flow: auto }") && !text.contains("matches"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(shifted(text), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("What tells how long it took is held, and its pauses take no time")
  func elapsed() throws {
    let project = try ProjectFolder()
    let program = "import time; a = time.time(); time.sleep(0.05); print(time.time() - a)"

    let text = try scenario(of: ["python3", "-c", program], in: project)
    #expect(text.contains("clock:") && !text.contains("matches"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
  }

  @Test("The ages of files are held with the clock")
  func files() throws {
    let project = try ProjectFolder()
    try project.write("hi\n", to: "in.txt")

    let text = try scenario(
      of: ["ls", "-l", "--full-time", "in.txt"], ["--file", "in.txt"], in: project)
    #expect(text.contains("file_times: virtual"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(text.replacing(", file_times: virtual", with: ""), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("What does not depend on the time gets no clock, also where something else changes")
  func timeless() throws {
    let project = try ProjectFolder()
    try project.write("a\n", to: "a.txt")
    try project.git(["init", "-q"])
    try project.git(["add", "a.txt"])
    try project.git(["commit", "-qm", "first"])
    for (index, command) in [
      ["echo", "hi"], ["git", "-c", "safe.directory=*", "-C", project.path, "log"],
      ["sh", "-c", "echo pid $$; cat /proc/sys/kernel/random/uuid"],
    ].enumerated() {
      let outcome = try project.scenario(["new", "-o", "\(index).yaml", "--"] + command)
      outcome.expectExit(0)
      let text = try #require(project.read("\(index).yaml"))
      #expect(!text.contains("clock:"), "\(text)")
      try project.scenario(["run", "\(index).yaml"]).expectExit(0)
    }
  }

  @Test(
    "What comes by chance is not taken for time, and what comes by both is",
    arguments: [
      ("shuf -i 1-3", false), ("shuf -n 1 -i 1-9", false), ("shuf -i 1-3; date +%s", true),
      ("date +%N | shuf", true),
    ])
  func chance(script: String, tellsTime: Bool) throws {
    // By chance, output is the same in some runs.
    for _ in 1...3 {
      let project = try ProjectFolder()
      let outcome = try project.scenario(["new", "-o", "a.yaml", "--", "sh", "-c", script])
      try #require(outcome.exitCode == 0, "\(outcome.text)")
      let text = try #require(project.read("a.yaml"))
      #expect(text.contains("clock:") == tellsTime, "\(text)")
      #expect(
        outcome.output.contains("its output depends on the time") == tellsTime, "\(outcome.text)")
    }
  }

  @Test("Time and chance beside each other: the one is held, the other loosened")
  func both() throws {
    let project = try ProjectFolder()

    let text = try scenario(of: ["sh", "-c", "echo \"$(date) [$$]\""], in: project)
    #expect(text.contains("clock:") && text.contains("matches:"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(shifted(text), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }
}
