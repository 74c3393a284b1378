import Foundations
import Testing

@Suite("Hosts that are cut off from each other")
struct PartitionTests {
  @Test("Bytes and the end of a connection that stands come when they are sent again, in order")
  func heldBack() throws {
    let text =
      HostScenario.head(
        """
        listener = socket.create_server(("", 7000))
        say("ready")
        c, peer = listener.accept()
        say(peer[0], peer == c.getpeername(), *c.getsockname())
        while data := c.recv(99): say(elapsed(), data.decode())
        say(elapsed(), "end")
        c.sendall(b"bye")
        c.close()
        """,
        """
        c = socket.create_connection(("b.test", 7000))
        say(c.getsockname()[0], *c.getpeername())
        c.sendall(b"one")
        time.sleep(10)
        c.sendall(b"two")
        time.sleep(1)
        c.sendall(b"three")
        c.shutdown(socket.SHUT_WR)
        say(c.recv(9).decode(), elapsed(), c.recv(9))
        """) + """
        steps:
          - start: b
          - start: a
          - tick: 5s
          - partition: [[a], [b]]
          - tick: 8500ms
          - heal: all
          - tick: 10s
        expect:
          targets:
            a: { stdout: { lines: ["198.18.0.2 198.18.0.1 7000", "bye 16.2 b''"] } }
            b: { stdout: { lines: [ready, "198.18.0.2 True 198.18.0.1 7000", 0.0 one, 16.2 twothree, 16.2 end] } }

        """
    try HostScenario.expect(text, butNot: ("heal: all", "expect: {}"), as: "16.2 twothree")
    try HostScenario.expect(text, butNot: ("tick: 8500ms", "tick: 1s"), as: "10.0 two")
  }

  @Test("Who connects meanwhile, in whatever way, comes through when it asks once more")
  func connectsLater() throws {
    let text =
      HostScenario.head(
        """
        listener = socket.create_server(("", 7000))
        say("ready")
        # A client that is slow would meet their end as well.
        connections = []
        while True:
            connections.append(listener.accept())
            say("accepted", elapsed())
        """,
        """
        begin = time.time()
        def meet(make):
            try: say("connected to %s:%d" % make().getpeername(), elapsed(begin))
            except OSError as error: say(error.errno, elapsed(begin))
        def blocks():
            c = socket.socket()
            c.connect(("b.test", 7000))
            return c
        def polls():
            c = socket.socket()
            c.setblocking(False)
            say(c.connect_ex(("198.18.0.1", 7000)), c.connect_ex(("198.18.0.1", 7000)))
            events = select.epoll()
            events.register(c, select.EPOLLIN | select.EPOLLOUT | select.EPOLLET)
            say([event for _, event in events.poll()], c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
            return c
        def givesUp():
            c = socket.socket()
            c.settimeout(2)
            c.connect(("b.test", 7000))
        meet({ "blocks": blocks, "polls": polls, "leaves": givesUp }[sys.argv[1]])
        """, hosts: "blocks polls leaves") + """
        steps:
          - start: b
          - partition: [[blocks, polls, leaves], [b]]
          - start: blocks
          - start: polls
          - start: leaves
          - tick: 6500ms
          - heal: all
          - { wait: exit, target: blocks }
          - { wait: exit, target: polls }
        expect:
          targets:
            b: { stdout: { lines: [ready, accepted 7.0, accepted 7.0] } }
            blocks: { stdout: 'connected to 198.18.0.1:7000 7.0' }
            polls: { stdout: { lines: [115 114, "[4] 0", 'connected to 198.18.0.1:7000 7.0'] } }
            leaves: { stdout: None 2.0 }

        """
    try HostScenario.expect(
      text, butNot: ("6500ms", "7500ms"), as: "connected to 198.18.0.1:7000 11.0")
  }

