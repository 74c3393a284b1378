import Glibc
import Testing

@Suite("Fixed ports that several cases bind at once", .serialized)
struct PortDemandTests {
  /// Waits until as many cases have called as run at once, in a folder that they share.
  private static let meeting = #"""
    import os, socket, sys, time
    def meet(name, count=8):
        folder = os.environ["MEETING"]
        open(os.path.join(folder, name), "w").close()
        while len(os.listdir(folder)) < count: time.sleep(0.01)
    """#

  /// Serves datagrams and asks itself for its name, from another process.
  private static let datagrams = #"""
    from meeting import *
    port, name, place, *rest = sys.argv[1:]
    port = int(port)
    family = socket.AF_INET6 if ":" in place else socket.AF_INET
    goal = "::1" if ":" in place else "127.0.0.1"
    server = socket.socket(family, socket.SOCK_DGRAM)
    if rest: server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try: server.bind((place, port))
    except OSError: meet(name, 0); raise
    assert server.getsockname()[:2] == (place, port), server.getsockname()
    meet(name)
    if os.fork() == 0:
        client = socket.socket(family, socket.SOCK_DGRAM)
        for _ in range(20):
            client.sendto(b"ask", (goal, port))
            data, peer = client.recvfrom(99)
            assert data == name.encode() and peer[:2] == (goal, port), (data, peer)
        print("all of", name, flush=True)
        os._exit(0)
    for _ in range(20):
        data, peer = server.recvfrom(99)
        assert peer[0] == goal, peer
        server.sendto(name.encode(), peer)
    os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
    """#

  /// Serves connections in three processes that share the port, and asks them for their name.
  private static let connections = #"""
    from meeting import *
    port, name, place = sys.argv[1:]
    port = int(port)
    family = socket.AF_INET6 if ":" in place else socket.AF_INET
    goals = {"::": ["::1", "127.0.0.1"], "::1": ["::1"]}.get(place, ["127.0.0.1"])
    ready, tell = os.pipe()
    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            listener = socket.socket(family)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            listener.bind((place, port))
            listener.listen(50)
            assert listener.getsockname()[:2] == (place, port), listener.getsockname()
            os.write(tell, b"x")
            while True:
                served, peer = listener.accept()
                served.sendall(name.encode())
                served.close()
        children.append(child)
    for _ in children: os.read(ready, 1)
    meet(name)
    for goal in goals:
        for _ in range(30):
            with socket.create_connection((goal, port)) as client:
                data = client.recv(99)
                assert data == name.encode() and client.getpeername()[:2] == (goal, port), data
    for child in children: os.kill(child, 9)
    print("all of", name)
    """#

  /// A port that nobody has at this moment.
  private func freePort() throws -> UInt16 { try OutsideListener(listens: false).port }

  private func run(
    _ text: String, _ arguments: [String] = ["-j", "8"], files: [String: String] = [:]
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    for (name, content) in files { folder.write(content, to: name) }
    let meeting = try TemporaryFolder()
    return try BuiltRunner.run(
      ["run", folder.write(text, to: "ports.yaml")] + arguments,
      prefix: ["env", "MEETING=\(meeting.path)"])
  }

  private func network(_ word: String?) -> String {
    word.map { "network: { loopback: \($0) }\n" } ?? ""
  }

  @Test("Servers of one port each answer their own case and its commands")
  func servers() throws {
    let port = try freePort()
    func text(_ word: String?) -> String {
      """
      version: 2
      matrix: { number: [1, 2, 3, 4, 5, 6, 7, 8] }
      name: case ${{ matrix.number }}
      \(network(word))targets:
        serves:
          command: [python3, -u, -c, "from meeting import *; import http.server; meet('${{ matrix.number }}'); http.server.test(http.server.SimpleHTTPRequestHandler, port=\(port))"]
          env: { pass: [MEETING] }
          ready: { http: / }
          files: { name.txt: "case ${{ matrix.number }}", meeting.py: { file: meeting.py } }
        asks: { command: [curl, -s, "http://localhost:\(port)/name.txt"] }
      files: { outside: allow }
      steps:
        - start: serves
        - run: asks
        - exec: [curl, -s, "http://127.0.0.1:\(port)/name.txt"]
          expect: { stdout: "case ${{ matrix.number }}" }
        - exec: [curl, -s, "http://${{ targets.serves.address }}:\(port)/name.txt"]
          expect: { stdout: "case ${{ matrix.number }}" }
        - exec: { command: [curl, -s, "http://localhost:\(port)/name.txt"], in: world }
          expect: { stdout: "case ${{ matrix.number }}" }
      expect:
        targets:
          asks: { stdout: "case ${{ matrix.number }}" }
          serves: { stdout: { contains: "http://0.0.0.0:\(port)/" } }

