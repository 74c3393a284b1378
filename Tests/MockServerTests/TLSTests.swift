import Foundations
import MockServer
import Testing

struct TLSTests {
  private static let curl = "/usr/bin/curl"
  private static let openssl = "/usr/bin/openssl"
  private static var hasCurl: Bool { Command.exists(curl) }
  private static var hasOpenSSL: Bool { Command.exists(openssl) }

  /// Runs curl against a mock server for `https://api.test`, trusting its authority unless told otherwise.
  private func curl(
    _ test: TestServer, host: String = "api.test", trusting authority: CertificateAuthority? = nil,
    _ arguments: [String] = []
  ) throws -> Command.Result {
    let port = try test.server.port(host: host, address: "198.18.0.1", port: 443)
    let bundle = try TemporaryFile((authority ?? test.authority).certificatePEM)
    return try Command(path: Self.curl).run(
      [
        "--silent", "--show-error", "--noproxy", "*", "--max-time", "20", "--cacert", bundle.path,
        "--connect-to", "::127.0.0.1:\(port)",
      ] + arguments)
  }

  @Test("curl trusts the run's authority and gets its answer", .enabled(if: hasCurl))
  func trusted() throws {
    let test = try TestServer([
      .entry("GET", "/n", scheme: "https", replies: [.text("secret", times: 2)])
    ])

    let modern = try curl(test, ["https://api.test/n"])
    let older = try curl(test, ["--tls-max", "1.2", "https://api.test/n"])

    #expect(modern.output == "secret")
    #expect(older.output == "secret")
    #expect(
      test.server.requests().map(\.url) == ["https://api.test/n", "https://api.test/n"])
    #expect(test.world.events.count == 2)
  }

  @Test("A client that does not trust the authority is reported", .enabled(if: hasCurl))
  func untrusted() throws {
    let test = try TestServer([.entry("GET", "/n", replies: [.text("secret")])])

    let result = try curl(test, trusting: CertificateAuthority(), ["https://api.test/n"])

    #expect(result.exitCode == 60)
    #expect(test.world.wait { !$0.events.isEmpty })
    guard case .rejectedCertificate("api.test", let message, _, .alert) = test.world.events.first
    else {
      Issue.record("no event: \(test.world.events)")
      return
    }
    #expect(message == "alert unknown_ca")
    #expect(test.server.requests().isEmpty)
  }

  @Test("A TLS client that gives up before its reply is due is reported", .enabled(if: hasCurl))
  func clientLeaves() throws {
    let test = try TestServer([
      .entry("GET", "/n", replies: [.text("late", after: .seconds(5))])
    ])

    let result = try curl(test, ["--max-time", "0.5", "https://api.test/n"])

    #expect(result.exitCode == 28)
    #expect(test.world.wait { $0.events.count == 2 })
    guard case .clientClosed = test.world.events.last else {
      Issue.record("no event: \(test.world.events)")
      return
    }
  }

  @Test("The name in the greeting decides the certificate", .enabled(if: hasCurl))
  func serverName() throws {
    let test = try TestServer([
      .entry("GET", "/n", host: "other.test", replies: [.text("other")])
    ])

    #expect(try curl(test, ["https://other.test/n"]).output == "other")
  }

  @Test("A client that goes to an address gets a certificate for it", .enabled(if: hasCurl))
  func address() throws {
    let test = try TestServer([
      .entry("GET", "/n", host: "203.0.113.7", replies: [.text("by address")])
    ])
    let port = try test.server.port(host: nil, address: "203.0.113.7", port: 443)
    let bundle = try TemporaryFile(test.authority.certificatePEM)

    let result = try Command(path: Self.curl).run([
      "--silent", "--show-error", "--noproxy", "*", "--max-time", "20", "--cacert", bundle.path,
      "--connect-to", "::127.0.0.1:\(port)", "https://203.0.113.7/n",
    ])

    #expect(result.output == "by address")
  }

  @Test("Ten megabytes go both ways through TLS", .enabled(if: hasCurl))
  func large() throws {
    let text = String(repeating: "r", count: 10_000_000)
    let test = try TestServer([.entry("POST", "/n", replies: [.text(text)])])
    let body = try TemporaryFile(String(repeating: "b", count: 10_000_000))

    let result = try curl(test, ["--data-binary", "@\(body.path)", "https://api.test/n"])

    #expect(result.output.utf8.count == text.utf8.count)
    #expect(test.server.requests().map(\.bodyLength) == [10_000_000])
  }

  @Test("The leaf is valid from 1970 to 9999 and made out to the name", .enabled(if: hasOpenSSL))
  func leaf() throws {
    let test = try TestServer([])
    let port = try test.server.port(host: "api.test", address: "198.18.0.1", port: 443)
    let bundle = try TemporaryFile(test.authority.certificatePEM)

    let session = try Command(path: Self.openssl).run([
      "s_client", "-connect", "127.0.0.1:\(port)", "-servername", "www.api.test", "-alpn",
      "h2,http/1.1", "-CAfile", bundle.path, "-x509_strict", "-verify_hostname", "www.api.test",
    ])
    let certificate = try TemporaryFile(session.output)
    let text = try Command(path: Self.openssl).run([
      "x509", "-in", certificate.path, "-noout", "-text",
    ]).output

    #expect(session.output.contains("Verify return code: 0 (ok)"))
    #expect(session.output.contains("ALPN protocol: h2"))
    #expect(text.contains("Not Before: Jan  1 00:00:00 1970 GMT"))
    #expect(text.contains("Not After : Dec 31 23:59:59 9999 GMT"))
    #expect(text.contains("DNS:www.api.test"))
    #expect(text.contains("TLS Web Server Authentication"))
    #expect(text.contains("X509v3 Authority Key Identifier"))
    #expect(text.contains("X509v3 Subject Key Identifier"))
    #expect(text.contains("prime256v1"))
  }

  @Test("The authority may sign servers and nothing else", .enabled(if: hasOpenSSL))
  func authority() throws {
    let first = try CertificateAuthority()
    let file = try TemporaryFile(first.certificatePEM)

    let text = try Command(path: Self.openssl).run([
      "x509", "-in", file.path, "-noout", "-text",
    ]).output

    #expect(text.contains("CA:TRUE, pathlen:0"))
    #expect(text.contains("Certificate Sign, CRL Sign"))
    #expect(text.contains("Not After : Dec 31 23:59:59 9999 GMT"))
    #expect(first.certificatePEM.hasSuffix("-----END CERTIFICATE-----\n"))
    #expect(try CertificateAuthority().certificatePEM != first.certificatePEM)
  }

  @Test("A greeting that is no greeting is reported")
  func garbage() throws {
    let test = try TestServer([])
    let client = try test.client()

    try client.send([0x16, 0x03, 0x01, 0x00, 0x04, 0xFF, 0x00, 0x00, 0x00])
    _ = try client.receiveToEnd()

    guard case .malformedRequest("api.test:80", _) = test.world.events.first else {
      Issue.record("no event: \(test.world.events)")
      return
    }
  }
}