  @Test("A signal that interrupts a connect over a cut link leaves the connection under way")
  func interrupted() throws {
    let text =
      HostScenario.head(
        """
        listener = socket.create_server(("", 7000))
        say("ready")
        listener.accept()[0].sendall(b"hi")
        """,
        """
        import signal
        signal.signal(signal.SIGALRM, lambda *_: say("alarm", elapsed()))
        signal.setitimer(signal.ITIMER_REAL, 2)
        c = socket.socket()
        c.connect(("b.test", 7000))
        say("connected", elapsed(), c.recv(9))
        """) + """
        steps:
          - start: b
          - partition: [[a], [b]]
          - start: a
          - tick: 6s
          - heal: all
          - { wait: exit, target: a }
        expect:
          targets: { a: { stdout: { lines: [alarm 2.0, "connected 7.0 b'hi'"] } } }

        """
    try HostScenario.expect(text, butNot: ("tick: 6s", "tick: 8s"), as: "connected 11.0")
  }

  @Test("A connection that nobody answers ends with a timeout, after as long as Linux waits")
  func timesOut() throws {
    let text =
      HostScenario.head(
        """
        listener = socket.create_server(("", 7000))
        say("ready")
        c, _ = listener.accept()
        say(c.recv(99))
        try: c.recv(99)
        except OSError as error: say(error.errno, elapsed())
        """,
        """
        if sys.argv[1] == "sends":
            c = socket.create_connection(("b.test", 7000))
            c.sendall(b"one")
            time.sleep(10)
            c.sendall(b"two")
        else:
            time.sleep(5)
        try:
            if sys.argv[1] == "sends": say(c.recv(9))
            elif sys.argv[1] == "blocks": socket.create_connection(("b.test", 7000))
            else:
                c = socket.socket()
                c.setblocking(False)
                c.connect_ex(("198.18.0.1", 7000))
                events = select.poll()
                events.register(c, select.POLLOUT)
                say([event for _, event in events.poll()], c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), elapsed())
        except OSError as error: say(error.errno, elapsed())
        """, hosts: "sends blocks polls") + """
        steps:
          - start: b
          - start: sends
          - start: blocks
          - start: polls
          - tick: 4s
          - partition: [[sends, blocks, polls], [b]]
          - { wait: exit, target: blocks }
          - { wait: exit, target: polls }
          - { wait: exit, target: sends }
        expect:
          targets:
            b: { stdout: { lines: [ready, "b'one'"] } }
            blocks: { stdout: 110 136.0 }
            polls: { stdout: "[28] 110 136.0" }
            sends: { stdout: 110 934.6 }

        """
    try HostScenario.expect(
      text, butNot: ("[[sends, blocks, polls], [b]]", "[[blocks], [polls, sends]]"),
      as: "expected \"110 136.0\"")
  }

  @Test("Of many that connect at one instant, each gives up at the same one, and soon")
  func timeOutTogether() throws {
    let text =
      HostScenario.head(
        """
        listener = socket.create_server(("", 7000))
        say("ready")
        listener.accept()
        """,
        """
        time.sleep(5)
        def meet():
            try: socket.create_connection(("b.test", 7000))
            except OSError as error: say(error.errno, elapsed())
        threads = [threading.Thread(target=meet) for _ in range(16)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        say("all", elapsed())
        """) + """
        steps:
          - start: b
          - start: a
          - tick: 4s
          - partition: [[a], [b]]
          - { wait: exit, target: a }
        expect:
          targets:
            a: { stdout: { matches: '^(110 136\\.0\\n){16}all 136\\.0\\n$' } }

        """
    try HostScenario.expect(text, butNot: ("- partition: [[a], [b]]", "- tick: 1s"), as: "136")
  }

