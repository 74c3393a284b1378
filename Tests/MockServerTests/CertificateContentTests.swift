import Cryptography
import Foundations
import NIOSSL
import Testing

@testable import MockServer

/// What certificates say, as OpenSSL's program reads them.
@Suite("Content of certificates", .enabled(if: Command.exists("/usr/bin/openssl")))
struct CertificateContentTests {
  private let authority: CertificateAuthority
  private let authorityFile: TemporaryFile

  init() throws {
    authority = try CertificateAuthority()
    authorityFile = try TemporaryFile(authority.certificatePEM)
  }

  private func openssl(_ arguments: String...) throws -> Command.Result {
    try Command(path: "/usr/bin/openssl").run(arguments)
  }

  /// All lines but those of key and signature, without indentation, in the form of any version of OpenSSL.
  private func lines(of file: TemporaryFile) throws -> [String] {
    try openssl(
      "x509", "-in", file.path, "-noout", "-text", "-certopt", "no_sigdump", "-nameopt", "RFC2253"
    ).output.replacing("keyid:", with: "").split(separator: "\n")
      .map { line in
        let text = line.drop { $0 == " " }
        return String(text.reversed().drop { $0 == " " }.reversed())
      }
      .filter { !$0.isEmpty }
  }

  /// Whether the authority vouches for a certificate, at a time, by OpenSSL's strictest rules.
  private func verify(
    _ file: TemporaryFile, at seconds: Int64 = 1_700_000_000, _ arguments: String...
  ) throws -> Command.Result {
    try Command(path: "/usr/bin/openssl").run(
      [
        "verify", "-x509_strict", "-check_ss_sig", "-purpose", "sslserver", "-attime",
        "\(seconds)", "-CAfile", authorityFile.path,
      ] + arguments + [file.path])
  }

  private func leafFile(
    _ host: String, from begin: Int64? = nil, to end: Int64? = nil
  ) throws -> TemporaryFile {
    let leaf = try authority.issueLeaf(
      for: host, from: begin.map { WallInstant(seconds: $0) },
      to: end.map { WallInstant(seconds: $0) })
    return try TemporaryFile(CertificateAuthority.pem(of: leaf.certificate.toDERBytes()))
  }

  /// The identifier of the key in a certificate, from the point that OpenSSL finds in it.
  private func keyIdentifier(of file: TemporaryFile) throws -> String {
    let lines = try lines(of: file)
    let start = try #require(lines.firstIndex { $0 == "pub:" }) + 1
    let digits = lines[start...].prefix { $0.allSatisfy { $0.isHexDigit || $0 == ":" } }.joined()
    let point = digits.split(separator: ":").compactMap { UInt8($0, radix: 16) }
    #expect(point.count == 65)
    return text(DigestAlgorithm.sha1.digest(of: point))
  }

  private func text(_ bytes: [UInt8]) -> String {
    bytes.map { [$0].hexadecimal.uppercased() }.joined(separator: ":")
  }

