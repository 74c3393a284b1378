import Testing

/// Mutual TLS: what the mock server asks of its clients, and who answers them.
@Suite("Certificates of clients")
struct ClientCertificateTests {
  /// Makes certificates with OpenSSL, in the scenario's time, and asks with curl.
  private func run(
    _ script: String, _ rest: String, network: String = ""
  ) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let lines = (Self.functions + script).split(separator: "\n").map { "      \($0)\n" }.joined()
    let path = folder.write(
      "version: 2\nclock: { at: 2031-03-01T09:00:00Z, flow: auto }\n\(network.isEmpty ? "network: { unused: ignore }" : network)\n"
        + "target:\n  command: [bash, -e, client.sh]\n  files:\n    client.sh: |\n\(lines)\(rest)\n",
      to: "mutual.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static let functions = """
    certify() {
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
        -subj "/C=DE/O=Example, Ltd/CN=$1" -addext "subjectAltName=email:$1@example.test,DNS:$1.test,IP:10.0.0.1" \
        -keyout $1.key -out $1.pem 2> /dev/null
    }
    ask() { curl --silent --show-error --write-out ' %{http_code}\\n' "$@"; }

    """

  @Test(
    "A client is who its certificate says, in each version of TLS and HTTP",
    arguments: ["--http1.1", "--http2", "--tls-max 1.2 --http1.1", "--tls-max 1.2 --http2"])
  func subject(options: String) throws {
    let outcome = try run(
      """
      certify alice
      certify bob
      ask \(options) --cert alice.pem --key alice.key https://bank.test/me
      ask \(options) --cert bob.pem --key bob.key https://bank.test/me
      """,
      """
      responses:
        - request:
            url: https://bank.test/me
            client_certificate:
              common_name: alice
              subject: 'CN=alice,O=Example\\, Ltd,C=DE'
              issuer: { contains: CN=alice }
              alternative_name: 10.0.0.1
              fingerprint: { matches: '^[0-9a-f]{64}$' }
          reply: { text: Alice }
        - request: { url: https://bank.test/me, client_certificate: { alternative_name: bob@example.test } }
          reply: { text: Bob }
      expect:
        exit: 0
        stdout: { lines: [Alice 200, Bob 200] }
        requests:
          - { request: { url: https://bank.test/me, client_certificate: { common_name: alice } }, count: 1 }
          - { request: { url: https://bank.test/me, client_certificate: { common_name: bob } }, count: 1 }
      """)

    outcome.expectExit(0)
  }

  @Test(
    "A client's key may be of any kind",
    arguments: [
      "ed25519", "rsa:2048", "ec -pkeyopt ec_paramgen_curve:secp384r1",
      "ec -pkeyopt ec_paramgen_curve:secp521r1",
    ])
  func keys(kind: String) throws {
    let outcome = try run(
      """
      openssl req -x509 -newkey \(kind) -nodes -subj /CN=alice -keyout a.key -out a.pem 2> /dev/null
      ask --cert a.pem --key a.key https://bank.test/me
      ask --tls-max 1.2 --cert a.pem --key a.key https://bank.test/me
      """,
      """
      responses:
        - { request: { url: https://bank.test/me, client_certificate: { common_name: alice } }, reply: { text: yes }, then: repeat }
      expect: { exit: 0, stdout: { lines: [yes 200, yes 200] } }
      """)

    outcome.expectExit(0)
  }

  @Test(
    "Nobody is refused whom something else would answer",
    arguments: ["network: { unused: ignore, unmatched: { status: 200, text: any } }", ""])
  func openHost(network: String) throws {
    let outcome = try run(
      "ask https://bank.test/open || echo refused",
      """
      responses:
        - { request: { url: https://bank.test/me, client_certificate: { exists: true } }, reply: { text: x } }
      expect: { exit: 0, stdout: any 200 }
      """, network: network)

    #expect(outcome.exitCode == (network.isEmpty ? 1 : 0), "\(outcome.text)")
  }

  @Test("A session that is resumed has the certificate of its first connection")
  func resumption() throws {
    let outcome = try run(
      """
      certify alice
      ask --http1.1 --cert alice.pem --key alice.key --header 'Connection: close' https://bank.test/1 https://bank.test/2
      """,
      """
      responses:
        - { request: { url: https://bank.test/1, client_certificate: { common_name: alice } }, reply: { text: yes } }
        - { request: { url: https://bank.test/2, client_certificate: { common_name: alice } }, reply: { text: too } }
      expect: { exit: 0, stdout: { lines: [yes 200, too 200] } }
      """)

    outcome.expectExit(0)
  }

  @Test("A certificate of somebody else answers no request", arguments: ["alice", "bob"])
  func another(name: String) throws {
    let outcome = try run(
      """
      certify bob
      ask --cert bob.pem --key bob.key https://bank.test/me
      """,
      """
      responses:
        - { request: { url: https://bank.test/me, client_certificate: { common_name: \(name) } }, reply: { text: x } }
      """)

    #expect(outcome.exitCode == (name == "bob" ? 0 : 1), "\(outcome.text)")
    #expect(
      outcome.output.contains("client certificate \"common_name\": expected \"alice\"")
        == (name == "alice"), "\(outcome.text)")
  }

  @Test("A certificate expires by the scenario's clock")
  func expiry() throws {
    let script = """
      certify alice
      ask --cert alice.pem --key alice.key https://bank.test/me
      sleep 31d
      ask --cert alice.pem --key alice.key https://bank.test/me
      """
    let entry =
      "  - { request: { url: https://bank.test/me, client_certificate: { common_name: alice } }, reply: { text: Alice } }\n"
    let expired =
      "  - { request: { url: https://bank.test/me, client_certificate: { validity: expired } }, reply: { status: 400, text: Old } }\n"

    let without = try run(script, "responses:\n\(entry)")
    let with = try run(
      script,
      "responses:\n\(entry)\(expired)expect: { exit: 0, stdout: { lines: [Alice 200, Old 400] } }")

    with.expectExit(0)
    without.expectExit(1)
    #expect(
      without.output.contains(
        "client certificate \"validity\": expected \"valid\", got \"expired\""),
      "\(without.text)")
  }

  @Test("Who has no certificate is refused in the handshake, unless an entry answers without one")
  func none() throws {
    let script = "ask https://bank.test/me || ask https://bank.test/me || echo refused"
    let entry =
      "  - { request: { url: https://bank.test/me, client_certificate: { exists: true } }, reply: { text: Yes } }\n"
    let absent =
      "  - { request: { url: https://bank.test/me, client_certificate: { absent: true } }, reply: { status: 403, text: No } }\n"

    let refused = try run(script, "responses:\n\(entry)expect: { stdout: { contains: refused } }")
    let answered = try run(
      script, "responses:\n\(entry)\(absent)expect: { exit: 0, stdout: No 403 }")

    answered.expectExit(0)
    refused.expectExit(1)
    #expect(
      refused.output.ranges(of: "presented no certificate").count == 1, "\(refused.text)")
    #expect(
      refused.output.contains("has presented no certificate to bank.test:443, and was refused"),
      "\(refused.text)")
  }

  @Test("What no host asks for cannot be expected")
  func unasked() throws {
    let outcome = try run(
      "true",
      """
      responses:
        - { request: { url: https://bank.test/me }, reply: { text: x } }
      expect:
        requests: [{ request: { path: /me, client_certificate: { absent: true } }, count: 1 }]
      """)

    outcome.expectExit(2)
    #expect(outcome.text.contains("no response asks clients for a certificate"), "\(outcome.text)")
  }

  @Test("Clients of other hosts are not asked for a certificate")
  func otherHosts() throws {
    let outcome = try run(
      """
      for host in bank.test shop.test; do
        openssl s_client -connect $host:443 -servername $host < /dev/null 2> /dev/null |
          grep -c 'Requested Signature Algorithms' || true
      done
      """,
      """
      responses:
        - { request: { url: https://bank.test/me, client_certificate: { absent: true } }, reply: { text: x } }
        - { request: { url: https://shop.test/me }, reply: { text: x } }
      expect: { exit: 0, stdout: { lines: ['2', '0'] } }
      """)

    outcome.expectExit(0)
  }

  @Test(
    "A condition that no client can meet is an error of the file",
    arguments: [
      (
        "url: http://bank.test/", "exists: true",
        "needs the name of a host that clients reach by TLS"
      ),
      ("path: /me", "exists: true", "needs the name of a host that clients reach by TLS"),
      ("url: https://bank.test/", "comon_name: alice", "did you mean \"common_name\""),
      ("url: https://bank.test/", "validity: expierd", "did you mean \"expired\""),
      ("url: https://bank.test/", "", "\"client_certificate\" is empty"),
      ("url: https://bank.test/", "absent: true, common_name: alice", "cannot be combined with"),
    ])
  func mistakes(address: String, condition: String, message: String) throws {
    let outcome = try run(
      "true",
      "responses:\n  - { request: { \(address), client_certificate: { \(condition) } }, reply: { text: x } }\n"
    )

    outcome.expectExit(2)
    #expect(outcome.text.contains(message), "\(outcome.text)")
  }
}