  @Test("Options of a socket decide how long its kernel waits for an answer")
  func socketOptions() throws {
    let text =
      HostScenario.head(
        """
        listener = socket.create_server(("", 7000))
        # Those that it accepts have its options.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in ((socket.TCP_KEEPIDLE, 10), (socket.TCP_KEEPINTVL, 3), (socket.TCP_KEEPCNT, 2)):
            listener.setsockopt(socket.IPPROTO_TCP, name, value)
        say("ready")
        def serve(c):
            try:
                while data := c.recv(99): c.sendall(data)
            except OSError as error: say(error.errno, elapsed())
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """,
        """
        begin = time.time()
        c = socket.socket()
        def set(name, value): c.setsockopt(socket.IPPROTO_TCP, name, value)
        def keepAlive():
            c.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            set(socket.TCP_KEEPIDLE, 8)
            set(socket.TCP_KEEPINTVL, 3)
            set(socket.TCP_KEEPCNT, 2)
        what = sys.argv[-1]
        try:
            if what == "retries": set(socket.TCP_SYNCNT, 2)
            if what in ["hurried", "sends"]: set(socket.TCP_USER_TIMEOUT, 2500)
            if what == "idle": keepAlive()
            c.connect(("b.test", 7000))
            if what == "later": keepAlive()
            c.sendall(b"hi")
            c.recv(9)
            time.sleep(10)
            if what == "sends": c.sendall(b"more")
            say(c.recv(9))
        except OSError as error: say(error.errno, elapsed(begin))
        """, hosts: "retries hurried sends idle later") + """
        steps:
          - start: b
          - { start: { target: sends, args: [sends] } }
          - { start: { target: idle, args: [idle] } }
          - { start: { target: later, args: [later] } }
          - tick: 9s
          - partition: [[retries, hurried, sends, idle, later], [b]]
          - run: { target: retries, args: [retries] }
            expect: { stdout: 110 7.0 }
          - run: { target: hurried, args: [hurried] }
            expect: { stdout: 110 2.5 }
          - tick: 20s
        expect:
          targets:
            b: { stdout: { lines: [ready, 110 16.0, 110 16.0, 110 16.0] } }
            sends: { stdout: 110 12.5 }
            idle: { stdout: 110 22.0 }
            later: { stdout: 110 22.0 }

        """
    try HostScenario.expect(
      text, butNot: ("if what in [\"hurried\", \"sends\"]", "if False"), as: "110 131.0")
    try HostScenario.expect(
      text, butNot: ("- tick: 9s", "- tick: 7s"), as: "expected \"110 22.0\"")
  }

  @Test("An option counts that is set as soon as a socket has its connection")
  func optionsAtOnce() throws {
    let text =
      HostScenario.head(
        """
        listener = socket.create_server(("", 7000))
        say("ready")
        kept = []
        while True: kept.append(listener.accept())
        """,
        """
        connections = []
        for _ in range(8):
            c = socket.socket()
            c.connect(("b.test", 7000))
            c.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 5000)
            connections.append(c)
        time.sleep(20)
        begin = time.time()
        for c in connections: c.sendall(b"x")
        def end(c):
            try: return c.recv(9)
            except OSError as error: return error.errno, elapsed(begin)
        say({end(c) for c in connections})
        """) + """
        steps: [{ start: b }, { start: a }, tick: 10s, partition: [[a], [b]], tick: 1000s]
        expect: { targets: { a: { stdout: "{(110, '5.0')}" } } }

        """
    try HostScenario.expect(text, butNot: ("TIMEOUT, 5000", "TIMEOUT, 0"), as: "924.6")
  }

  @Test("A socket tells the options that it was given, whoever carries them out")
  func tellsOptions() throws {
    let text =
      HostScenario.head(
        """
        listener = socket.create_server(("", 7000))
        say("ready")
        kept = [listener.accept()]
        time.sleep(99)
        """,
        """
        c = socket.socket()
        def set(name, value): c.setsockopt(socket.IPPROTO_TCP, name, value)
        def told(): return [c.getsockopt(socket.IPPROTO_TCP, name) for name in (socket.TCP_USER_TIMEOUT, socket.TCP_SYNCNT)]
        set(socket.TCP_USER_TIMEOUT, 4000)
        set(socket.TCP_SYNCNT, 3)
        c.connect(("b.test", 7000))
        say(told())
        set(socket.TCP_USER_TIMEOUT, 0)
        say(told())
        set(socket.TCP_USER_TIMEOUT, 9000)
        say(told())
        import ctypes
        for room in (0, 2, 4, 8):
            place = ctypes.create_string_buffer(b"x" * 8, 8)
            length = ctypes.c_uint(room)
            option = socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT
            ctypes.CDLL(None).getsockopt(c.fileno(), *option, place, ctypes.byref(length))
            say(length.value, place.raw.hex())
        """) + """
        steps: [{ start: b }, { run: a }, { partition: [[a], [b]] }]
        expect:
          targets:
            a:
              stdout:
                lines:
                  - "[4000, 3]"
                  - "[0, 3]"
                  - "[9000, 3]"
                  - 0 7878787878787878
                  - 2 2823787878787878
                  - 4 2823000078787878
                  - 4 2823000078787878

        """
    try HostScenario.expect(text, butNot: ("TCP_SYNCNT, 3)", "TCP_SYNCNT, 4)"), as: "[4000, 4]")
  }