      """
    }
    let outcome = try run(text(nil), files: ["meeting.py": Self.meeting])
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    let twin = try run(text("shared"), files: ["meeting.py": Self.meeting])
    #expect(twin.exitCode == 3, "\(twin.text)")
    #expect(twin.text.contains("Address already in use"), "\(twin.text)")
  }

  @Test(
    "Each case gets its own datagrams",
    arguments: ["127.0.0.1", "0.0.0.0", "'::1'", "'::'", "127.0.0.1 shares", "'::' shares"])
  func datagrams(place: String) throws {
    try meet("datagrams.py", Self.datagrams, place)
  }

  @Test(
    "Each case gets its own connections where processes share a port",
    arguments: ["127.0.0.1", "0.0.0.0", "'::1'", "'::'"])
  func connections(place: String) throws {
    try meet("connections.py", Self.connections, place)
  }

  private func meet(_ name: String, _ program: String, _ place: String) throws {
    let port = try freePort()
    func text(_ word: String?) -> String {
      """
      version: 2
      matrix: { number: [1, 2, 3, 4, 5, 6, 7, 8] }
      name: case ${{ matrix.number }}
      \(network(word))target:
        command: "exec python3 \(name) \(port) ${{ matrix.number }} \(place)"
        env: { pass: [MEETING] }
        files: { \(name): { file: \(name) }, meeting.py: { file: meeting.py } }
      files: { outside: allow }
      expect: { stdout: "all of ${{ matrix.number }}" }

      """
    }
    let files = [name: program, "meeting.py": Self.meeting]
    let outcome = try run(text(nil), files: files)
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    // They share the port of this machine, or do not get it.
    let twin = try run(text("shared"), files: files)
    #expect(twin.exitCode != 0, "\(twin.text)")
  }

  @Test("A port that a socket of the case has stays in use")
  func inUse() throws {
    let port = try freePort()
    let program = #"""
      import errno, socket
      def bind(kind, port, listens=False):
          made = socket.socket(socket.AF_INET, kind)
          try: made.bind(("127.0.0.1", port))
          except OSError as error: return errno.errorcode[error.errno]
          if listens: made.listen()
          return made
      stream, datagram = socket.SOCK_STREAM, socket.SOCK_DGRAM
      listener = bind(stream, PORT, True)
      print(bind(stream, PORT))
      for kind in stream, datagram:
          chosen = bind(kind, 0)
          print(bind(kind, chosen.getsockname()[1]))
      client = socket.create_connection(("127.0.0.1", PORT))
      served, _ = listener.accept()
      served.close(); client.recv(1); client.close(); listener.close()
      print("afterwards", bind(stream, PORT))
      listener = bind(stream, 0, True)
      chosen = listener.getsockname()
      client = socket.create_connection(chosen)
      served, _ = listener.accept()
      served.close(); client.recv(1); client.close(); listener.close()
      print("chosen", bind(stream, chosen[1]))
      """#
    let outcome = try run(
      """
      version: 2
      target: { command: [python3, program.py], files: { program.py: { file: program.py } } }
      expect: { stdout: "EADDRINUSE\\nEADDRINUSE\\nEADDRINUSE\\nafterwards EADDRINUSE\\nchosen EADDRINUSE\\n" }

      """, [], files: ["program.py": program.replacing("PORT", with: "\(port)")])
    #expect(outcome.exitCode == 0, "\(outcome.text)")
  }

  @Test("A client finds nobody at the port of another case's server until its own is there")
  func refused() throws {
    let port = try freePort()
    let serves = "[python3, -u, -m, http.server, '\(port)']"
    func text(_ word: String?) -> String {
      """
      version: 2
      files: { outside: allow }
      \(network(word))scenarios:
        - name: serves
          targets:
            serves: { command: \(serves), ready: { port: \(port) } }
            waits: { command: [python3, -c, "from meeting import *; meet('up', 1); meet('end', 2)"], env: { pass: [MEETING] }, files: { meeting.py: { file: meeting.py } } }
          steps: [{ start: serves }, { run: waits }]
        - name: asks
          targets:
            asks:
              command:
                - python3
                - -c
                - |
                  from meeting import *
                  while not os.path.exists(os.environ["MEETING"] + "/up"): time.sleep(0.01)
                  for place in "127.0.0.1", "0.0.0.0":
                      print(socket.socket().connect_ex((place, \(port))), flush=True)
              env: { pass: [MEETING] }
              files: { meeting.py: { file: meeting.py } }
            serves: { command: \(serves), ready: { port: \(port) }, files: { own.txt: own } }
            again: { command: [curl, -s, "http://127.0.0.1:\(port)/own.txt"] }
          steps:
            - run: asks
              expect: { stdout: "111\\n111\\n" }
            - start: serves
            - run: again
          cleanup:
            - exec: touch $MEETING/own $MEETING/end
          expect: { targets: { again: { stdout: own } } }

