import Glibc
import Testing

/// What `scenario record` keeps of files and outputs beside their content, and what it refuses.
@Suite("Recorded details")
struct RecordedDetailTests {
  @Test("Links, permission bits and folders are as they were, and so is what is made of them")
  func properties() throws {
    let project = try ProjectFolder()
    try project.write("one\n", to: "data/deep/one.txt")
    try project.write("key\n", to: "key", mode: 0o600)
    symlink("data/deep", "\(project.path)/short")
    let script =
      "cat short/one.txt; stat -c %a key; ln -s key again; chmod 640 key; mkdir -p new/sub"
    let outcome = try project.record(["-o", "a.yaml"], ["sh", "-c", script])
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("short: { symlink: data/deep }"), "\(text)")
    #expect(text.contains("key: { text: \"key\\n\", mode: '0600' }"), "\(text)")
    #expect(text.contains("key: { mode: '0640' }"), "\(text)")
    #expect(text.contains("again: { symlink: key }"), "\(text)")
    #expect(text.contains("new/sub: { kind: folder }"), "\(text)")
    for (right, wrong) in [
      ("ln -s key again", "ln -s data again"), ("chmod 640", "chmod 644"),
      ("mkdir -p new/sub", ":"),
      ("short: { symlink: data/deep }", "short: { symlink: data }"),
      ("mode: '0600'", "mode: '0644'"),
    ] {
      try project.write(text.replacing(right, with: wrong), to: "a.yaml")
      #expect(try project.scenario(["run", "a.yaml"]).exitCode == 1, "\(right)")
    }
  }

  @Test(
    "What outlives the command is reported, as nothing of it is expected", arguments: [true, false])
  func survivors(isLeft: Bool) throws {
    let project = try ProjectFolder()
    let daemon = "(setsid sh -c 'sleep 1000; echo done > daemon.out' > /dev/null 2>&1 &);"
    let outcome = try project.record(
      ["-o", "a.yaml"], ["sh", "-c", (isLeft ? daemon : "") + " echo started"])

    outcome.expectExit(0)
    #expect(outcome.text.contains("outlived the command") == isLeft, "\(outcome.text)")
  }

  @Test(
    "What outlives the command does nothing more that is expected, though it has time to end",
    arguments: [
      "(trap 'echo bye > bye; exit' TERM; echo up > up; while :; do sleep 0.1; done)",
      "(trap '' TERM HUP; echo up > up; sleep 3; echo done > bye)",
    ])
  func lastWork(worker: String) throws {
    for isWaitedFor in [false, true] {
      let project = try ProjectFolder()
      let script =
        isWaitedFor
        ? "echo up > up; echo bye > bye; echo started"
        : "\(worker) > /dev/null 2>&1 & while ! [ -s up ]; do sleep 0.1; done; echo started"
      let outcome = try project.record(["-o", "a.yaml"], ["bash", "-c", script])

      outcome.expectExit(0)
      #expect(outcome.text.contains("outlived the command") == !isWaitedFor, "\(outcome.text)")
      #expect(!outcome.text.contains("was killed"), "\(outcome.text)")
      #expect(outcome.text.contains("changed \"bye\" after") == !isWaitedFor, "\(outcome.text)")
      let text = project.read("a.yaml") ?? ""
      let expected = text[(text.firstRange(of: "expect:")?.lowerBound ?? text.startIndex)...]
      #expect(expected.contains("up: |"), "\(text)")
      #expect(expected.contains("bye: |") == isWaitedFor, "\(text)")
      #expect(!expected.contains("3s"), "\(text)")
    }
  }

  @Test(
    "What the command changes elsewhere is reported, as nothing of it is expected",
    arguments: [true, false])
  func elsewhere(isOutside: Bool) throws {
    let project = try ProjectFolder()
    let other = try TemporaryFolder()
    let outcome = try project.record(
      ["-o", "a.yaml"],
      ["sh", "-c", "echo in > inside" + (isOutside ? "; echo out > \(other.path)/x" : "")])

    outcome.expectExit(0)
    #expect(
      outcome.text.contains(
        "changed files outside of the current folder: \"\(other.path)/x\" (openat by sh)")
        == isOutside, "\(outcome.text)")
  }

  @Test("Lines of threads whose order changes are expected in any order")
  func anyOrder() throws {
    let project = try ProjectFolder()
    // The pseudo-random order differs from run to run, whatever the machine does.
    let script =
      "printf 'one\\ntwo\\nthree\\nfour\\nfive\\nsix\\nseven\\neight\\n' | shuf"
    let outcome = try project.record(["-o", "a.yaml"], ["sh", "-c", script])
    #expect(
      outcome.exitCode == 0 && outcome.output.contains("order of the lines differs"),
      "\(outcome.text)")
    let text = project.read("a.yaml") ?? ""
    #expect(text.contains("- line_count: 8") && text.contains("- contains: seven"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(text.replacing("nseven", with: "neleven"), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("What the command itself writes in the scenario's place stays, with the scenario beside it")
  func ownPlaces() throws {
    let project = try ProjectFolder()
    let long = String(repeating: "long line\n", count: 400)
    try project.write(long, to: "long.txt")
    let script =
      "echo mine > a.yaml; mkdir -p fixtures/a; echo mine > fixtures/a/long.txt; wc -l < long.txt"
    let outcome = try project.record(["-o", "a.yaml"], ["sh", "-c", script])
    #expect(outcome.exitCode == 0 && outcome.output.contains("\"a-2.yaml\""), "\(outcome.text)")
    #expect(project.read("a.yaml") == "mine\n" && project.read("fixtures/a/long.txt") == "mine\n")
    #expect(project.read("fixtures/a-2/long.txt") == long)
    try project.scenario(["run", "a-2.yaml"]).expectExit(0)
  }

  @Test("A secret stands in no name of a file either, and the replay finds the file")
  func secretNames() throws {
    let project = try ProjectFolder()
    try project.write("text\n", to: "not-for-anybody.txt")
    let outcome = try project.record(
      ["-o", "a.yaml", "--secret", "WORD"],
      ["sh", "-c", "cat \"$1.txt\"; cp \"$1.txt\" \"$1.copy\"", "sh", "not-for-anybody"],
      variables: ["WORD=not-for-anybody"])
    outcome.expectExit(0)
    let text = project.read("a.yaml") ?? ""
    #expect(!(text + outcome.text).contains("not-for-anybody"), "\(text)\(outcome.text)")
    #expect(text.contains("REDACTED.txt: |") && text.contains("REDACTED.copy: |"), "\(text)")
    try project.scenario(["run", "a.yaml"]).expectExit(0)
    try project.write(text.replacing("cp ", with: "rm -f "), to: "a.yaml")
    try project.scenario(["run", "a.yaml"]).expectExit(1)
  }

  @Test("A server that speaks first is reported at once, with its host and port")
  func greeting() throws {
    let project = try ProjectFolder()
    let server = try ProjectServer(
      """
      import socket, sys
      server = socket.create_server(("127.0.0.1", 0))
      with open(sys.argv[1], "w") as file: file.write("%d\\n" % server.getsockname()[1])
      kept = []
      while True:
          connection, _ = server.accept()
          connection.sendall(b"220 ready\\r\\n")
          kept.append(connection)
      """, in: project)
    defer { server.stop() }
    try project.write(
      """
      import socket, sys
      connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
      print(connection.recv(100))

      """, to: "client.py")
    // The time limit of ten minutes is longer than any test may take.
    let refused = try project.record(["-o", "a.yaml"], ["python3", "client.py", server.port])
    let told = "127.0.0.1:\(server.port) speaks first"
    #expect(refused.exitCode == 3 && refused.errorOutput.contains(told), "\(refused.text)")
    #expect(refused.errorOutput.contains("--open-loopback"), "\(refused.text)")
    #expect(project.read("a.yaml") == nil)
    let open = try project.record(
      ["-o", "a.yaml", "--open-loopback"], ["python3", "client.py", server.port])
    open.expectExit(0)
  }
}
