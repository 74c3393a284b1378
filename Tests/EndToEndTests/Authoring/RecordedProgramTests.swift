import Glibc
import Testing

/// `scenario record` with programs as they are delivered, and with those that cannot be replayed.
@Suite("Recorded programs")
struct RecordedProgramTests {
  @Test("jq reads what the recording has laid, and another answer fails")
  func jq() throws {
    let project = try ProjectFolder()
    try project.write("{\"a\": [1, 2, {\"b\": \"ä\"}]}\n", to: "in.json")
    let outcome = try project.record(["-o", "a.yaml"], ["jq", ".a[2].b", "in.json"])
    #expect(outcome.exitCode == 0 && outcome.output.contains("1 file read"), "\(outcome.text)")
    try project.write("gone", to: "in.json")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    let text = project.read("a.yaml") ?? ""
    try project.write(text.replacing("[1, 2, {", with: "[1, {"), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("A database is laid as it was before and expected as it is afterwards")
  func database() throws {
    let project = try ProjectFolder()
    let make = "create table t(x); insert into t values(1),(2);"
    let made = try BuiltRunner.command(["sqlite3", "\(project.path)/a.db", make])
    made.expectExit(0)
    let add = "insert into t values(40); select sum(x) from t;"
    let outcome = try project.record(["-o", "a.yaml"], ["sqlite3", "a.db", add])
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("{ file: fixtures/a/a.db }") && text.contains("sha256:"), "\(text)")
    // The journal came and went.
    #expect(!text.contains("journal"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(text.replacing("values(40)", with: "values(41)"), to: "a.yaml")
    let changed = try project.scenario(["run", "a.yaml"])
    #expect(changed.exitCode == 1 && changed.output.contains("a.db"), "\(changed.text)")
  }

  @Test("Twenty threads that sleep for real replay in no time")
  func threads() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      import threading, time
      done = []
      def work(number):
          time.sleep(0.05 * (20 - number))
          done.append(number)
      threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
      for thread in threads: thread.start()
      for thread in threads: thread.join()
      # On a machine that is busy, who wakes first is open: in the real world time does not wait.
      with open("done", "w") as file: file.write(repr(sorted(done)))
      print(len(done))

      """, to: "work.py")
    let outcome = try project.record(["-o", "a.yaml"], ["python3", "work.py"])
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("[0, 1, 2,") && text.contains("done:"), "\(text)")
    let run = try project.scenario(["run", "a.yaml"])
    #expect(run.exitCode == 0 && run.output.contains("1s virtual"), "\(run.text)")
    let script = project.read("work.py") ?? ""
    try project.write(script.replacing("range(20)", with: "range(19)"), to: "work.py")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("A static Go program that waits is recorded as any other")
  func goProgram() throws {
    let program = "\(BuiltRunner.root)/.build/programs/languages/go-waits"
    try #require(
      access(program, X_OK) == 0, "run Tests/Programs/Languages/build.sh .build/programs/languages")
    let project = try ProjectFolder()
    let outcome = try project.record(["-o", "a.yaml", "--loosen"], [program])
    outcome.expectExit(0)
    try project.scenario(["run", "a.yaml"]).expectExit(0)
  }

  @Test(
    "A short text of an unusual mode is expected word for word, and its mode beside it",
    arguments: [
      (
        "echo hello > out; chmod 600 out", "mode: '0600'\n      equals: |\n        hello\n",
        "echo hello >", "echo hallo >"
      ),
      (
        "printf 'one\ntwo\n' > out; chmod 750 out",
        "mode: '0750'\n      equals: |\n        one\n        two\n", "chmod 750", "chmod 755"
      ),
      (
        ": > out; chmod 400 out", "mode: '0400'\n      empty: true\n", ": > out", "echo a > out"
      ),
    ])
  func modes(script: String, conditions: String, old: String, new: String) throws {
    let project = try ProjectFolder()
    let outcome = try project.record(["-o", "a.yaml"], ["sh", "-c", script])
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("    out:\n      \(conditions)"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    let changed = text.replacing(old, with: new)
    try #require(changed != text, "\(text)")
    try project.write(changed, to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("What is no text is expected by its bytes")
  func bytes() throws {
    let project = try ProjectFolder()
    let script = "printf '\\0\\1\\377%s' \"$(cat word)\" > out.bin; exit 3"
    try project.write("one", to: "word")
    let outcome = try project.record(["-o", "a.yaml"], ["sh", "-c", script])
    #expect(outcome.exitCode == 0 && outcome.output.contains("exit code 3"), "\(outcome.text)")
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("out.bin: { sha256: '"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(text.replacing("word: one", with: "word: two"), to: "a.yaml")
    try #require(project.read("a.yaml") != text, "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test(
    "What is not the same twice is told by name and place, and loosened: exit code 3",
    arguments: [
      ("echo same; echo $$", "stdout, line 2, is \""),
      ("head -c 9 /dev/urandom | od -An -tx1 >&2", "stderr, line 1, is \""),
      ("echo $$ > out", "out, line 1, is \""),
      ("touch out.$$", ": file"),
    ])
  func unreplayable(script: String, told: String) throws {
    let project = try ProjectFolder()
    let outcome = try project.record(["-o", "a.yaml"], ["sh", "-c", script])
    if told == ": file" {
      // Another name is another file: the one is missing, and nobody expects the other.
      #expect(outcome.exitCode == 3 && outcome.errorOutput.contains("does not exist"))
      return
    }
    #expect(outcome.exitCode == 3 && outcome.errorOutput.contains(told), "\(outcome.text)")
    #expect(outcome.errorOutput.contains("--loosen"), "\(outcome.text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    let loosened = try project.record(["-o", "b.yaml", "--loosen"], ["sh", "-c", script])
    #expect(loosened.exitCode == 0 && loosened.errorOutput.contains(told), "\(loosened.text)")
    let same = script.replacing("$$", with: "1").replacing("urandom", with: "zero")
    let replayable = try project.record(["-o", "c.yaml"], ["sh", "-c", same])
    replayable.expectExit(0)
    #expect(!replayable.errorOutput.contains("replayed:"), "\(replayable.text)")
  }

  @Test("Of long output both ends are expected, and a command without end is reported and kept")
  func long() throws {
    let project = try ProjectFolder()
    let outcome = try project.record(["-o", "a.yaml"], ["seq", "500000", "1000000"])
    #expect(outcome.exitCode == 0 && outcome.output.contains("long"), "\(outcome.text)")
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("500000") && text.contains("{ contains: '1000000' }"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(text.replacing("'1000000']", with: "'999999']"), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
    let endless = try project.record(
      ["-o", "b.yaml", "--timeout", "1s"], ["sh", "-c", "echo begun; sleep 1000"])
    #expect(endless.exitCode == 3 && endless.errorOutput.contains("--timeout"), "\(endless.text)")
    #expect(project.read("b.yaml")?.contains("begun") == true)
  }

  @Test("How long a command waits, and how busy the machine is, decides no bound of the replay")
  func bound() throws {
    let project = try ProjectFolder()
    let outcome = try project.record(["-o", "a.yaml"], ["sleep", "6"])
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("6s") && !text.contains("timeout:"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
  }

  // MARK: - Folders and names

  @Test("Names are laid for who prints them, and not for who opens a file")
  func names() throws {
    let project = try ProjectFolder()
    try project.write("a", to: "data/a.txt")
    try project.write("b", to: "data/b.txt")
    let listed = try project.record(["-o", "a.yaml"], ["ls", "data"])
    listed.expectExit(0)
    #expect(project.read("a.yaml")?.contains("data/b.txt: ''") == true)
    let opened = try project.record(
      ["-o", "b.yaml"], ["sh", "-c", "cd data; cat a.txt; ls > /dev/null"])
    opened.expectExit(0)
    #expect(project.read("b.yaml")?.contains("data/a.txt") == true)
    #expect(project.read("b.yaml")?.contains("b.txt") == false)
  }

  @Test("A folder that must be there is there, and a link leads where it did")
  func folders() throws {
    let project = try ProjectFolder()
    mkdir("\(project.path)/out", 0o755)
    try project.write("real\n", to: "real.txt")
    symlink("real.txt", "\(project.path)/link.txt")
    let outcome = try project.record(
      ["-o", "a.yaml"], ["sh", "-c", "cd out && cp ../link.txt new"])
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("out: { kind: folder }") && text.contains("out/new:"), "\(text)")
    #expect(text.contains("link.txt: { symlink: real.txt }"), "\(text)")
    try project.write(text.replacing("    out: { kind: folder }\n", with: ""), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("The folder of a recording stays with all that is in it, also where the command fails")
  func nothingRemoved() throws {
    let project = try ProjectFolder()
    try project.write("mine", to: "deep/down/mine.txt")
    for (name, script) in [("a", "exit 1"), ("b", "kill -9 $$"), ("c", "touch $HOME/x $TMPDIR/y")] {
      let outcome = try project.record(["-o", "\(name).yaml"], ["sh", "-c", script])
      outcome.expectExit(0)
      #expect(project.read("deep/down/mine.txt") == "mine")
      try project.scenario(["run", "\(name).yaml"]).expectExit(0)
    }
    // What it does remove is removed for real, and only that.
    try project.write("one", to: "one")
    let outcome = try project.record(["-o", "d.yaml"], ["rm", "one"])
    #expect(outcome.exitCode == 0 && project.read("one") == nil, "\(outcome.text)")
    #expect(project.read("deep/down/mine.txt") == "mine")
    #expect(project.read("d.yaml")?.contains("one: { absent: true }") == true)
  }

  @Test("make finds what is laid as old as the scenario, and Python's caches are nobody's")
  func times() throws {
    let project = try ProjectFolder()
    try project.write("out: in\n\tcp in out\n", to: "Makefile")
    try project.write("text\n", to: "in")
    let made = try project.record(["-o", "a.yaml"], ["make"])
    made.expectExit(0)
    #expect(project.read("a.yaml")?.contains("stderr: { empty: true }") == true, "\(made.text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)

    try project.write("def seven(): return 7\n", to: "parts/__init__.py")
    try project.write("import parts\nprint(parts.seven())\n", to: "main.py")
    let python = try project.record(["-o", "b.yaml"], ["python3", "main.py"])
    python.expectExit(0)
    #expect(project.read("b.yaml")?.contains("__pycache__") == false)
    try project.write("def seven(): return 8\n", to: "parts/__init__.py")
    try project.scenario(["run", "b.yaml"]).expectExit(1)
  }

  @Test("A folder that is given another name takes its files with it")
  func moved() throws {
    let project = try ProjectFolder()
    try project.write("one\n", to: "before/one")
    let outcome = try project.record(
      ["-o", "a.yaml"], ["sh", "-c", "mv before after; cat after/one"])
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("before/one: { absent: true }"), "\(text)")
    #expect(text.contains("after/one: |") && !text.contains("kind: folder"), "\(text)")
    try project.write(
      text.replacing("mv before after; cat after", with: "cp -r before after; cat after"),
      to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  // MARK: - Secrets

  @Test("A secret stands neither in arguments nor in input, files or output")
  func secrets() throws {
    let project = try ProjectFolder()
    try project.write("key not-for-anybody\n", to: "text")
    try project.write("\u{1}not-for-anybody\u{1}", to: "binary")
    let script = "cat; cat text; wc -c < binary; echo $1"
    let outcome = try BuiltRunner.run(
      [
        "record", "-o", "a.yaml", "--secret", "WORD", "--", "sh", "-c", script, "sh",
        "not-for-anybody",
      ],
      prefix: [
        "env", "WORD=not-for-anybody", "sh", "-c",
        "cd \(project.path); echo in not-for-anybody | \"$@\"", "sh",
      ])
    #expect(
      outcome.output.contains("\"binary\" is not text and contains a secret"), "\(outcome.text)")
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("key REDACTED") && text.contains("in REDACTED"), "\(text)")
    #expect(!text.contains("not-for-anybody") && !outcome.text.contains("not-for-anybody"))
    #expect(project.read("fixtures/a/binary") == nil)
    // What is no secret is laid.
    let plain = try project.record(["-o", "b.yaml"], ["wc", "-c", "binary"])
    #expect(plain.exitCode == 0 && project.read("fixtures/b/binary") != nil, "\(plain.text)")
  }

  // MARK: - This machine

  @Test("Servers on this machine are recorded, and the replay needs them no more")
  func loopback() throws {
    let project = try ProjectFolder()
    let server = try ProjectServer(
      RecordTests.server(answering: #"b'{"b": 1,  "a": 2}\n'"#), in: project)
    let url = "http://127.0.0.1:\(server.port)/things"
    let recorded = try project.record(["-o", "a.yaml"], ["curl", "-s", url])
    let open = try project.record(["-o", "b.yaml", "--open-loopback"], ["curl", "-s", url])
    server.stop()
    #expect(recorded.exitCode == 0 && open.exitCode == 0, "\(recorded.text)\(open.text)")
    // The line feed behind the data is part of what was said.
    #expect(project.read("a.yaml")?.contains("stdout: |\n    {\"b\": 1,  \"a\": 2}\n") == true)
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.scenario(["run", "b.yaml"]).expectExit(1)
  }

  @Test("A server of the command's own answers it, in the recording and in the replay")
  func ownServer() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      import http.server, threading, urllib.request
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              self.send_response(200)
              self.end_headers()
              self.wfile.write(b"own")
          def log_message(self, *_): pass
      server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
      threading.Thread(target=server.serve_forever, daemon=True).start()
      print(urllib.request.urlopen("http://127.0.0.1:%d/" % server.server_port).read())

      """, to: "own.py")
    let outcome = try project.record(["-o", "a.yaml"], ["python3", "own.py"])
    outcome.expectExit(0)
    #expect(project.read("__recordings__/a.yaml") == nil)
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    let text = project.read("own.py") ?? ""
    try project.write(text.replacing("b\"own\"", with: "b\"other\""), to: "own.py")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("What is no HTTP is refused, and left alone where that is asked")
  func otherProtocols() throws {
    let project = try ProjectFolder()
    let server = try ProjectServer(
      """
      import socket, sys, threading
      server = socket.create_server(("127.0.0.1", 0))
      with open(sys.argv[1], "w") as file: file.write("%d\\n" % server.getsockname()[1])
      while True:
          connection, _ = server.accept()
          connection.sendall(b"+" + connection.recv(100))
          connection.close()
      """, in: project)
    defer { server.stop() }
    try project.write(
      """
      import socket, sys
      connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
      connection.sendall(b"PING\\r\\n")
      print(connection.recv(100))

      """, to: "client.py")
    let refused = try project.record(["-o", "a.yaml"], ["python3", "client.py", server.port])
    #expect(
      refused.exitCode == 3 && refused.errorOutput.contains("--open-loopback"), "\(refused.text)")
    #expect(project.read("a.yaml") == nil && project.read("__recordings__/a.yaml") == nil)
    let open = try project.record(
      ["-o", "a.yaml", "--open-loopback"], ["python3", "client.py", server.port])
    open.expectExit(0)
    #expect(project.read("a.yaml")?.contains("+PING") == true)
  }
}
