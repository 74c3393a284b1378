import Glibc
import Testing

@Suite("Ports of targets on no host")
struct LoopbackTests {
  /// Binds, connects and sends in every way at two ports, and tells what it sees of them.
  private static let program = #"""
    import errno, os, socket, sys
    port, other = int(sys.argv[1]), int(sys.argv[2])
    def said(call, *arguments):
        try: return call(*arguments)
        except OSError as error: return errno.errorcode[error.errno]
    def family(host): return socket.AF_INET6 if ":" in host else socket.AF_INET
    def made(host, kind, only_wide=False):
        made = socket.socket(family(host), kind)
        if family(host) == socket.AF_INET6: made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, only_wide)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, kind == socket.SOCK_STREAM)
        made.bind((host, port))
        return made
    places = ("127.0.0.1", False), ("0.0.0.0", False), ("::1", False), ("::", False), ("::", True)
    goals = "127.0.0.1", "127.0.0.2", "0.0.0.0", "::1", "::ffff:127.0.0.1"
    for host, only_wide in places:
        with made(host, socket.SOCK_STREAM, only_wide) as listener:
            listener.listen()
            own = listener.getsockname()
            print("tcp", host, only_wide, own[0], own[1] == port)
            for goal in goals:
                with socket.socket(family(goal), socket.SOCK_STREAM) as client:
                    failed = said(client.connect, (goal, port))
                    if failed:
                        print(" ", goal, failed)
                        continue
                    served, peer = listener.accept()
                    with served:
                        if goal == "127.0.0.2":
                            print(" ", goal, "reached")
                            continue
                        print(" ", goal, "client", client.getsockname()[0], client.getpeername()[0],
                            client.getpeername()[1] == port, "server", peer[0], served.getsockname()[0],
                            served.getpeername()[0], peer[1] == client.getsockname()[1])
            with socket.socket(family(host), socket.SOCK_STREAM) as second:
                print("  again", said(second.bind, (host, port)))
        with made(host, socket.SOCK_DGRAM, only_wide) as server:
            server.settimeout(5)
            own = server.getsockname()
            print("udp", host, only_wide, own[0], own[1] == port)
            for goal in "127.0.0.1", "::1":
                if (":" in goal) != (":" in host) and host != "::": continue
                if only_wide and ":" not in goal: continue
                with socket.socket(family(goal), socket.SOCK_DGRAM) as client:
                    client.settimeout(5)
                    client.connect((goal, port))
                    client.send(b"ask")
                    data, peer = server.recvfrom(9)
                    server.sendto(b"answer", peer)
                    print(" ", goal, "connected", client.getpeername()[0], peer[0], client.recv(9))
                if ":" in goal: continue
                with socket.socket(family(goal), socket.SOCK_DGRAM) as client:
                    client.settimeout(5)
                    client.sendto(b"ask", (goal, port))
                    data, flags, more, peer = server.recvmsg(9)
                    server.sendmsg([b"answer"], [], 0, peer)
                    print("  sendto", peer[0], peer[1] == client.getsockname()[1], *client.recvfrom(9)[1][:1])
                    client.sendmsg([b"ask"], [], 0, (goal, port))
                    server.sendto(b"answer", server.recvfrom(9)[1])
                    data, flags, more, source = client.recvmsg(9)
                    print("  sendmsg", source[0], source[1] == port)
    with made("127.0.0.1", socket.SOCK_STREAM) as listener, socket.socket() as client:
        listener.listen()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        client.bind(("127.0.0.1", other))
        client.connect(("127.0.0.1", port))
        served, peer = listener.accept()
        print("bound client", peer == ("127.0.0.1", other), served.getpeername() == peer, client.getsockname() == peer)
        served.close()
        sys.stdout.flush()
        if os.fork() == 0:
            with socket.create_connection(("localhost", port)) as child: print("child", child.getpeername() == ("127.0.0.1", port), flush=True)
            os._exit(0)
        os.wait()
        listener.accept()[0].close()
    with socket.socket() as any: any.bind(("", 0)); print("kernel's port", any.getsockname()[0])
    with socket.socket(socket.AF_UNIX) as local: local.bind("\0loopback.%d" % os.getpid()); print("local", len(local.getsockname()) > 5)
    with socket.socket() as client: print("nobody", said(client.connect, ("127.0.0.1", other)))
    """#

  /// What it tells on a machine where nobody else has these ports.
  private static let seen = #"""
    tcp 127.0.0.1 False 127.0.0.1 True
      127.0.0.1 client 127.0.0.1 127.0.0.1 True server 127.0.0.1 127.0.0.1 127.0.0.1 True
      127.0.0.2 ECONNREFUSED
      0.0.0.0 client 127.0.0.1 127.0.0.1 True server 127.0.0.1 127.0.0.1 127.0.0.1 True
      ::1 ECONNREFUSED
      ::ffff:127.0.0.1 client ::ffff:127.0.0.1 ::ffff:127.0.0.1 True server 127.0.0.1 127.0.0.1 127.0.0.1 True
      again EADDRINUSE
    udp 127.0.0.1 False 127.0.0.1 True
      127.0.0.1 connected 127.0.0.1 127.0.0.1 b'answer'
      sendto 127.0.0.1 True 127.0.0.1
      sendmsg 127.0.0.1 True
    tcp 0.0.0.0 False 0.0.0.0 True
      127.0.0.1 client 127.0.0.1 127.0.0.1 True server 127.0.0.1 127.0.0.1 127.0.0.1 True
      127.0.0.2 reached
      0.0.0.0 client 127.0.0.1 127.0.0.1 True server 127.0.0.1 127.0.0.1 127.0.0.1 True
      ::1 ECONNREFUSED
      ::ffff:127.0.0.1 client ::ffff:127.0.0.1 ::ffff:127.0.0.1 True server 127.0.0.1 127.0.0.1 127.0.0.1 True
      again EADDRINUSE
    udp 0.0.0.0 False 0.0.0.0 True
      127.0.0.1 connected 127.0.0.1 127.0.0.1 b'answer'
      sendto 127.0.0.1 True 127.0.0.1
      sendmsg 127.0.0.1 True
    tcp ::1 False ::1 True
      127.0.0.1 ECONNREFUSED
      127.0.0.2 ECONNREFUSED
      0.0.0.0 ECONNREFUSED
      ::1 client ::1 ::1 True server ::1 ::1 ::1 True
      ::ffff:127.0.0.1 ECONNREFUSED
      again EADDRINUSE
    udp ::1 False ::1 True
      ::1 connected ::1 ::1 b'answer'
    tcp :: False :: True
      127.0.0.1 client 127.0.0.1 127.0.0.1 True server ::ffff:127.0.0.1 ::ffff:127.0.0.1 ::ffff:127.0.0.1 True
      127.0.0.2 reached
      0.0.0.0 client 127.0.0.1 127.0.0.1 True server ::ffff:127.0.0.1 ::ffff:127.0.0.1 ::ffff:127.0.0.1 True
      ::1 client ::1 ::1 True server ::1 ::1 ::1 True
      ::ffff:127.0.0.1 client ::ffff:127.0.0.1 ::ffff:127.0.0.1 True server ::ffff:127.0.0.1 ::ffff:127.0.0.1 ::ffff:127.0.0.1 True
      again EADDRINUSE
    udp :: False :: True
      127.0.0.1 connected 127.0.0.1 ::ffff:127.0.0.1 b'answer'
      sendto ::ffff:127.0.0.1 True 127.0.0.1
      sendmsg 127.0.0.1 True
      ::1 connected ::1 ::1 b'answer'
    tcp :: True :: True
      127.0.0.1 ECONNREFUSED
      127.0.0.2 ECONNREFUSED
      0.0.0.0 ECONNREFUSED
      ::1 client ::1 ::1 True server ::1 ::1 ::1 True
      ::ffff:127.0.0.1 ECONNREFUSED
      again EADDRINUSE
    udp :: True :: True
      ::1 connected ::1 ::1 b'answer'
    bound client True True True
    child True
    kernel's port 0.0.0.0
    local True
    nobody ECONNREFUSED
    """#

  private func run(_ text: String, _ arguments: [String] = []) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    folder.write(Self.program, to: "loopback.py")
    return try BuiltRunner.run(["run", folder.write(text, to: "ports.yaml")] + arguments)
  }

  @Test(
    "Sockets of loopback show a target what they show on a machine of its own",
    arguments: [OutsideListener.Place.loopback, .everywhere],
    [
      "network: { loopback: own }\n", "network: { loopback: own }\nclock: { flow: auto }\n",
      "network: { loopback: own, mode: live }\n",
    ])
  func whatIsSeen(place: OutsideListener.Place, world: String) throws {
    let ports = try [
      OutsideListener(at: place, listens: false), OutsideListener(at: place, listens: false),
    ].map { ($0, $0.port) }
    defer { withExtendedLifetime(ports) {} }
    func text(_ rest: String) -> String {
      """
      version: 2
      target:
        command: [python3, loopback.py, '\(ports[0].1)', '\(ports[1].1)']
        files: { loopback.py: { file: loopback.py } }
      \(rest)expect:
        stdout: |
      \(Self.seen.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))

      """
    }
    let outcome = try run(text(world))
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    let twin = try run(text(world.replacing("loopback: own", with: "loopback: shared")))
    #expect(twin.exitCode == 1, "\(twin.text)")
    #expect(twin.text.contains("Address already in use"), "\(twin.text)")
  }

  @Test("Cases at once that bind one port each reach their own server, and nobody else's")
  func atOnce() throws {
    let outside = try OutsideListener(at: .loopback)
    func text(_ network: String) -> String {
      """
      version: 2
      matrix: { number: [1, 2, 3, 4, 5, 6, 7, 8] }
      name: case ${{ matrix.number }}
      network: { loopback: \(network) }
      targets:
        serves:
          command: [python3, -u, -m, http.server, '\(outside.port)']
          ready: { http: / }
          files: { name.txt: "case ${{ matrix.number }}" }
        asks: { command: [curl, -s, "http://localhost:\(outside.port)/name.txt"] }
      steps: [{ start: serves }, { run: asks }]
      expect: { targets: { asks: { stdout: "case ${{ matrix.number }}" } } }

      """
    }
    let outcome = try run(text("own"), ["-j", "8"])
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    let twin = try run(text("shared"), ["-j", "8"])
    // The servers never become ready.
    #expect(twin.exitCode == 3, "\(twin.text)")
  }

  @Test(
    "A command outside reaches a target by its address, and one in the world by that of loopback"
  )
  func commandsOutside() throws {
    let outside = try OutsideListener(at: .loopback)
    func text(_ place: String) -> String {
      """
      version: 2
      network: { loopback: own }
      target:
        command: [python3, -u, -m, http.server, '\(outside.port)']
        ready: { port: \(outside.port) }
        files: { name.txt: it }
      steps:
        - start:
        - exec: { command: [curl, -s, -m, '5', "http://\(place):\(outside.port)/name.txt"] }
          expect: { stdout: it }
        - exec: { command: [curl, -s, "http://127.0.0.1:\(outside.port)/name.txt"], in: world }
          expect: { stdout: it }

      """
    }
    let outcome = try run(text("${{ targets.target.address }}"))
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    // This machine's own loopback leads to who listens there.
    let twin = try run(text("127.0.0.1"))
    #expect(twin.exitCode == 1, "\(twin.text)")
  }

  @Test("What no target is bound to is this machine's")
  func othersOfThisMachine() throws {
    let outside = try OutsideListener(at: .everywhere)
    func text(_ network: String) -> String {
      """
      version: 2
      target:
        command: [python3, -c, "import socket; print(socket.create_connection(('127.0.0.1', \(outside.port))).getpeername())"]
      network: { loopback: \(network) }
      expect: { stdout: "('127.0.0.1', \(outside.port))" }

      """
    }
    for word in ["open", "shared", "own"] {
      let outcome = try run(text(word))
      #expect(outcome.exitCode == 0, "\(outcome.text)")
    }
    try run(text("closed")).expectExit(1)
  }

  @Test("A host reaches a target on no host at the address that it sees of it")
  func clientsOfHosts() throws {
    let outside = try OutsideListener(at: .loopback)
    func text(_ address: String) -> String {
      """
      version: 2
      network: { loopback: own }
      targets:
        serves:
          command: [python3, -u, -m, http.server, '\(outside.port)']
          ready: { port: \(outside.port) }
          files: { name.txt: it }
        n1: { host: n1.test, command: [curl, -s, "http://\(address):\(outside.port)/name.txt"] }
      steps: [{ start: serves }, { run: n1 }]
      expect: { targets: { n1: { stdout: it } } }

      """
    }
    let outcome = try run(text("198.18.0.2"))
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    // Its own loopback is nobody else's.
    try run(text("127.0.0.1")).expectExit(1)
  }

  @Test(
    "A port that needs a privilege is refused to who has none",
    .enabled(if: geteuid() == 0, "only root has the privilege"))
  func privileges() throws {
    func text(_ user: String) -> String {
      """
      version: 2
      network: { loopback: own }
      target:
        command:
          - python3
          - -c
          - |
            import os, socket
            \(user)
            listener = socket.create_server(("127.0.0.1", 81))
            print("bound", listener.getsockname())

      """
    }
    let outcome = try run(text("os.setuid(65534)"))
    #expect(outcome.exitCode == 1, "\(outcome.text)")
    #expect(outcome.text.contains("Permission denied"), "\(outcome.text)")
    let twin = try run(text("pass"))
    #expect(twin.exitCode == 0, "\(twin.text)")
  }
}
