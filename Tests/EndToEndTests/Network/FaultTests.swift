import Testing

/// Each fault as a real client sees it; and that it sees none where none is said.
@Suite("Faults as clients see them")
struct FaultTests {
  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "faults.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private func curl(_ option: String, entries: String, exit: String) -> String {
    """
    version: 2
    target: { command: [curl, --silent, \(option), --max-time, "9", "https://a.example.com/"] }
    clock: { at: 2026-03-01T09:00:00Z, flow: auto }
    responses: [ \(entries) ]
    network: { unused: ignore }
    expect: { exit: \(exit) }

    """
  }

  /// How a reply goes wrong, and the code that curl ends with over HTTP/1.1.
  private static let replyFaults = [
    ("fault: reset", "56"), ("fault: close, text: never seen", "18"), ("fault: empty", "52"),
    ("fault: hang", "28"), ("fault: garbage", "1"), ("fault: malformed_chunk", "56"),
    ("fault: goaway", "52"), ("fault: { truncate: 4 }, text: cut here", "18"),
    ("fault: { bandwidth: 1 }, text: a dozen long", "28"),
  ]

  @Test("A reply that goes wrong over HTTP/1.1 has curl's code for it", arguments: replyFaults)
  func replies(fault: String, code: String) throws {
    let entry = "{ request: GET https://a.example.com/, reply: "
    let broken = try run(curl("--http1.1", entries: entry + "{ \(fault) } }", exit: code))
    let whole = try run(curl("--http1.1", entries: entry + "{ text: fine } }", exit: code))

    broken.expectExit(0)
    whole.expectExit(1)
  }

  @Test(
    "A fault that a file says for all its scenarios spares the host that one of them answers itself",
    arguments: ["refuse", "{ dns: nxdomain }", "{ tls: expired }"])
  func sharedFault(fault: String) throws {
    let own = "{ GET https://a.example.com/: { text: fine } }"
    func text(_ entries: String) -> String {
      curl("--http1.1", entries: "{ host: a.example.com, fault: \(fault) }", exit: "0")
        + "scenarios: [ { name: shop, responses: [ \(entries) ] } ]\n"
    }
    let spared = try run(text(own))
    let broken = try run(text(own.replacing("//a.", with: "//b.")))

    spared.expectExit(0)
    broken.expectExit(1)
  }

  // What curl calls these differs by its version.
  @Test("A reply that goes wrong over HTTP/2 is no success", arguments: replyFaults)
  func streams(fault: String, _: String) throws {
    let entry = "{ request: GET https://a.example.com/, reply: "
    let broken = try run(curl("--http2", entries: entry + "{ \(fault) } }", exit: "{ not: 0 }"))
    let whole = try run(curl("--http2", entries: entry + "{ text: fine } }", exit: "{ not: 0 }"))

    broken.expectExit(0)
    whole.expectExit(1)
  }

  @Test(
    "A connection that goes wrong has curl's code for it, and one that is meant for another host is fine",
    arguments: [
      ("refuse", 7), ("unreachable", 7), ("{ dns: nxdomain }", 6), ("{ dns: servfail }", 6),
      ("{ dns: timeout }", 28), ("{ dns: refused }", 6), ("{ dns: nodata }", 6),
      ("{ tls: expired }", 60), ("{ tls: not_yet_valid }", 60),
      ("{ tls: wrong_host }", 60), ("{ tls: untrusted }", 60), ("{ tls: stall }", 28),
      ("{ tls: close }", 35),
    ])
  func connections(fault: String, code: Int) throws {
    let answer = "{ GET https://a.example.com/: { text: fine } }"
    let broken = try run(
      curl(
        "--http1.1", entries: "{ host: a.example.com, fault: \(fault) }, \(answer)", exit: "\(code)"
      ))
    let whole = try run(
      curl(
        "--http1.1", entries: "{ host: b.example.com, fault: \(fault) }, \(answer)", exit: "\(code)"
      ))

    broken.expectExit(0)
    whole.expectExit(1)
  }

  @Test(
    "A program gets the kernel's error number, and the resolver's",
    arguments: [("refuse", "ECONNREFUSED"), ("unreachable", "EHOSTUNREACH")])
  func numbers(fault: String, name: String) throws {
    func scenario(_ name: String) -> String {
      """
      version: 2
      target:
        command: [python3, connect.py]
        files:
          connect.py: |
            import errno, os, socket

            def attempt(family, address, blocking):
                with socket.socket(family) as connection:
                    connection.setblocking(blocking)
                    number = connection.connect_ex((address, 443))
                    # Told already, it is not told again.
                    pending = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                    print(errno.errorcode.get(number), pending)

            def resolve(host):
                try:
                    print(socket.getaddrinfo(host, 443)[0][4][0] is not None)
                except socket.gaierror as error:
                    print({socket.EAI_NONAME: "EAI_NONAME", socket.EAI_AGAIN: "EAI_AGAIN"}[error.errno])

            for blocking in [True, False]:
                attempt(socket.AF_INET, "a.example.com", blocking)
                attempt(socket.AF_INET, "192.0.2.9", blocking)
                attempt(socket.AF_INET6, "2001:db8::9", blocking)
            for host in ["a.example.com", "gone.example.com", "lost.example.com"]:
                resolve(host)
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses:
        - { host: a.example.com, fault: \(fault) }
        - { host: 192.0.2.9, fault: \(fault) }
        - { host: "[2001:db8::9]", fault: \(fault) }
        - { host: gone.example.com, fault: { dns: nxdomain } }
        - { host: lost.example.com, fault: { dns: servfail } }
      expect:
        exit: 0
        stdout: { lines: [\(String(repeating: "\(name) 0, ", count: 6))"True", EAI_NONAME, EAI_AGAIN] }

      """
    }

    let told = try run(scenario(name))
    let other = try run(scenario("ENETUNREACH"))

    told.expectExit(0)
    other.expectExit(1)
  }

  @Test(
    "A lookup takes one of the times of a fault, whatever the number of its queries",
    arguments: [
      "getent ahosts", "getent ahostsv4", "getent hosts",
      "python3 -c 'import socket, sys; socket.getaddrinfo(sys.argv[1], 443)'",
      "node -e 'require(\"dns\").resolve4(process.argv[1], (error) => process.exit(error ? 1 : 0))'",
    ], ["nxdomain", "nodata"])
  func lookupsCounted(command: String, fault: String) throws {
    func scenario(times: Int, _ results: String) -> String {
      """
      version: 2
      target:
        command: [sh, look.sh]
        files:
          look.sh: |
            for attempt in 1 2 3; do
              if \(command) gone.example.com > answer 2>&1; then echo found; else echo lost; fi
            done
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses:
        - { host: gone.example.com, fault: { dns: \(fault) }, times: \(times) }
      expect: { exit: 0, stdout: { lines: [\(results)] } }

      """
    }

    let once = try run(scenario(times: 1, "lost, found, found"))
    let twice = try run(scenario(times: 2, "lost, lost, found"))
    let other = try run(scenario(times: 2, "lost, found, found"))

    once.expectExit(0)
    twice.expectExit(0)
    other.expectExit(1)
  }

  @Test("A resolver that a program brings along tells names apart that are not resolved")
  func names() throws {
    func scenario(_ codes: String) -> String {
      """
      version: 2
      target:
        command: [node, look.mjs]
        files:
          look.mjs: |
            import { resolve4 } from "node:dns/promises"

            for (const host of ["gone", "lost", "void", "here"])
              console.log(await resolve4(host + ".example.com").then((found) => found.length, (error) => error.code))
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses:
        - { host: gone.example.com, fault: { dns: nxdomain } }
        - { host: lost.example.com, fault: { dns: servfail } }
        - { host: void.example.com, fault: { dns: timeout } }
      expect:
        exit: 0
        stdout: { lines: [\(codes)] }
        # It asks twice, and waits five seconds at least for each answer.
        duration: { greater_than: 9s }

      """
    }

    let told = try run(scenario("ENOTFOUND, ESERVFAIL, ETIMEOUT, \"1\""))
    let other = try run(scenario("ENOTFOUND, ESERVFAIL, \"1\", \"1\""))

    told.expectExit(0)
    other.expectExit(1)
  }
}