  @Test("Datagrams are lost, and nobody is told")
  func datagrams() throws {
    let text =
      HostScenario.head(
        """
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind(("", 7000))
        say("ready")
        while True:
            data, peer = s.recvfrom(999)
            say(elapsed(), data.decode(), peer[0])
            s.sendto(data.upper(), peer)
        """,
        """
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.settimeout(1)
        if sys.argv[1] == "joined": s.connect(("b.test", 7000))
        for number in range(4):
            text = b"%d" % number
            if sys.argv[1] == "joined": s.send(text)
            else: s.sendto(text, ("b.test", 7000))
            try: say(*s.recvfrom(99))
            except TimeoutError: say("none")
            time.sleep(1)
        """, hosts: "joined free") + """
        steps:
          - start: b
          - start: joined
          - start: free
          - tick: 500ms
          - partition: [[joined, free], [b]]
          - tick: 3s
          - heal: all
          - { wait: exit, target: joined }
          - { wait: exit, target: free }
        expect:
          targets:
            b:
              stdout:
                lines: [ready, 0.0 0 198.18.0.2, 0.0 0 198.18.0.3, 5.0 3 198.18.0.2, 5.0 3 198.18.0.3]
            joined: { stdout: { lines: ["b'0' ('198.18.0.1', 7000)", none, none, "b'3' ('198.18.0.1', 7000)"] } }
            free: { stdout: { lines: ["b'0' ('198.18.0.1', 7000)", none, none, "b'3' ('198.18.0.1', 7000)"] } }

        """
    // How the two that send at one instant come is the kernel's business.
    let sorted = text.replacing(", 0.0 0 198.18.0.3", with: ", { matches: '^0.0 0' }").replacing(
      "[ready, 0.0 0 198.18.0.2", with: "[ready, { matches: '^0.0 0' }"
    ).replacing("5.0 3 198.18.0.2", with: "{ matches: '^5.0 3' }")
      .replacing("5.0 3 198.18.0.3", with: "{ matches: '^5.0 3' }")
    try HostScenario.expect(sorted, butNot: ("[joined, free], [b]", "[joined], [free]"), as: "none")
  }

  /// What ends connections, and how.
  private static let endings = HostScenario.head(
    """
    def serve(c):
        what = c.recv(99).decode().rstrip("z")
        if what == "reset":
            c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            c.close()
        elif what == "close": c.close()
        elif what == "unread":
            time.sleep(1)
            c.recv(1)
            c.close()
        elif what == "big":
            c.sendall(b"x" * 50_000_000)
            c.close()
        elif what == "half":
            while c.recv(99): pass
            time.sleep(5)
            c.sendall(b"later")
            c.close()
        else:
            time.sleep(1)
            try:
                while True:
                    c.sendall(b"y")
                    time.sleep(1)
            except OSError as error: say(what, error.errno)
    listener = socket.create_server(("::", 7000), family=socket.AF_INET6, dualstack_ipv6=True)
    say("ready")
    while True:
        c, _ = listener.accept()
        threading.Thread(target=serve, args=(c,), daemon=True).start()
    """,
    """
    def ask(what):
        c = socket.create_connection(("b.test", 7000))
        c.sendall(what)
        return c
    def answer(what, c):
        try: say(what, c.recv(9), c.recv(9))
        except OSError as error: say(what, error.errno)
    answer("reset", ask(b"reset"))
    answer("close", ask(b"close"))
    answer("unread", ask(b"unread" + b"z" * 100000))
    c = ask(b"big")
    time.sleep(1)
    count = 0
    while data := c.recv(100000): count += len(data)
    say("big", count)
    c = ask(b"half")
    c.shutdown(socket.SHUT_WR)
    begin = time.time()
    answer("half", c)
    say(elapsed(begin))
    c = ask(b"gone")
    time.sleep(.5)
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    c.close()
    time.sleep(3)
    c = ask(b"closed")
    time.sleep(.5)
    c.close()
    time.sleep(5)
    try: socket.create_connection(("b.test", 7001))
    except OSError as error: say(error.errno)
    c = socket.socket()
    c.setblocking(False)
    say(c.connect_ex(("198.18.0.1", 7001)))
    events = select.poll()
    events.register(c, select.POLLOUT)
    say([event for _, event in events.poll(1000)], c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
    c = socket.socket(socket.AF_INET6)
    c.connect(("::ffff:198.18.0.1", 7000))
    say(*c.getpeername()[:2], c.getsockname()[0])
    for _ in range(50): ask(b"close").recv(9)
    """)

