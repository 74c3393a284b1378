import Glibc
import Testing

/// `scenario record`: a run in the real world becomes a scenario that replays it.
@Suite("Recording commands")
struct RecordTests {
  private func record(
    _ project: ProjectFolder, _ options: [String] = [], _ command: [String],
    variables: [String] = []
  ) throws -> BuiltRunner.Outcome {
    try project.record(options, command, variables: variables)
  }

  private static let report = """
    import json, os
    with open("config.json") as file: config = json.load(file)
    os.makedirs("out", exist_ok=True)
    with open("out/report.txt", "w") as file: file.write("total %d\\n" % sum(config["numbers"]))
    with open("log.txt", "a") as file: file.write("ran\\n")
    os.remove("old.txt")
    print("done in", os.getcwd())
    """

  @Test("Files that are read are laid, those that change are expected, and the program is tested")
  func files() throws {
    let project = try ProjectFolder()
    try project.write(Self.report, to: "report.py")
    try project.write("{\"numbers\": [1, 2]}", to: "config.json")
    try project.write("before\n", to: "log.txt")
    try project.write("old\n", to: "old.txt")
    try project.write("not used\n", to: "other.txt")

    let outcome = try record(project, [], ["python3", "report.py"])
    outcome.expectExit(0)
    let text = project.read("scenarios/python3.yaml") ?? ""
    #expect(text.contains("config.json: '{\"numbers\": [1, 2]}'"), "\(text)")
    #expect(text.contains("report.py: { file: ../report.py }"), "\(text)")
    #expect(text.contains("old.txt: { absent: true }"), "\(text)")
    #expect(text.contains("done in ${{ dir }}") && !text.contains("other.txt"), "\(text)")
    // It was a real run.
    #expect(project.read("out/report.txt") == "total 3\n" && project.read("old.txt") == nil)
    #expect(project.read("log.txt") == "before\nran\n")
    // What the recording used has changed since, and the scenario does not mind.
    try project.write("{\"numbers\": [7]}", to: "config.json")
    let run = try project.scenario(["run"])
    #expect(run.exitCode == 0 && run.output.contains("1 passed"), "\(run.text)")
    for (right, wrong, where_) in [
      ("sum(", "len(", "out/report.txt"), ("os.remove", "os.stat", "old.txt"),
      ("\"done in\"", "\"gone in\"", "stdout"), ("\"ran\\n\"", "\"run\\n\"", "log.txt"),
    ] {
      try project.write(Self.report.replacing(right, with: wrong), to: "report.py")
      let changed = try project.scenario(["run"])
      #expect(changed.exitCode == 1 && changed.output.contains(where_), "\(changed.text)")
    }
  }