  @Test("The authority says who it is, that it may sign servers, and nothing else")
  func authorityContent() throws {
    let lines = try lines(of: authorityFile)

    #expect(lines.contains("Version: 3 (0x2)"))
    #expect(lines.contains("Issuer: CN=scenario run authority,O=scenario"))
    #expect(lines.contains("Subject: CN=scenario run authority,O=scenario"))
    #expect(lines.contains("Signature Algorithm: ecdsa-with-SHA256"))
    #expect(lines.contains("Not Before: Jan  1 00:00:00 1970 GMT"))
    #expect(lines.contains("Not After : Dec 31 23:59:59 9999 GMT"))
    let serial = CertificateAuthority.serialBytes(of: "").hexadecimal
    #expect(lines.contains(serialText(serial)))
    let start = try #require(lines.firstIndex(of: "X509v3 extensions:"))
    #expect(
      lines[(start + 1)...] == [
        "X509v3 Basic Constraints: critical", "CA:TRUE, pathlen:0",
        "X509v3 Key Usage: critical", "Certificate Sign, CRL Sign",
        "X509v3 Subject Key Identifier:", try keyIdentifier(of: authorityFile),
      ])
    let verdict = try openssl(
      "verify", "-x509_strict", "-check_ss_sig", "-CAfile", authorityFile.path, authorityFile.path)
    #expect(verdict.exitCode == 0)
  }

  /// The digits of a serial number as OpenSSL shows long ones.
  private func serialText(_ digits: String) -> String {
    stride(from: 0, to: digits.count, by: 2).map { digits.dropFirst($0).prefix(2) }
      .joined(separator: ":")
  }

  @Test("The names by which programs find the authority in a folder are those of OpenSSL")
  func folderEntries() throws {
    let hashes = try openssl(
      "x509", "-in", authorityFile.path, "-noout", "-subject_hash", "-subject_hash_old")
    #expect(
      hashes.output.split(separator: "\n").map { $0 + ".0" } == CertificateAuthority.folderEntries)
  }

  @Test("The authority's PEM is what OpenSSL writes")
  func pem() throws {
    #expect(
      try openssl("x509", "-in", authorityFile.path).output == authority.certificatePEM)
  }

  @Test(
    "A leaf is for one host, and may sign handshakes of servers, and nothing else",
    arguments: [
      ("api.test", "api.test", "DNS:api.test", "-verify_hostname"),
      ("*.a.test", "*.a.test", "DNS:*.a.test", ""),
      ("203.0.113.7", "203.0.113.7", "IP Address:203.0.113.7", "-verify_ip"),
      ("2001:db8::1", "2001:db8::1", "IP Address:2001:DB8:0:0:0:0:0:1", "-verify_ip"),
      ("::1", "::1", "IP Address:0:0:0:0:0:0:0:1", "-verify_ip"),
      (long(64), long(64), "DNS:\(long(64))", "-verify_hostname"),
      (long(65), "scenario", "DNS:\(long(65))", "-verify_hostname"),
      (long(250), "scenario", "DNS:\(long(250))", "-verify_hostname"),
    ])
  func leaf(host: String, commonName: String, name: String, check: String) throws {
    let file = try leafFile(host)

    let lines = try lines(of: file)

    #expect(lines.contains("Version: 3 (0x2)"))
    #expect(lines.contains("Issuer: CN=scenario run authority,O=scenario"))
    #expect(lines.contains("Subject: CN=\(commonName)"))
    #expect(lines.contains(serialText(CertificateAuthority.serialBytes(of: host).hexadecimal)))
    let start = try #require(lines.firstIndex(of: "X509v3 extensions:"))
    #expect(
      lines[(start + 1)...] == [
        "X509v3 Basic Constraints: critical", "CA:FALSE",
        "X509v3 Key Usage: critical", "Digital Signature",
        "X509v3 Extended Key Usage:", "TLS Web Server Authentication",
        "X509v3 Subject Alternative Name:", name,
        "X509v3 Authority Key Identifier:", try keyIdentifier(of: authorityFile),
        "X509v3 Subject Key Identifier:", try keyIdentifier(of: file),
      ])
    guard !check.isEmpty else { return }
    #expect(try verify(file, check, host).exitCode == 0)
    let other = check == "-verify_ip" ? "203.0.113.8" : "other.test"
    #expect(try verify(file, check, other).exitCode != 0)
  }

  /// A host name of that length, in labels of nine letters.
  private static func long(_ length: Int) -> String {
    String((0..<length).map { $0 % 10 == 9 && $0 < length - 1 ? "." : "n" })
  }

  @Test(
    "A leaf's dates are whole seconds between 1950 and 9999",
    arguments: [
      (-631_152_001, "Jan  1 00:00:00 1950 GMT"), (-631_152_000, "Jan  1 00:00:00 1950 GMT"),
      (-631_151_999, "Jan  1 00:00:01 1950 GMT"), (-1, "Dec 31 23:59:59 1969 GMT"),
      (0, "Jan  1 00:00:00 1970 GMT"), (2_524_607_999, "Dec 31 23:59:59 2049 GMT"),
      (2_524_608_000, "Jan  1 00:00:00 2050 GMT"), (253_402_300_799, "Dec 31 23:59:59 9999 GMT"),
      (253_402_300_800, "Dec 31 23:59:59 9999 GMT"),
    ])
  func dates(seconds: Int64, text: String) throws {
    let lines = try lines(of: leafFile("a.test", from: seconds, to: seconds))

    #expect(lines.contains("Not Before: \(text)"))
    #expect(lines.contains("Not After : \(text)"))
  }

  @Test("A leaf is valid from its first second to its last, and at no other time")
  func validity() throws {
    let file = try leafFile("a.test", from: 2_524_607_990, to: 2_524_608_010)

    #expect(try verify(file, at: 2_524_607_989).output.contains("not yet valid"))
    #expect(try verify(file, at: 2_524_607_990).exitCode == 0)
    #expect(try verify(file, at: 2_524_608_009).exitCode == 0)
    #expect(try verify(file, at: 2_524_608_011).output.contains("has expired"))
  }

  @Test("Another authority vouches for no leaf of this one, though it has the same name")
  func otherAuthority() throws {
    let file = try leafFile("a.test")
    let other = try TemporaryFile(CertificateAuthority().certificatePEM)

    #expect(try verify(file).exitCode == 0)
    #expect(try openssl("verify", "-CAfile", other.path, file.path).exitCode != 0)
  }

  @Test("Many event loops ask one authority at once, and each leaf is sound")
  func threads() async throws {
    let authority = authority
    let leaves = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for index in 0..<64 {
        group.addTask { try authority.leaf(for: "h\(index % 16).test").certificate.toDERBytes() }
      }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }

    for leaf in leaves {
      #expect(try verify(TemporaryFile(CertificateAuthority.pem(of: leaf))).exitCode == 0)
    }
    #expect(
      Set(try (0..<16).map { try authority.leaf(for: "h\($0).test").certificate }).count == 16)
  }

  @Test("A name that no certificate can have is told of")
  func refused() throws {
    let error = #expect(throws: MockServerError.self) {
      try authority.issueLeaf(for: "m\u{fc}nchen.test")
    }
    #expect(error?.message.contains("has characters beyond ASCII") == true)
    #expect(error?.help.contains("xn--") == true)
  }
}
