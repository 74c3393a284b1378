import Testing

@Suite("Files of replies, with real clients")
struct BodyFileTests {
  private func run(
    _ urls: [String], _ responses: String, expect: String
  ) throws -> BuiltRunner.Outcome {
    let project = try ProjectFolder()
    try project.write("<p>${{ request.query.name }} {{ x }} $${{ y }}</p>\n", to: "page.html")
    try project.write("<p>${{ request.query.name }}</p>\n", to: "plain.html")
    try project.write("{\"id\": \"${{ request.path.id }}\"}\n", to: "bodies/a.json")
    try project.write("secret\n", to: "private.json")
    _ = try BuiltRunner.command(["mkdir", "-p", "\(project.path)/odd/folder.json"])
    _ = try BuiltRunner.command(["mkfifo", "\(project.path)/odd/fifo.json"])
    _ = try BuiltRunner.command(["ln", "-s", "../private.json", project.path + "/bodies/link.json"])
    try project.write(
      """
      version: 2
      target:
        command: [curl, -s, --path-as-is, -w, "%{http_code} %{content_type}\\n", \
      \(urls.map { "\"http://a.test\($0)\"" }.joined(separator: ", "))]
      responses:
      \(responses)
      expect: { stdout: { contains: \(expect) } }

      """, to: "files.yaml")
    return try project.scenario(["run", "files.yaml"])
  }

  @Test("Expressions in a file are filled in where that is asked for, and nowhere else")
  func expressions() throws {
    let responses = """
        - GET http://a.test/page: { file: { path: page.html, expressions: true } }
        - GET http://a.test/plain: { file: plain.html }
      """
    let urls = ["/page?name=Bob", "/plain?name=Bob"]
    try run(
      urls, responses,
      expect:
        "\"<p>Bob {{ x }} $${{ y }}</p>\\n200 text/html; charset=utf-8\\n<p>$${{ request.query.name }}</p>\\n200 text/html; charset=utf-8\""
    ).expectExit(0)
    try run(urls, responses, expect: "\"<p>Bob</p>\"").expectExit(1)
  }

  @Test(
    "A computed name is one of a file below its folder, or the client gets 404 and the case errs")
  func names() throws {
    let responses =
      "  - { request: { url: \"http://a.test/{id}\" }, then: repeat, reply: { file: \"bodies/${{ request.path.id }}.json\" } }\n"
    try run(["/a"], responses, expect: "200 application/json").expectExit(0)

    for (path, message) in [
      ("/none", "the file \\\"bodies/none.json\\\" does not exist"),
      ("/..%2Fprivate", "the path \\\"../private.json\\\" leads out of the directory"),
      ("/link", "is a link that leads out of \\\"bodies\\\""),
    ] {
      let outcome = try run([path], responses, expect: "404 text/plain")
      outcome.expectExit(3)
      #expect(outcome.text.contains(message.replacing("\\\"", with: "\"")), "\(outcome.text)")
      #expect(!outcome.text.contains("secret"))
    }
  }

  @Test("A computed name of a folder or a FIFO is none of a file", arguments: ["folder", "fifo"])
  func notRegular(name: String) throws {
    let outcome = try run(
      ["/\(name)"],
      "  - GET http://a.test/{id}: { file: \"odd/${{ request.path.id }}.json\" }\n",
      expect: "404 text/plain")
    outcome.expectExit(3)
    let message = "the file \"odd/\(name).json\" is not a regular file (files.yaml:"
    #expect(outcome.text.contains(message), "\(outcome.text)")
  }

  @Test("A computed name may be that of a file with expressions")
  func both() throws {
    let responses =
      "  - GET http://a.test/{id}: { file: { path: \"bodies/${{ request.path.id }}.json\", expressions: true } }\n"
    // What the link leads to has no expressions.
    try run(["/a"], responses, expect: #"'{"id": "a"}'"#).expectExit(0)
    try run(["/a"], responses, expect: #"'{"id": "b"}'"#).expectExit(1)
  }

  @Test("A link that leads out of the folder is no file with expressions either")
  func links() throws {
    let responses =
      "  - { request: { url: \"http://a.test/{id}\" }, then: repeat, reply: { file: { path: \"bodies/${{ request.path.id }}.json\", expressions: true } } }\n"
    let outcome = try run(["/a", "/link"], responses, expect: "404 text/plain")
    outcome.expectExit(3)
    #expect(outcome.text.contains("is a link that leads out of \"bodies\""), "\(outcome.text)")
    #expect(!outcome.text.contains("secret"))
  }

  @Test("A WebSocket sends the bytes of a file whose name is computed, or its text")
  func webSocket() throws {
    func text(_ expressions: Bool, _ frame: String) -> String {
      """
      version: 2
      target:
        command: "curl -s --http1.1 --max-time 5 -H 'Connection: Upgrade' -H 'Upgrade: websocket' \
      -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==' http://a.test/a | od -An -tx1"
      clock: { flow: auto }
      responses:
        - GET http://a.test/{id}:
            websocket:
              - send: { file: { path: "bodies/${{ request.path.id }}.bin", expressions: \(expressions) } }
              - close: 1000
      expect: { stdout: { contains: "\(frame)" } }

      """
    }
    for (bytes, expressions, frame, other) in [
      ("\\377\\376", false, "82 02 ff fe", "81 02 ff fe"),
      ("ab", true, "81 02 61 62", "82 02 61 62"),
    ] {
      let project = try ProjectFolder()
      try project.write("", to: "bodies/a.bin")
      _ = try BuiltRunner.command(
        ["sh", "-c", "printf '\(bytes)' > \(project.path)/bodies/a.bin"])
      try project.write(text(expressions, frame), to: "right.yaml")
      try project.write(text(expressions, other), to: "wrong.yaml")
      try project.scenario(["run", "right.yaml"]).expectExit(0)
      try project.scenario(["run", "wrong.yaml"]).expectExit(1)
    }
  }

  @Test("A fault, the delay of a piece, and the code of a closing are those of the request")
  func parts() throws {
    func text(_ fault: String, _ wait: String, _ expected: String) -> String {
      """
      version: 2
      target: { command: "curl -s http://a.test/fault?fault=\(fault); echo $?; curl -s -w '%{time_total}' http://a.test/s?wait=\(wait)" }
      clock: { flow: auto }
      responses:
        - GET http://a.test/fault: { text: whole, fault: "${{ request.query.fault }}" }
        - GET http://a.test/s: { stream: [ { send: a }, { after: "${{ request.query.wait }}", send: "b " } ] }
      expect: { stdout: "\(expected)" }

      """
    }
    try TwinRuns.check(
      passing: text("reset", "90s", "56\\nab 90.000000"),
      failing: text("none", "90s", "56\\nab 90.000000"), text("reset", "91s", "56\\nab 90.000000"))
    try TwinRuns.check(
      passing: text("none", "1s", "whole0\\nab 1.000000"),
      failing: text("empty", "1s", "whole0\\nab 1.000000"))
  }
}
