import Testing

/// What the runner itself looks up: where a real host is asked (`spy`, `record`, `live`).
@Suite("Names of real hosts")
struct RealNamesTests {
  /// A network of its own, in which a name server and a real host run, and a module by which glibc would look names
  /// up: whoever loads it leaves a file behind.
  private static let preparation = """
    import fcntl, http.server, os, socket, struct, subprocess, sys, threading
    folder = sys.argv[1]
    texts = {
        "nsswitch.conf": "hosts: files mdns4_minimal [NOTFOUND=return] resolve [!UNAVAIL=return] dns\\n",
        "hosts": "127.0.0.1 localhost\\n127.0.0.1 listed.test\\n",
        "resolv.conf": "nameserver 127.0.0.1\\nsearch domain.test\\noptions ndots:1 timeout:1 attempts:2\\n",
    }
    for name, text in texts.items():
        open(f"{folder}/{name}", "w").write(text)
        subprocess.run(["mount", "--bind", f"{folder}/{name}", f"/etc/{name}"], check=True)
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    # netdevice(7): SIOCSIFFLAGS with IFF_UP.
    fcntl.ioctl(names, 0x8914, struct.pack("16sh", b"lo", 1) + bytes(22))
    names.bind(("127.0.0.1", 53))
    large = socket.create_server(("127.0.0.1", 53))
    asked = set()
    def answer(query, truncates):
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode()); at += 1 + query[at]
        name, kind, question = ".".join(labels).lower(), query[at + 2], query[12:at + 5]
        if name == "silent.test": return None
        if name == "lost.test" and kind not in asked: asked.add(kind); return None
        known = name in ("api.test", "short.domain.test", "large.test", "lost.test")
        code = 2 if name.startswith("broken.") else 0 if known else 3
        cut = 2 if truncates and name == "large.test" else 0
        count = 1 if known and kind == 1 and not cut else 0
        head = query[:2] + bytes([0x81 | cut, 0x80 | code, 0, 1, 0, count, 0, 0, 0, 0])
        address = bytes([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])
        return head + question + address * count
    def serve():
        while True:
            query, sender = names.recvfrom(512)
            reply = answer(query, True)
            if reply: names.sendto(reply, sender)
    def serve_streams():
        while True:
            stream, _ = large.accept()
            while length := stream.recv(2):
                reply = answer(stream.recv(int.from_bytes(length, "big")), False)
                stream.sendall(len(reply).to_bytes(2, "big") + reply)
    class Host(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            text = b"the real " + self.headers["host"].encode()
            self.send_response(200); self.send_header("content-length", str(len(text)))
            self.end_headers(); self.wfile.write(text)
        def log_message(self, *_): pass
    host = http.server.ThreadingHTTPServer(("127.0.0.1", 80), Host)
    for task in (serve, serve_streams, host.serve_forever):
        threading.Thread(target=task, daemon=True).start()
    module = '#include <stdlib.h>\\n__attribute__((constructor)) static void load(void) { system("touch MARK"); }\\n'
    open(f"{folder}/module.c", "w").write(module.replace("MARK", f"{folder}/loaded"))
    library = f"{folder}/libnss_mdns4_minimal.so.2"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, f"{folder}/module.c"], check=True)
    sys.exit(subprocess.run(sys.argv[2:], env={**os.environ, "LD_LIBRARY_PATH": folder}).returncode)
    """

  @Test(
    "The runner finds real hosts by hosts(5) and DNS, whatever nsswitch.conf(5) would load",
    arguments: [
      ("mapped.test", "the real mapped.test"), ("api.test", "the real api.test"),
      ("short", "the real short"), ("large.test", "the real large.test"),
      ("lost.test", "the real lost.test"), ("127.0.0.1", "the real 127.0.0.1"),
      ("nobody.test", "Could not resolve host: nobody.test"),
      ("broken.test", "Could not resolve host: broken.test"),
    ], [("spy", false), ("spy", true), ("record", false), ("record", true), ("live", true)])
  func lookup(
    names: (name: String, expected: String), way: (mode: String, isStatic: Bool)
  ) throws {
    let (name, expected) = names
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let preparation = folder.write(Self.preparation, to: "prepare.py")
    guard let ownNetwork = try Self.ownNetwork() else { return }
    // Who is reached without the mock server is reached where it is: upstreams are the mock server's.
    let isElsewhere = way.mode == "live" && name == "mapped.test"
    let host = isElsewhere ? "listed.test" : name
    let answer = isElsewhere ? "the real listed.test" : expected
    let upstreams = way.mode == "live" ? "" : ", upstreams: { mapped.test: \"listed.test:80\" }"
    let file = folder.write(
      """
      version: 2
      name: names
      timeout: 5m
      target: { command: "curl -sS http://\(host)/ 2>&1; true" }
      network: { mode: \(way.mode)\(upstreams) }
      expect: { stdout: { contains: "\(answer)" } }

      """, to: "names.yaml")
    let program = way.isStatic ? try BuiltRunner.staticExecutable() : BuiltRunner.executable
    let outcome = try BuiltRunner.command(
      ownNetwork + ["python3", preparation, folder.path, program, "run", file])

    outcome.expectExit(0)
    #expect(TemporaryFolder.read("\(folder.path)/loaded") == nil)
    guard way.mode == "record", host != "127.0.0.1" else { return }
    // What the runner was told is what the recording says, and what is met without a network.
    let recording = TemporaryFolder.read("\(folder.path)/__recordings__/names.yaml") ?? ""
    let heard =
      switch name {
      case "nobody.test": "dns: nxdomain"
      case "broken.test": "dns: servfail"
      default: "url: http://\(host)/"
      }
    #expect(recording.contains(heard), "\(recording)")
    let replay = try BuiltRunner.command([program, "run", file, "--network", "offline"])
    replay.expectExit(0)
  }