  @Test("Waits are expected and take no time in the replay, and what is piped in is kept")
  func waits() throws {
    let project = try ProjectFolder()
    let script = "read word; sleep 0.2; echo \"$word at $(date -u +%Y)\"; sleep 0.1; exit 3"
    let outcome = try BuiltRunner.run(
      ["record", "-o", "a.yaml", "--", "sh", "-c", script],
      prefix: ["sh", "-c", "cd \(project.path); echo hello | \"$@\"", "sh"])
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("timers: [200ms, 100ms]") && text.contains("exit: 3"), "\(text)")
    #expect(text.contains("stdin:") && text.contains("flow: auto"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(text.replacing("sleep 0.1", with: "sleep 0.3"), to: "a.yaml")
    let slower = try project.scenario(["run", "a.yaml"])
    #expect(slower.exitCode == 1 && slower.output.contains("timers"), "\(slower.text)")
  }

  @Test("Requests of several processes replay without the host, and another request fails")
  func requests() throws {
    let backends = try RealBackends()
    let project = try ProjectFolder()
    let port = try backends.startPython(
      Self.server(answering: #"b'{"name": "ada"}\n'"#), named: "things")
    let script =
      "curl -s -H \"authorization: Bearer $API_TOKEN\" http://api.example.com/things > got"
      + "; grep -c name got; sed s/name/NAME/ got > out.json"

    let outcome = try record(
      project,
      [
        "-o", "a.yaml", "--pass", "API_TOKEN", "--upstream",
        "api.example.com:80=127.0.0.1:\(port)",
      ],
      ["bash", "-c", script], variables: ["API_TOKEN=not-for-anybody"])
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    let recording = project.read("__recordings__/a.yaml") ?? ""
    #expect(recording.contains("api.example.com/things"), "\(recording)")
    #expect(!(text + recording).contains("not-for-anybody"), "\(text)\(recording)")
    #expect(text.contains("out.json:") && text.contains("NAME"), "\(text)")
    let run = try project.scenario(["run", "a.yaml"])
    #expect(run.exitCode == 0 && run.output.contains("1 passed"), "\(run.text)")
    try project.write(text.replacing("com/things", with: "com/others"), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("TLS is recorded as plain HTTP is, and replays without the host")
  func secure() throws {
    let backends = try RealBackends()
    let project = try ProjectFolder()
    let rule = "api.example.com:443=127.0.0.1:\(backends.securePort)"
    let script = "curl -sS https://api.example.com/chunks; curl -sS https://api.example.com/slow"
    let outcome = try record(
      project, ["-o", "a.yaml", "--upstream", rule], ["sh", "-c", script],
      variables: ["SSL_CERT_FILE=\(backends.authorityPath)"])
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("one,two,threelate"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(text.replacing("com/slow", with: "com/slower"), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
    // Who answers must be trusted.
    let distrusted = try record(
      project, ["-o", "b.yaml", "--upstream", rule],
      ["curl", "-s", "https://api.example.com/chunks"])
    #expect(
      distrusted.exitCode == 0 && distrusted.output.contains("exit code"), "\(distrusted.text)")
    #expect(project.read("b.yaml")?.contains("one,two") == false)
  }

  /// A server in Python that answers every GET with some JSON, and tells its port in the file that it is given.
  ///
  /// - Parameter body: a literal of Python's bytes.
  static func server(answering body: String) -> String {
    """
    import http.server, sys, os
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = \(body)
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def log_message(self, *_): pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    with open(sys.argv[1] + ".part", "w") as file: file.write("%d\\n" % server.server_port)
    os.rename(sys.argv[1] + ".part", sys.argv[1])
    server.serve_forever()
    """
  }

  @Test("What exists is not overwritten, and what does not start writes nothing")
  func refused() throws {
    let project = try ProjectFolder()
    try project.write("mine", to: "a.yaml")
    let exists = try record(project, ["-o", "a.yaml"], ["true"])
    #expect(exists.exitCode == 2 && exists.errorOutput.contains("exists already"))
    #expect(project.read("a.yaml") == "mine")
    let missing = try record(project, ["-o", "b.yaml"], ["no-such-program"])
    missing.expectExit(3)
    #expect(project.read("b.yaml") == nil)
    let nothing = try project.scenario(["record"])
    #expect(nothing.exitCode == 2 && nothing.errorOutput.contains("there is no command"))
    let unset = try record(project, ["--pass", "NO_SUCH_VARIABLE"], ["true"])
    #expect(unset.exitCode == 2 && unset.errorOutput.contains("\"NO_SUCH_VARIABLE\""))
    let rule = try record(project, ["--upstream", "api.example.com"], ["true"])
    #expect(rule.exitCode == 2 && rule.errorOutput.contains("HOST:PORT=HOST:PORT"))
    let elsewhere = try record(project, ["-o", "a.yaml/b.yaml"], ["touch", "done"])
    #expect(elsewhere.exitCode == 3 && elsewhere.errorOutput.contains("Not a directory"))
    let readOnly = try record(project, ["-o", "/proc/b.yaml"], ["touch", "done"])
    #expect(readOnly.exitCode == 3 && readOnly.errorOutput.contains("was not run"))
    // Nothing is left of those but what was there.
    #expect(try BuiltRunner.command(["ls", project.path]).output == "a.yaml\nscenario.yml\n")
  }

  @Test("A program beside the scenario is called by its path, and secrets in arguments are hidden")
  func besideScenario() throws {
    let project = try ProjectFolder()
    try project.write("#!/bin/sh\necho $PWD $$\n", to: "run.sh")
    chmod("\(project.path)/run.sh", 0o755)
    let outcome = try record(
      project, ["-o", "s.yaml", "--loosen"], ["./run.sh", "Bearer tok-0123456789"],
      variables: ["MY_TOKEN=tok-0123456789"])
    outcome.expectExit(0)
    let text = project.read("s.yaml") ?? ""
    #expect(text.contains("./run.sh"), "\(text)")
    #expect(!text.contains("0123456789") && !outcome.text.contains("0123456789"), "\(text)")
    let run = try project.scenario(["run", "s.yaml"])
    run.expectExit(0)
  }
}

extension ProjectFolder {
  /// Records a command in the folder.
  func record(
    _ options: [String] = [], _ command: [String], variables: [String] = []
  ) throws -> BuiltRunner.Outcome {
    try scenario(["record"] + options + ["--"] + command, variables: variables)
  }
}
