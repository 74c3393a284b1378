import Testing

@Suite("Connections that follow a script")
struct ScriptedConnectionTests {
  private func run(
    _ program: String, _ entries: String, rest: String = "", options: [String] = []
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    func indented(_ text: String) -> String { text.replacing("\n", with: "\n          ") }
    let path = folder.write(
      """
      version: 2
      target:
        command: [python3, client.py]
        files:
          client.py:
            text: |
              import smtplib, socket, ssl, sys, threading, time
              def connect(port=7000, host='a.test'):
                  return socket.create_connection((host, port))
              \(program.replacing("\n", with: "\n        "))
      clock: { at: 2031-01-01T00:00:00Z, flow: auto }
      responses:
        \(entries.replacing("\n", with: "\n  "))
      \(rest)

      """, to: "scripted.yaml")
    let outcome = try BuiltRunner.run(["run", path] + options)
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static let echo = """
    - host: a.test:7000
      tcp:
        - send: "ready\\r\\n"
        - expect: { starts_with: PING }
        - { after: 90s, send: "${{ upper(request.body) }} at ${{ clock.now }}\\n" }
        - close:
    """

  @Test("A server speaks first, answers what it has read, in virtual time, and closes")
  func answers() throws {
    let program = """
      c = connect().makefile('rw', newline='')
      assert c.readline() == 'ready\\r\\n'
      c.write('PING one\\r\\nand more'); c.flush()
      print(c.read().strip())
      """
    let outcome = try run(
      program, Self.echo,
      rest: "expect: { exit: 0, stdout: 'PING ONE at 2031-01-01T00:01:30Z', duration: 90s }")

    outcome.expectExit(0)
  }

  @Test(
    "What the client does otherwise fails the case, and says where",
    arguments: [
      ("c.send(b'PONG\\n'); c.recv(9)", "begins with \"PING\", got \"PONG\""),
      ("", "the client closed the connection before it sent what is expected here"),
      ("c.send(b'PI')", "begins with \"PING\", got \"PI\""),
      ("c.shutdown(1); c.recv(9)", "before it sent what is expected here"),
    ])
  func mismatches(act: String, message: String) throws {
    let outcome = try run("c = connect(); c.recv(7); \(act)", Self.echo)

    outcome.expectExit(1)
    #expect(outcome.text.contains("the script of tcp://a.test:7000 did not go"))
    #expect(outcome.text.contains(message), "\(outcome.text)")
    #expect(outcome.text.contains("- expect: { starts_with: PING }"), "\(outcome.text)")
  }

  @Test("Pieces end where the script says: at a text, after bytes, with a line, with the client")
  func pieces() throws {
    let script = """
      - host: a.test
        tcp:
          - { expect: "one\\ntwo", until: "\\r\\n.\\r\\n" }
          - { expect: { length: 3 }, bytes: 3 }
          - expect: { base64: AAEC/w== }
          - expect: { matches: '^a*$', length: 100000 }
          - expect: last
          - expect: end
          - send: { base64: AAEC/w== }
          - send: { json: { a: 1 } }
      """
    // Byte by byte, and all at once.
    for size in [1, 200_000] {
      let program = """
        c = connect()
        data = b'one\\ntwo\\r\\n.\\r\\nxyz\\0\\1\\2\\xff' + b'a' * 100000 + b'\\nlast'
        c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        size = \(size)
        for i in range(0, 24, size): c.sendall(data[i:min(24, i + size)])
        c.sendall(data[24:])
        c.shutdown(socket.SHUT_WR)
        print(b''.join(iter(lambda: c.recv(99), b'')))
        """
      let outcome = try run(
        program, script, rest: #"expect: { exit: 0, stdout: "b'\\x00\\x01\\x02\\xff{\"a\":1}'" }"#)

      #expect(outcome.exitCode == 0, "\(size): \(outcome.text)")
    }
  }

  @Test(
    "Bytes that differ, or come behind the end, fail the case",
    arguments: [
      ("- expect: { base64: AAEC }", "b'\\0\\1\\3'", "got others from byte 3 on"),
      ("- expect: end", "b'more'", "expected the end of what the client says, got \"more\""),
      ("- { expect: a, until: '!' }", "b'ab!'", "got \"ab\""),
    ])
  func differences(step: String, sent: String, message: String) throws {
    let outcome = try run(
      "c = connect(); c.sendall(\(sent)); c.recv(1)", "- host: a.test\n  tcp:\n    \(step)")

    outcome.expectExit(1)
    #expect(outcome.text.contains(message), "\(outcome.text)")
  }

  private static let mail = """
    - host: mail.test:25
      tcp:
        - send: "220 mail.test\\r\\n"
        - expect: { starts_with: ehlo }
        - send: "250-mail.test\\r\\n250 STARTTLS\\r\\n"
        - expect: STARTTLS
        - send: "220 go ahead\\r\\n"
        - starttls:
        - expect: { starts_with: ehlo }
        - send: "250 mail.test\\r\\n"
        - expect: quit
        - send: "221 bye\\r\\n"
        - close:
    """

  @Test("Both sides go on in TLS, with a certificate for the host that clients trust")
  func startTLS() throws {
    let program = """
      s = smtplib.SMTP('mail.test', 25, local_hostname='me')
      s.starttls(context=ssl.create_default_context())
      s.ehlo('me')
      print(s.sock.getpeercert()['subjectAltName'], s.quit())
      """
    let outcome = try run(
      program, Self.mail,
      rest: "expect: { exit: 0, stdout: \"(('DNS', 'mail.test'),) (221, b'bye')\" }")

    outcome.expectExit(0)
  }

  @Test("TLS from the beginning, where the server speaks first as well")
  func implicitTLS() throws {
    let entry = """
      - host: mail.test:465
        tls: true
        tcp:
          - send: "220 mail.test\\r\\n"
          - expect: { starts_with: quit }
          - send: "221 bye\\r\\n"
      """
    let program = """
      s = smtplib.SMTP_SSL('mail.test', 465, context=ssl.create_default_context())
      print(s.quit())
      """
    let trusting = try run(program, entry, rest: "expect: { exit: 0 }")
    let other = try run(program.replacing("'mail.test', 465", with: "'x.test', 465"), entry)

    trusting.expectExit(0)
    other.expectExit(3)
  }

  @Test(
    "A client that begins with TLS where the script does not is told of, and what it sent is on one line",
    arguments: [
      ("- { expect: a, until: never }", "ssl.create_default_context().wrap_socket(c)", true),
      ("- { expect: a, bytes: 20 }", "ssl.create_default_context().wrap_socket(c)", true),
      ("- { expect: a, until: never }", "c.sendall(b'one\\ntwo')", false),
    ])
  func unexpectedTLS(step: String, act: String, beginsTLS: Bool) throws {
    let program = """
      c = connect()
      c.settimeout(5)
      try: \(act.replacing("wrap_socket(c)", with: "wrap_socket(c, server_hostname='a.test')"))
      except OSError: pass
      """
    let outcome = try run(program, "- host: a.test\n  tcp:\n    \(step)")

    outcome.expectExit(1)
    #expect(outcome.text.contains("; the client begins with TLS: write") == beginsTLS)
    #expect(outcome.text.contains(#", after "one\ntwo""#) == !beginsTLS, "\(outcome.text)")
    #expect(!outcome.text.contains("no status"), "\(outcome.text)")
  }

  @Test("A client that asks again whether it is connected has one connection")
  func askedTwice() throws {
    let program = """
      c = socket.socket()
      place = (socket.gethostbyname('a.test'), 7000)
      c.setblocking(False)
      while c.connect_ex(place) not in (0, 106): pass
      c.setblocking(True)
      print(c.recv(9))
      """
    let outcome = try run(
      program, "- { host: a.test, tcp: [{ send: hello }] }",
      rest: "expect: { exit: 0, stdout: \"b'hello'\" }")

    outcome.expectExit(0)
    #expect(outcome.text.contains("network: 1 connection to the mock server"), "\(outcome.text)")
  }

  @Test(
    "A connection may be reset, or end without the end of TLS",
    arguments: [("reset", "reset"), ("abrupt", "nothing"), ("end", "a record of TLS")])
  func endings(ending: String, told: String) throws {
    let entry = """
      - { host: a.test:7000, tls: true, tcp: [{ send: hello }, { after: 1s, close: \(ending) }] }
      """
    let program = """
      c = ssl.create_default_context().wrap_socket(connect(), server_hostname='a.test')
      assert c.recv(5) == b'hello'
      try: print('a record of TLS' if socket.socket(fileno=c.fileno()).recv(99) else 'nothing')
      except ConnectionResetError: print('reset')
      """
    let outcome = try run(program, entry, rest: "expect: { exit: 0, stdout: \(told) }")

    outcome.expectExit(0)
  }

  @Test("Twenty clients at once each have a script of their own; entries take turns by their times")
  func crowd() throws {
    let entries = """
      - { host: a.test, times: 5, tcp: [{ send: first }, { close: }] }
      - host: a.test
        tcp: [{ expect: "" }, { send: "${{ request.count }}" }, { close: }]
      """
    let program = """
      said = []
      def talk():
          c = connect(); c.sendall(b'\\n'); said.append(c.makefile().read())
      threads = [threading.Thread(target=talk) for _ in range(25)]
      for t in threads: t.start()
      for t in threads: t.join()
      assert said.count('first') == 5, said
      assert sorted(int(n) for n in said if n != 'first') == list(range(1, 21)), said
      """
    let outcome = try run(
      program, entries, rest: "expect: { exit: 0 }", options: ["--repeat", "5"])

    outcome.expectExit(0)
  }

  @Test("A script that no connection used fails the case, and one that one was short of")
  func unused() throws {
    let entry = "- { name: twice, host: a.test, times: 2, tcp: [{ send: x }, { close: }] }"
    let none = try run("pass", entry)
    let one = try run("connect().recv(2)", entry)
    let both = try run("connect().recv(2); connect().recv(2)", entry)

    none.expectExit(1)
    #expect(none.text.contains("no connection used \"twice\""), "\(none.text)")
    one.expectExit(1)
    #expect(one.text.contains("\"twice\" was used by 1 of 2 connections"), "\(one.text)")
    both.expectExit(0)
  }

  @Test("Other ports of the host, and other hosts, are left to the other entries")
  func otherPlaces() throws {
    let entries = """
      - { host: a.test:7000, tcp: [{ send: script }, { close: }] }
      - GET http://a.test/: { text: web }
      """
    let program = """
      import urllib.request
      print(connect().makefile().read(), urllib.request.urlopen('http://a.test/').read().decode())
      """
    let outcome = try run(program, entries, rest: "expect: { exit: 0, stdout: script web }")

    outcome.expectExit(0)
  }

  @Test(
    "Mistakes have their place at check",
    arguments: [
      ("tcp: []", "\"tcp\" is empty"), ("tcp: [{ send: a, expect: b }]", "cannot be combined"),
      ("tcp: [{ close: }, { send: a }]", "nothing can follow \"close\""),
      ("tcp: [{ expect: end }, { expect: a }]", "is the end of what the client says"),
      ("tcp: [{ after: 1s, expect: a }]", "\"expect\" cannot be combined with \"after\""),
      ("tcp: [{ send: a, until: b }]", "\"until\" needs \"expect\""),
      ("tcp: [{ expect: a, until: b, bytes: 3 }]", "\"until\" cannot be combined with \"bytes\""),
      ("tcp: [{ expect: { base64: AA== }, bytes: 3 }]", "\"bytes\" has no effect beside"),
      ("tcp: [{ starttls: yes }]", "\"starttls\" takes no value"),
      ("tcp: [{ close: soon }]", "unknown value \"soon\""),
      ("fault: refuse, tcp: [{ close: }]", "\"fault\" cannot be combined with \"tcp\""),
      ("fault: refuse, tls: true", "\"tls\" needs \"tcp\""),
      ("tls: true", "\"tls\" needs \"tcp\""), ("times: 1", "\"fault\""),
      ("tcp: [{ sned: a }]", "did you mean \"send\""),
      ("tcp: [{ send: '${{ requets.body }}' }]", "unknown name \"requets\""),
      ("name: a, tcp: [{ send: a }]", "missing required key \"host\""),
      ("host: 'http://a.test', tcp: [{ send: a }]", "\"http://a.test\" is a URL"),
    ])
  func mistakes(entry: String, message: String) throws {
    let isWhole = entry.hasPrefix("host:") || entry.hasPrefix("name:")
    let outcome = try run("pass", "- { \(isWhole ? "" : "host: a.test, ")\(entry) }")

    outcome.expectExit(2)
    #expect(outcome.text.contains(message), "\(outcome.text)")
  }
}