  @Test("`scenario record` finds real hosts in the same way", arguments: [false, true])
  func command(isStatic: Bool) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let preparation = folder.write(Self.preparation, to: "prepare.py")
    guard let ownNetwork = try Self.ownNetwork() else { return }
    let program = isStatic ? try BuiltRunner.staticExecutable() : BuiltRunner.executable
    let outcome = try BuiltRunner.command(
      ownNetwork + [
        "python3", preparation, folder.path, "sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh",
        folder.path, program, "record", "-o", "short.yaml", "--", "curl", "-sS", "http://short/",
      ])

    outcome.expectExit(0)
    #expect(TemporaryFolder.read("\(folder.path)/loaded") == nil)
    let text = TemporaryFolder.read("\(folder.path)/short.yaml") ?? ""
    #expect(text.contains("the real short"), "\(text)")
  }

  @Test(
    "A program that looks names up by nsswitch.conf(5) loads the module that the runner does not")
  func loaded() throws {
    let folder = try TemporaryFolder()
    let preparation = folder.write(Self.preparation, to: "prepare.py")
    guard let ownNetwork = try Self.ownNetwork() else { return }
    let outcome = try BuiltRunner.command(
      ownNetwork + ["python3", preparation, folder.path, "getent", "ahosts", "nobody.test"])

    #expect(TemporaryFolder.read("\(folder.path)/loaded") != nil, "\(outcome.text)")
  }

  @Test("Where the loopback interface is down, nothing is decided of a case that needs it")
  func loopbackDown() throws {
    guard let ownNetwork = try Self.ownNetwork() else { return }
    let folder = try TemporaryFolder()
    func text(_ rest: String) -> String {
      """
      version: 2
      name: x
      target: { command: [curl, -s, 'http://a.test/'] }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      \(rest)

      """
    }
    let file = folder.write(
      text("responses: [ { GET http://a.test/: { text: hi } } ]\nexpect: { stdout: hi }"),
      to: "x.yaml")
    let alone = folder.write(
      "version: 2\nname: y\ntarget: { command: [echo, hi] }\nexpect: { stdout: hello }\n",
      to: "y.yaml")
    let up = ownNetwork + ["sh", "-c", "ip link set lo up && exec \"$@\"", "sh"]

    let down = try BuiltRunner.run(["run", file], prefix: ownNetwork)
    let doctor = try BuiltRunner.run(["doctor"], prefix: ownNetwork)
    let without = try BuiltRunner.run(["run", alone], prefix: ownNetwork)
    let twin = try BuiltRunner.run(["run", file], prefix: up)

    down.expectExit(3)
    #expect(down.text.contains("the loopback interface is down"), "\(down.text)")
    #expect(down.text.contains("ip link set lo up"), "\(down.text)")
    doctor.expectExit(3)
    #expect(doctor.output.contains("the loopback interface is down\n      help: ip link set lo up"))
    without.expectExit(1)
    twin.expectExit(0)
  }

  /// The command before one that has a network and mounts of its own; `nil`, told aloud, where they cannot be had.
  private static func ownNetwork() throws -> [String]? {
    let command = ["unshare", "--mount", "--net"]
    let trial = try BuiltRunner.command(command + ["mount", "--bind", "/etc/hosts", "/etc/hosts"])
    if trial.exitCode == 0 { return command }
    print("skipped: no network of its own can be made, or nothing can be mounted")
    return nil
  }
}