      """
    }
    let outcome = try run(text(nil), ["-j", "2"], files: ["meeting.py": Self.meeting])
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    let twin = try run(text("shared"), ["-j", "2"], files: ["meeting.py": Self.meeting])
    #expect(twin.exitCode == 1, "\(twin.text)")
  }

  @Test("A port of another program is reached until a target binds it, and the move is an event")
  func outsideProgram() throws {
    let outside = try OutsideListener(at: .loopback)
    func text(_ word: String?) -> String {
      """
      version: 2
      \(network(word))target:
        command:
          - python3
          - -c
          - |
            import socket
            print(socket.socket().connect_ex(("127.0.0.1", \(outside.port))))
            listener = socket.create_server(("127.0.0.1", \(outside.port)))
            client = socket.create_connection(("127.0.0.1", \(outside.port)))
            served, peer = listener.accept()
            print(peer == client.getsockname(), served.getsockname() == client.getpeername())
      expect: { stdout: "0\\nTrue True\\n" }

      """
    }
    let report = try TemporaryFolder()
    let path = "\(report.path)/run.jsonl"
    let outcome = try run(text(nil), ["--report", "jsonl=\(path)"])
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    let events = try #require(TemporaryFolder.read(path)).split(separator: "\n")
    let move = try #require(events.first { $0.contains("\"event\":\"portMoved\"") })
    #expect(move.contains("\"port\":\(outside.port)"), "\(move)")
    #expect(move.contains("another program"), "\(move)")
    let twin = try run(text("shared"), [])
    #expect(twin.exitCode == 1, "\(twin.text)")
    #expect(twin.text.contains("Address already in use"), "\(twin.text)")
  }

  @Test("Commands that take signals, or wait in one connection, connect as without a move")
  func commands() throws {
    let outside = try OutsideListener(at: .loopback)
    let program = #"""
      import collections, signal, socket, threading
      results = collections.Counter()
      signal.signal(signal.SIGALRM, lambda *_: None)
      signal.siginterrupt(signal.SIGALRM, False)
      signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
      for _ in range(300):
          made = socket.socket()
          results[made.connect_ex(("127.0.0.1", PORT))] += 1
          made.close()
      signal.setitimer(signal.ITIMER_REAL, 0)
      print(dict(results), flush=True)
      def fill():
          held = []
          while True:
              held.append(socket.socket())
              try: held[-1].connect(("127.0.0.1", FULL))
              except OSError: pass
              fills.release()
      fills = threading.Semaphore(0)
      threading.Thread(target=fill, daemon=True).start()
      while fills.acquire(timeout=1): pass
      print(socket.socket().connect_ex(("127.0.0.1", PORT)), flush=True)
      import os; os._exit(0)
      """#
    let full = try OutsideListener(at: .loopback)
    let text = """
      version: 2
      clock: { flow: real }
      targets:
        serves:
          command: [python3, serves.py]
          files: { serves.py: { file: serves.py } }
          ready: { stdout: up }
      files: { outside: allow }
      steps:
        - start: serves
        - exec: { command: [python3, -c, "${{ build.program }}"] }
          timeout: 30s
          expect: { stdout: "{0: 300}\\n0\\n" }
      build: { program: { $file: asks.py } }

      """
    let serves = #"""
      import socket
      full = socket.socket(); full.bind(("127.0.0.1", FULL)); full.listen(1)
      listener = socket.socket(); listener.bind(("127.0.0.1", PORT)); listener.listen(100)
      print("up", flush=True)
      while True: listener.accept()[0].close()
      """#
    func named(_ text: String) -> String {
      text.replacing("PORT", with: "\(outside.port)").replacing("FULL", with: "\(full.port)")
    }
    let outcome = try run(
      text, [], files: ["serves.py": named(serves), "asks.py": named(program)])
    #expect(outcome.exitCode == 0, "\(outcome.text)")
  }
}
