import Foundations
import Glibc
import Testing

@Suite("Hosts of a case's world")
struct HostTests {
  /// Answers each connection with who it is, whom it sees and at which of its addresses.
  private static let server = """
    import socket, sys
    family = socket.AF_INET6 if ":" in sys.argv[2] else socket.AF_INET
    name, place, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
    listener = socket.create_server((place, port), family=family, dualstack_ipv6=sys.argv[2] == "::")
    print("at", *listener.getsockname()[:2], flush=True)
    while True:
        connection, peer = listener.accept()
        ends = peer[0], connection.getsockname()[0], connection.getpeername()[0]
        connection.sendall(" ".join((name, "sees") + ends).encode())
        connection.close()
    """

  /// Asks each HOST:PORT, and tells what it is answered and what it sees of the connection.
  private static let client = """
    import socket, sys
    for place in sys.argv[1:]:
        host, port = place.rsplit(":", 1)
        try:
            connection = socket.create_connection((host, int(port)), timeout=5)
        except OSError as error:
            print(place, error.strerror)
            continue
        print(connection.recv(99).decode(), "from", connection.getsockname()[0], "to", *connection.getpeername()[:2])
    """

  private func run(_ text: String, _ arguments: [String] = []) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    folder.write(Self.server, to: "server.py")
    folder.write(Self.client, to: "client.py")
    return try BuiltRunner.run(["run", folder.write(text, to: "hosts.yaml")] + arguments)
  }

  @Test("Three hosts have one port each, see their own addresses, and reach each other by name")
  func onePort() throws {
    func text(_ port: Int) -> String {
      """
      version: 2
      clock: { flow: auto }
      targets:
        n1:
          host: n1.cluster.test
          command: [python3, server.py, n1, 0.0.0.0, '2380']
          files: { server.py: { file: server.py }, client.py: { file: client.py } }
          ready: { port: 2380 }
        n2:
          host: n2.cluster.test
          command: [python3, server.py, n2, n2.cluster.test, '2380']
          ready: { stdout: at }
        n3:
          host: n3.cluster.test
          command: [python3, server.py, n3, '::', '2380']
          ready: { port: true }
        asks:
          host: asks.test
          command: [python3, client.py, n1.cluster.test:2380, n2.cluster.test:\(port), n3.cluster.test:2380]
      steps: [{ start: n1 }, { start: n2 }, { start: n3 }, { run: asks }]
      expect:
        targets:
          n1: { stdout: at 0.0.0.0 2380 }
          n2: { stdout: at 198.18.0.2 2380 }
          n3: { stdout: 'at :: 2380' }
          asks:
            stdout:
              lines:
                - n1 sees 198.18.0.4 198.18.0.1 198.18.0.4 from 198.18.0.4 to 198.18.0.1 2380
                - n2 sees 198.18.0.4 198.18.0.2 198.18.0.4 from 198.18.0.4 to 198.18.0.2 2380
                - n3 sees ::ffff:198.18.0.4 ::ffff:198.18.0.3 ::ffff:198.18.0.4 from 198.18.0.4 to 198.18.0.3 2380

      """
    }
    let outcome = try run(text(2380))
    outcome.expectExit(0)
    let twin = try run(text(2381))
    twin.expectExit(1)
    #expect(twin.text.contains("Connection refused"), "\(twin.text)")
  }

  @Test(
    "A command of a step may run on a host: it has its loopback and its address, and is cut off with it"
  )
  func commands() throws {
    let ask = "command: [python3, client.py"
    let text = """
      version: 2
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      targets:
        far:
          host: far.test
          command: [python3, server.py, far, '', '7000']
          files: { server.py: { file: server.py }, client.py: { file: client.py } }
          ready: { port: 7000 }
        near: { host: near.test, command: [python3, server.py, near, 127.0.0.1, '7000'], ready: { port: 7000 } }
      steps:
        - start: far
        - start: near
        - exec: { in: near, \(ask), 'localhost:7000', 'far.test:7000'] }
          expect:
            stdout:
              lines:
                - near sees 127.0.0.1 127.0.0.1 127.0.0.1 from 127.0.0.1 to 127.0.0.1 7000
                - far sees 198.18.0.2 198.18.0.1 198.18.0.2 from 198.18.0.2 to 198.18.0.1 7000
        - exec: { in: world, \(ask), 'far.test:7000'] }
          expect: { stdout: { contains: far sees 198.18.0.3 } }
        - partition: [[near], [far]]
        - exec: { in: near, \(ask), 'far.test:7000', 'localhost:7000'] }
          expect: { stdout: { lines: ['far.test:7000 None', { contains: near sees } ] } }
        - exec: { in: world, \(ask), 'far.test:7000'] }
          expect: { stdout: { contains: far sees } }

      """
    let outcome = try run(text)
    outcome.expectExit(0)
    #expect(
      try run(text.replacing("in: near, \(ask), 'far", with: "in: world, \(ask), 'far")).exitCode
        == 1)
    for (place, message, help) in [
      ("naer", "unknown host \"naer\"", "did you mean \"near\"?"),
      ("near.test", "\"near.test\" is the name of a host, not of a target", "write \"in: near\""),
      ("asks", "\"asks\" has no \"host\" on which a command could run", "write \"in: world\""),
    ] {
      let mistake = try run(
        text.replacing("in: near", with: "in: \(place)").replacing(
          "steps:", with: "  asks: { command: ls }\nsteps:\n  - run: asks"))
      mistake.expectExit(2)
      #expect(mistake.text.contains(message) && mistake.text.contains(help), "\(mistake.text)")
      #expect(mistake.text.contains(":15:17:"), "\(mistake.text)")
    }
  }

  @Test("Loopback is the host's own: what listens there is reached by nobody else")
  func loopback() throws {
    func text(_ place: String) -> String {
      """
      version: 2
      leaks: ignore
      targets:
        near:
          host: near.test
          command: [bash, -c, "python3 server.py near \(place) 80 & exec python3 wait.py"]
          files:
            server.py: { file: server.py }
            client.py: { file: client.py }
            wait.py:
              text: |
                import socket, subprocess, sys, time
                while True:
                    try:
                        socket.create_connection(("localhost", 80)).close()
                        break
                    except OSError:
                        time.sleep(0.01)
                print(subprocess.run([sys.executable, "client.py", "127.0.0.1:80", "localhost:80", "near.test:80"], capture_output=True, text=True).stdout, end="", flush=True)
                open("asked", "w").close()
                time.sleep(1000)
          ready: { file: asked }
        far: { host: far.test, command: [python3, client.py, near.test:80, 127.0.0.1:80] }
      steps: [{ start: near }, { run: far }]
      expect:
        targets:
          near:
            stdout:
              lines:
                - at 127.0.0.1 80
                - near sees 127.0.0.1 127.0.0.1 127.0.0.1 from 127.0.0.1 to 127.0.0.1 80
                - near sees 127.0.0.1 127.0.0.1 127.0.0.1 from 127.0.0.1 to 127.0.0.1 80
                - near.test:80 Connection refused
          far: { stdout: { lines: ["near.test:80 Connection refused", "127.0.0.1:80 Connection refused"] } }

      """
    }
    let outcome = try run(text("127.0.0.1"))
    outcome.expectExit(0)
    let twin = try run(text("0.0.0.0"))
    twin.expectExit(1)
    #expect(twin.text.contains("near sees 198.18.0.2 198.18.0.1"), "\(twin.text)")
  }

  @Test("The kernel's rules about addresses in use hold between a host's addresses, and not beyond")
  func inUse() throws {
    func text(_ port: Int) -> String {
      """
      version: 2
      targets:
        binds:
          host: binds.test
          command: [python3, -c, "import socket, time; s = socket.create_server(('', 7000)); open('bound', 'w').close(); time.sleep(1000)"]
          ready: { file: bound }
        tries:
          host: tries.test
          command: [python3, tries.py]
          files:
            tries.py:
              text: |
                import socket
                def tries(*places, family=socket.AF_INET, kind=socket.SOCK_STREAM, only=0):
                    held = []
                    said = []
                    for place in places:
                        one = socket.socket(socket.AF_INET6 if ":" in place else family, kind)
                        held.append(one)
                        if ":" in place and only: one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                        try:
                            one.bind((place, \(port)))
                            if kind == socket.SOCK_STREAM: one.listen()
                            said.append("bound")
                        except OSError as error:
                            said.append(error.strerror)
                    print(", ".join(said))
                    for one in held: one.close()
                tries("0.0.0.0", "127.0.0.1")
                tries("127.0.0.1", "0.0.0.0")
                tries("127.0.0.1", "tries.test")
                tries("tries.test", "tries.test")
                tries("::", "0.0.0.0")
                tries("::", "0.0.0.0", "::1", only=1)
                tries("0.0.0.0", "127.0.0.1", kind=socket.SOCK_DGRAM)
                tries("binds.test")
                tries("192.0.2.1")
                tries("0.0.0.0")
      steps: [{ start: binds }, { run: tries }]
      expect:
        targets:
          tries:
            stdout:
              lines:
                - bound, Address already in use
                - bound, Address already in use
                - bound, bound
                - bound, Address already in use
                - bound, Address already in use
                - bound, bound, Address already in use
                - bound, Address already in use
                - Cannot assign requested address
                - Cannot assign requested address
                - bound

      """
    }
    // The one port of the other host, and one that needs a privilege.
    for port in [7000, 80] {
      let outcome = try run(text(port))
      outcome.expectExit(0)
    }
    let twin = try run(
      text(7000).replacing(
        "tries(\"127.0.0.1\", \"tries.test\")", with: "tries(\"127.0.0.1\", \"127.0.0.1\")"))
    twin.expectExit(1)
  }

  @Test(
    "Datagrams show the hosts that they come from, at sockets that are bound, connected or neither")
  func datagrams() throws {
    func text(_ answer: String) -> String {
      """
      version: 2
      targets:
        echoes:
          host: echoes.test
          command: [python3, echoes.py]
          files:
            echoes.py:
              text: |
                import socket
                here = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                here.bind(("", 53))
                open("ready", "w").close()
                while True:
                    said, ancillary, flags, peer = here.recvmsg(99)
                    here.sendto(b" ".join((said, b"of", peer[0].encode())), peer)
          ready: { file: ready }
        asks:
          host: asks.test
          command: [python3, asks.py]
          files:
            asks.py:
              text: |
                import os, socket
                def socket4(): return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                free, connected, bound = socket4(), socket4(), socket4()
                print(free.getsockname())
                free.sendto(b"free", ("echoes.test", 53))
                print(*free.recvfrom(99), free.getsockname()[0])
                connected.connect(("echoes.test", 53))
                connected.send(b"connected")
                print(connected.recv(99), connected.getsockname()[0], connected.getpeername())
                bound.bind(("127.0.0.1", 7001))
                free.sendto(b"near", ("127.0.0.1", 7001))
                said, peer = bound.recvfrom(99)
                print(said, peer[0], peer[1] == free.getsockname()[1])
                bound.sendto(b"back", peer)
                print(*free.recvfrom(99))
                wide = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                wide.bind(("::", 0))
                wide.sendto(b"wide", ("::ffff:198.18.0.1", 53))
                print(wide.recvfrom(99)[1][:2])
                print(socket.getaddrinfo("echoes.test", 53, type=socket.SOCK_DGRAM)[0][4])
                print(sorted(one[4][0] for one in socket.getaddrinfo(None, 80, type=socket.SOCK_DGRAM, flags=socket.AI_PASSIVE)))
      steps: [{ start: echoes }, { run: asks }]
      expect:
        targets:
          asks:
            stdout:
              lines:
                - "('0.0.0.0', 0)"
                - "b'free of \(answer)' ('198.18.0.1', 53) 0.0.0.0"
                - "b'connected of 198.18.0.2' 198.18.0.2 ('198.18.0.1', 53)"
                - "b'near' 127.0.0.1 True"
                - "b'back' ('127.0.0.1', 7001)"
                - "('::ffff:198.18.0.1', 53)"
                - "('198.18.0.1', 53)"
                - "['0.0.0.0', '::']"

      """
    }
    let outcome = try run(text("198.18.0.2"))
    outcome.expectExit(0)
    let twin = try run(text("127.0.0.1"))
    twin.expectExit(1)
  }

  @Test("A socket keeps its host over fork, exec, dup and a message to another process")
  func inherited() throws {
    func text(_ address: String) -> String {
      """
      version: 2
      targets:
        gives:
          host: gives.test
          command: [python3, gives.py]
          files:
            gives.py:
              text: |
                import array, os, socket, subprocess, sys
                code = "import socket, sys; print(*socket.socket(fileno=int(sys.argv[1])).getsockname(), flush=True)"
                here = socket.create_server(("gives.test", 7002))
                os.set_inheritable(here.fileno(), True)
                subprocess.run([sys.executable, "-c", code, str(here.fileno())], close_fds=False)
                two = os.dup(here.fileno())
                os.set_inheritable(two, True)
                subprocess.run([sys.executable, "-c", code, str(two)], close_fds=False)
                gate = socket.socket(socket.AF_UNIX)
                gate.bind("gate")
                gate.listen()
                other = gate.accept()[0]
                socket.send_fds(other, [b"x"], [here.fileno()])
                other.recv(1)
          ready: { file: gate }
        takes:
          host: takes.test
          command: [python3, -c, "import socket; s = socket.socket(socket.AF_UNIX); s.connect('gate'); d = socket.recv_fds(s, 1, 1)[1][0]; print(*socket.socket(fileno=d).getsockname())"]
      steps: [{ start: gives }, { run: takes }]
      expect:
        targets:
          gives: { stdout: { lines: [198.18.0.1 7002, 198.18.0.1 7002] } }
          takes: { stdout: \(address) 7002 }

      """
    }
    // The one that takes it is 198.18.0.2 itself.
    try TwinRuns.check(passing: text("198.18.0.1"), failing: text("198.18.0.2"))
  }

  @Test("Eight cases at once and somebody outside have one port")
  func atOnce() throws {
    let outside = try OutsideListener()
    func text(_ name: String) -> String {
      """
      version: 2
      matrix: { number: [1, 2, 3, 4, 5, 6, 7, 8] }
      name: case ${{ matrix.number }}
      targets:
        serves:
          host: serves.test
          command: [python3, server.py, "case-${{ matrix.number }}", 0.0.0.0, '\(outside.port)']
          files: { server.py: { file: server.py }, client.py: { file: client.py } }
          ready: { port: \(outside.port) }
        asks: { host: asks.test, command: [python3, client.py, \(name):\(outside.port)] }
      steps: [{ start: serves }, { run: asks }]
      expect:
        targets:
          serves: { stdout: at 0.0.0.0 \(outside.port) }
          asks: { stdout: { starts_with: "case-${{ matrix.number }} sees 198.18.0.2 198.18.0.1" } }

      """
    }
    let outcome = try run(text("serves.test"), ["-j", "8"])
    outcome.expectExit(0)
    let twin = try run(text("asks.test"), ["-j", "8"])
    twin.expectExit(1)
  }

  @Test(
    "Cases one after the other have ports of their own, whatever the kernel still keeps of those before"
  )
  func timeWait() throws {
    // The server closes first, without SO_REUSEADDR: its end of the connection stays for a minute.
    let text = """
      version: 2
      targets:
        a:
          host: a.test
          command: [python3, once.py]
          files:
            once.py: |
              import socket
              listener = socket.socket()
              listener.bind(("0.0.0.0", 8080))
              listener.listen()
              print("up", flush=True)
              connection, _ = listener.accept()
              connection.sendall(b"x")
              connection.close()
          ready: { stdout: up }
        b: { host: b.test, command: [bash, -c, "exec 3<>/dev/tcp/a.test/8080; cat <&3"] }
      steps: [{ start: a }, { run: b, expect: { stdout: x } }, { wait: exit, target: a }]

      """
    let outcome = try run(text, ["--repeat", "6", "--jobs", "1"])
    outcome.expectExit(0)
    #expect(outcome.text.contains("6 passed"))
  }

  @Test(
    "A port on which no host listens is refused, also where this machine has it at every address")
  func foreignService() throws {
    let outside = try OutsideListener()
    let port = outside.port
    let outcome = try run(
      """
      version: 2
      targets:
        n1:
          host: n1.test
          command: [python3, client.py, '127.0.0.1:\(port)', 'n2.test:\(port)']
          files: { client.py: { file: client.py } }
        n2: { host: n2.test, command: [sleep, '1000'] }
      steps:
        - start: n2
        - run: n1
          expect: { stdout: { lines: ['127.0.0.1:\(port) Connection refused', 'n2.test:\(port) Connection refused'] } }
        - stop: n2

      """)
    outcome.expectExit(0)
    withExtendedLifetime(outside) {}
  }

  @Test("A response for a host's name is reported, as it never answers")
  func responseForHost() throws {
    func text(_ name: String) -> String {
      """
      version: 2
      targets: { a: { host: api.test, command: ['true'] } }
      network: { unused: ignore }
      responses: [{ GET http://\(name)/v1: { text: x } }]
      steps: [{ run: a }]

      """
    }
    let outcome = try run(text("api.test"))
    outcome.expectExit(2)
    #expect(outcome.text.contains("is never used: \"api.test\" is a target"), "\(outcome.text)")
    try run(text("other.test")).expectExit(0)
  }

  @Test("A name is routed to a target, which commands outside reach by its address")
  func route() throws {
    func text(_ name: String) -> String {
      """
      version: 2
      network: { hosts: { cache.test: cache } }
      targets:
        cache:
          command: [python3, server.py, cache, 0.0.0.0, '6379']
          files: { server.py: { file: server.py }, client.py: { file: client.py } }
          ready: { port: 6379 }
        asks: { command: [python3, client.py, \(name):6379] }
      steps:
        - start: cache
        - run: asks
        - exec: [python3, client.py, "${{ targets.cache.address }}:6379"]
          expect: { stdout: { starts_with: cache sees 198.18.0.2 198.18.0.1 } }
      expect:
        targets: { asks: { stdout: { starts_with: cache sees 198.18.0.2 198.18.0.1, ends_with: "to 198.18.0.1 6379" } } }

      """
    }
    let outcome = try run(text("cache.test"))
    outcome.expectExit(0)
    let twin = try run(text("other.test"))
    twin.expectExit(1)
  }

  @Test(
    "Names that no file knows are asked of the mock server, which knows the hosts and stays what it is"
  )
  func names() throws {
    func text(_ name: String) -> String {
      """
      version: 2
      responses: [{ GET http://api.test/x: { text: from the mock server } }]
      targets:
        n1: { host: n1.test, command: [sleep, '1000'] }
        asks:
          host: asks.test
          command: [bash, -c, "dig +short \(name); dig +short -x 198.18.0.2; curl -sS http://api.test/x; python3 source.py"]
          files:
            source.py:
              text: |
                import socket
                one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                one.connect(("192.0.2.1", 9))
                print("", one.getsockname()[0])
      steps: [{ start: n1 }, { run: asks }, { stop: n1 }]
      expect:
        targets: { asks: { stdout: { lines: [198.18.0.1, asks.test., from the mock server 198.18.0.2] } } }

      """
    }
    let outcome = try run(text("n1.test"))
    outcome.expectExit(0)
    let twin = try run(text("n2.test"))
    twin.expectExit(1)
  }

  @Test("Mistakes are told with their places")
  func mistakes() throws {
    func check(_ text: String, _ arguments: [String] = []) throws -> String {
      let folder = try TemporaryFolder()
      let path = folder.write("version: 2\n" + text, to: "mistake.yaml")
      let outcome = try BuiltRunner.run(["check", path] + arguments)
      outcome.expectExit(2)
      return outcome.errorOutput
    }
    func targets(_ one: String, _ other: String, rest: String = "") -> String {
      "targets:\n  a: { command: [a], host: \(one) }\n  b: { command: [b], host: \(other) }\n\(rest)steps: [{ run: a }]\n"
    }
    let twice = try check(targets("n1.test", "N1.test"))
    #expect(twice.contains("two targets have the host name \"n1.test\""), "\(twice)")
    #expect(twice.contains("mistake.yaml:4:28"), "\(twice)")
    for name in ["10.0.0.1", "localhost", "'a.test:80'", "'*.test'", "a..test"] {
      #expect(try check(targets("n1.test", name)).contains("is not a host name"))
    }
    #expect(
      try check(targets("a.test", "b.test", rest: "network: { mode: live }\n")).contains(
        "\"a.test\" is a host of the scenario, but the network is live"))
    #expect(
      try check(targets("a.test", "b.test", rest: "network: { loopback: closed }\n")).contains(
        "every host has its own loopback"))
    #expect(
      try check(targets("a.test", "b.test", rest: "network: { hosts: { b.test: spy } }\n"))
        .contains(
          "\"b.test\" is a target and cannot have the mode \"spy\""))
    #expect(
      try check(targets("a.test", "b.test", rest: "network: { hosts: { c.test: c } }\n")).contains(
        "unknown value \"c\" for \"c.test\""))
    #expect(
      try check(targets("a.test", "b.test", rest: "network: { hosts: { b.test: a } }\n")).contains(
        "two targets have the host name \"b.test\""))
    #expect(
      try check(
        "target: { command: [a] }\ntargets: { b: { command: [b] } }\n"
          + "steps: [{ run: b }, { exec: [echo, \"${{ targets.c.address }}\"] }]\n"
      ).contains("\"targets\" has no target \"c\""))
  }
}