  @Test(
    "Connections that are relayed begin and end as those that are not", arguments: [true, false])
  func endings(isRelayed: Bool) throws {
    let text =
      Self.endings + """
          c: { host: c.test, command: ['true'] }
        steps: [{ start: b }, { run: a }\(isRelayed ? ", { partition: [[a], [c]] }" : "")]
        expect:
          targets:
            a:
              stdout:
                lines:
                  - reset 104
                  - "close b'' b''"
                  - unread 104
                  - big 50000000
                  - "half b'later' b''"
                  - '5.0'
                  - '111'
                  - '115'
                  - '[28] 111'
                  - '::ffff:198.18.0.1 7000 ::ffff:198.18.0.2'
            b: { stdout: { lines: [ready, gone 104, closed 32] } }

        """
    try HostScenario.expect(text, butNot: ("b\"closed\"", "b\"close\""), as: "expected 3 lines")
  }

  @Test("A target that dies while it is cut off is known to be gone once the links are whole")
  func death() throws {
    let text =
      HostScenario.head(
        """
        listener = socket.create_server(("", 7000))
        say("ready")
        c, _ = listener.accept()
        c.sendall(b"here")
        time.sleep(1000)
        """,
        """
        c = socket.create_connection(("b.test", 7000))
        say(c.recv(9), elapsed())
        say(c.recv(9), elapsed())
        """) + """
        steps:
          - start: b
          - start: a
          - tick: 1s
          - name: cut
            partition: [a, b]
          - signal: { signal: KILL, target: b }
          - tick: 10s
          - heal: cut
          - { wait: exit, target: a }
        expect:
          targets:
            a: { stdout: { lines: ["b'here' 0.0", "b'' 13.6"] } }

        """
    try HostScenario.expect(text, butNot: ("heal: cut", "tick: 3s\n  - heal: cut"), as: "b'' 26.4")
  }

  @Test("Mistakes are told with their places")
  func mistakes() throws {
    func check(_ steps: String) throws -> String {
      let folder = try TemporaryFolder()
      let text = """
        version: 2
        targets:
          n1: { command: [a], host: n1.test }
          n2: { command: [b], host: n2.test }
          asks: { command: [c] }
        steps:
          - start: n1
        \(steps)

        """
      let outcome = try BuiltRunner.run(["check", folder.write(text, to: "mistake.yaml")])
      outcome.expectExit(2)
      return outcome.errorOutput
    }
    func expect(
      _ steps: String, _ messages: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let text = try check(steps)
      for message in messages {
        #expect(text.contains(message), "\(text)", sourceLocation: sourceLocation)
      }
    }
    try expect(
      "  - partition: [[n1], [n3]]", "mistake.yaml:8:24", "unknown target \"n3\"",
      "did you mean \"n1\"")
    try expect(
      "  - partition: [[n1], [n2, asks]]", "mistake.yaml:8:28",
      "\"asks\" has no \"host\", so it has no links to cut", "host: asks.test")
    try expect(
      "  - partition: [[n1, n2], [n2]]", "mistake.yaml:8:28", "\"n2\" is in the partition twice",
      "the other place is here")
    try expect("  - partition: [[n1, n2]]", "mistake.yaml:8:16", "nothing is separated")
    try expect("  - partition: n1", "mistake.yaml:8:16", "\"partition\" must be a list of groups")
    try expect("  - partition: []", "\"partition\" is empty")
    try expect("  - heal: all", "mistake.yaml:8:11", "no step before creates a partition to heal")
    try expect(
      "  - { partition: [n1, n2], name: cut }\n  - heal: cat", "mistake.yaml:9:11",
      "unknown partition \"cat\"", "did you mean \"cut\"")
    try expect(
      "  - { partition: [n1, n2], name: cut }\n  - heal: cut\n  - heal: cut", "mistake.yaml:10:11",
      "unknown partition \"cut\"")
  }
}
