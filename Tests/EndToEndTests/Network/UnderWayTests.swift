import Testing

/// What the kernel has not delivered yet counts: no deadline comes before it.
@Suite("What is under way when everything sleeps")
struct UnderWayTests {
  private static let folder = "\(BuiltRunner.root)/Tests/Stress"

  /// Many cases at once: the launch of one must not hold back what the mock server of another closes.
  @Test(
    "The end of a connection comes before a timeout, however many cases are being started",
    arguments: ["reset", "truncate", "reset-peer"])
  func ends(name: String) throws {
    let outcome = try BuiltRunner.run([
      "run", "\(Self.folder)/\(name).yaml", "--repeat", "60", "-j", "16",
    ])

    outcome.expectExit(0)
    #expect(outcome.output.contains("60 passed, 0 failed"), "\(outcome.text)")
  }

  @Test("Bytes and datagrams come before a timeout", arguments: ["held-bytes", "datagrams"])
  func bytes(name: String) throws {
    let outcome = try BuiltRunner.run([
      "run", "\(Self.folder)/\(name).yaml", "--repeat", "20", "-j", "8",
    ])

    outcome.expectExit(0)
  }

  @Test(
    "A server that does not answer, and one that does not take the connection, let the timeout come",
    arguments: [
      ("listen(5)", "create_connection(server.getsockname(), timeout=5).recv(1)"),
      ("listen(0)", "[create_connection(server.getsockname(), timeout=5) for _ in range(9)]"),
    ])
  func silence(server: String, client: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target:
        command: [python3, silent.py]
        files:
          silent.py: |
            import threading, time
            from socket import socket, create_connection
            server = socket()
            server.bind(("127.0.0.1", 0))
            server.\(server)
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
            try:
                \(client)
            except TimeoutError:
                print("timed out", flush=True)
      clock: { at: 2026-01-01T00:00:00Z, flow: auto }
      expect: { exit: 0, stdout: "timed out\\n", duration: 5s }

      """, to: "silent.yaml")
    let outcome = try BuiltRunner.run(["run", path])

    outcome.expectExit(0)
    withExtendedLifetime(folder) {}
  }

  /// Runs a script of Python with `server` listening, in virtual time.
  private func run(_ script: String, prints output: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "      \($0)" }.joined(separator: "\n")
    let path = folder.write(
      """
      version: 2
      target:
        command: [python3, talk.py]
        files:
          talk.py: |
            import select, socket, threading, time
            server = socket.socket()
            server.bind(("127.0.0.1", 0))
            server.listen(1)
      \(lines)
      clock: { at: 2026-01-01T00:00:00Z, flow: auto }
      expect: { exit: 0, stdout: "\(output)\\n", duration: 1s }

      """, to: "talk.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  /// Two ends of a connection, of which one reads with a timeout while the other waits a second.
  private static let dialogue = """
    client = socket.create_connection(server.getsockname())
    peer, _ = server.accept()
    peer.settimeout(30)
    def read():
        try:
            print(peer.recv(10).decode(), flush=True)
        except TimeoutError:
            print("timed out", flush=True)
    reader = threading.Thread(target=read)
    reader.start()
    time.sleep(1)

    """

  @Test(
    "Bytes that a sender wants the kernel to hold back come before a timeout",
    arguments: [
      "client.send(b'abc', socket.MSG_MORE)", "client.sendmsg([b'abc'], [], socket.MSG_MORE)",
      "client.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1); client.send(b'abc')",
    ])
  func heldBack(send: String) throws {
    let outcome = try run(Self.dialogue + "\(send)\nreader.join()", prints: "abc")

    outcome.expectExit(0)
  }

  /// A network namespace of the script's own, in which loopback is up; the server listens there.
  private static let ownNetwork = """
    import ctypes, fcntl, struct
    assert ctypes.CDLL(None).unshare(0x50000000) == 0, "unshare(CLONE_NEWUSER | CLONE_NEWNET)"
    fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 1))
    server = socket.create_server(("127.0.0.1", 0))

    """

  @Test(
    "Bytes that the kernel holds back in a network namespace of the target's own come before a timeout",
    .enabled(
      if: (try? BuiltRunner.command(["unshare", "--user", "--net", "true"]).exitCode) == 0,
      "network namespaces are not allowed here"),
    arguments: ["", "import os\nif os.fork(): os._exit(os.waitstatus_to_exitcode(os.wait()[1]))\n"])
  func ownNetwork(child: String) throws {
    let send = "client.send(b'abc', socket.MSG_MORE)\nreader.join()"
    let outcome = try run(Self.ownNetwork + child + Self.dialogue + send, prints: "abc")

    outcome.expectExit(0)
  }

  @Test("The completion of a MSG_ZEROCOPY comes before a timeout, though nobody reads the bytes")
  func zeroCopy() throws {
    let script = """
      client = socket.create_connection(server.getsockname())
      peer, _ = server.accept()
      client.setsockopt(socket.SOL_SOCKET, 60, 1)
      threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
      time.sleep(1)
      for _ in range(20): client.send(b"x"); peer.recv(1); peer.send(b"y"); client.recv(1)
      client.send(b"x" * 20000, 0x4000000)
      queue = select.poll()
      queue.register(client, 0)
      print("completed" if queue.poll(30000) else "timed out", flush=True)
      """
    let outcome = try run(script, prints: "completed")

    outcome.expectExit(0)
  }

  @Test(
    "More cases than a process has places for supervisors have their mock servers one after the other"
  )
  func places() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [curl, --silent, "http://a.example.com/"] }
      responses: [ { GET http://a.example.com/: { text: fine } } ]
      expect: { stdout: fine }

      """, to: "places.yaml")
    let outcome = try BuiltRunner.run(["run", path, "--repeat", "260", "-j", "4"])

    outcome.expectExit(0)
    withExtendedLifetime(folder) {}
  }

  @Test("A terminal answers once the echo is off, however many cases are being started")
  func terminal() throws {
    let outcome = try BuiltRunner.run([
      "run", "\(BuiltRunner.root)/Tests/RealPrograms/screen-zsh-asks.yaml", "--repeat", "60",
      "-j", "16",
    ])

    outcome.expectExit(0)
  }
}
