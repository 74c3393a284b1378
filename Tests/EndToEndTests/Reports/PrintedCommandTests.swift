import Testing

@Suite("Commands of CI systems in a target's output")
struct PrintedCommandTests {
  @Test(
    "A target commands no CI system through what is printed, neither live nor at the end",
    arguments: [[], ["--show-output", "all"], ["--report", "tap=-"], ["--report", "jsonl=-"]])
  func printed(options: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: it writes commands
      target:
        command: [bash, -c, "echo '::error file=a::b'; echo 'x ##vso[task.y]z' >&2; echo '##[group]'; exit 1"]
      expect: { exit: 0, stdout: '::set-output name=a::b' }

      """, to: "commands.yaml")
    let outcome = try BuiltRunner.run(["run", path] + options)
    withExtendedLifetime(folder) {}

    outcome.expectExit(1)
    let text = outcome.text
    #expect(text.contains("error file=a::b"), "\(outcome.text)")
    let commands = text.split(separator: "\n").filter { line in
      line.drop { $0.isWhitespace }.hasPrefix("::") || line.contains("##[")
        || line.contains("##vso[")
    }
    #expect(commands == [])
  }

  @Test(
    "A report that goes to a stream commands no CI system, whatever name the stream has",
    arguments: ["junit", "tap", "jsonl", "ctrf", "html", "trace", "blob"])
  func streams(format: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: it writes commands
      target:
        command: [printf, '::error::y\\n##[error]x\\n']
      expect: { exit: 1 }

      """, to: "commands.yaml")
    let streams = [
      ("/dev/stderr", "2>&1 > /dev/null | cat"), ("/proc/self/fd/2", "2>&1 > /dev/null | cat"),
      ("link", "2>&1 > /dev/null | cat"), ("/dev/fd/1", "2> /dev/null | cat"),
      ("/dev/stderr", "2> log > /dev/null; cat log"), ("fifo", "2> /dev/null > fifo & cat fifo"),
    ]
    for (name, redirection) in streams {
      let script = """
        cd \(folder.path) && ln -sf /dev/fd/2 link && rm -f fifo && mkfifo fifo
        "$@" run \(path) --show-output never --report \(format)=\(name) \(redirection)
        """
      let outcome = try BuiltRunner.command(
        ["bash", "-c", script, "bash", BuiltRunner.executable])
      let commands = outcome.output.split(separator: "\n").filter { line in
        line.drop { $0.isWhitespace }.hasPrefix("::") || line.contains("##[")
      }
      #expect(commands == [], "\(name): \(outcome.text)")
      #expect(outcome.output.contains("it writes commands"), "\(name): \(outcome.text)")
    }
  }

  @Test("A file that a stream was redirected to is a file like others under its own name")
  func ownName() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      "version: 2\ntarget: { command: [printf, '##[error]x'] }\nexpect: { exit: 1 }\n",
      to: "commands.yaml")
    let script = """
      cd \(folder.path); "$@" run \(path) --report junit=r.xml > r.xml; cat r.xml
      """
    let outcome = try BuiltRunner.command(["bash", "-c", script, "bash", BuiltRunner.executable])

    #expect(outcome.output.hasPrefix("<?xml"), "\(outcome.text)")
    #expect(outcome.output.contains("##[error]x"), "\(outcome.text)")
  }

  @Test("What is listed commands none either, and JSON says the same", arguments: ["text", "json"])
  func listed(format: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: 'x ##[error]a ##vso[task.y]b'
      tags: ['::warning::c']
      target: { command: ['true'] }

      """, to: "names.yaml")
    let outcome = try BuiltRunner.run(["list", path, "--format", format])
    withExtendedLifetime(folder) {}

    outcome.expectExit(0)
    #expect(outcome.output.contains("[error]a"), "\(outcome.text)")
    for command in ["##[", "##vso["] { #expect(!outcome.output.contains(command)) }
  }

  @Test(
    "Neither do annotations, plans and snapshots that wait for a decision",
    arguments: [
      ["run", "--report", "github"], ["run", "--report", "tap=/dev/stdout"], ["plan"], ["review"],
    ])
  func elsewhere(command: [String]) throws {
    let folder = try TemporaryFolder()
    func write(_ last: String) -> String {
      folder.write(
        """
        version: 2
        name: 'x ##[error]a ##vso[task.y]b'
        target: { command: [printf, '%s\\n', '##vso[x]b', '##[error]c', '##teamcity[d]', '\(last)'] }
        expect: { exit: 0, stdout: { snapshot: kept } }

        """, to: "commands.yaml")
    }
    _ = try BuiltRunner.run(["run", write("once")])
    let path = write("changed")
    _ = try BuiltRunner.run(["run", path])
    let outcome = try BuiltRunner.run(command + [path])
    withExtendedLifetime(folder) {}

    #expect(outcome.output.contains("[error]c"), "\(outcome.text)")
    for word in ["##[", "##vso[", "##teamcity["] {
      #expect(!outcome.text.contains(word), "\(outcome.text)")
    }
  }
}
