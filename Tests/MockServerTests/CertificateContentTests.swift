import Cryptography
import Foundations
import NIOSSL
import Testing

@testable import MockServer

/// What certificates say, byte by byte, and what OpenSSL's program thinks of them.
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

  /// The identifier of a certificate's key, by the first way of RFC 5280, section 4.2.1.2.
  private func keyIdentifier(of content: CertificateContent) -> String {
    #expect(content.point.count == 65)
    return CertificateContent.digits(DigestAlgorithm.sha1.digest(of: content.point))
  }

  @Test("The authority says who it is, that it may sign servers, and nothing else")
  func authorityContent() throws {
    let content = try CertificateContent(pem: authority.certificatePEM)
    let name = ["55040a=scenario", "550403=scenario run authority"]

    #expect(content.version == [2])
    #expect(content.issuer == name)
    #expect(content.subject == name)
    // ecdsa-with-SHA256 (RFC 5758, section 3.2).
    #expect(content.algorithm == "2a8648ce3d040302")
    #expect(content.dates == ["17 700101000000Z", "18 99991231235959Z"])
    #expect(content.serial == CertificateAuthority.serialBytes(of: ""))
    #expect(
      content.extensions == [
        // Basic constraints: an authority, without another one below it.
        "551d13 critical 30060101ff020100",
        // Key usage: signs certificates and lists of revoked ones.
        "551d0f critical 03020106",
        "551d0e 0414\(keyIdentifier(of: content))",
      ])
    let verdict = try openssl(
      "verify", "-x509_strict", "-check_ss_sig", "-CAfile", authorityFile.path, authorityFile.path)
    #expect(verdict.exitCode == 0)
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
      ("api.test", "api.test", nil, "-verify_hostname"), ("*.a.test", "*.a.test", nil, ""),
      ("203.0.113.7", "203.0.113.7", [203, 0, 113, 7], "-verify_ip"),
      (
        "2001:db8::1", "2001:db8::1", [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        "-verify_ip"
      ),
      ("::1", "::1", [UInt8](repeating: 0, count: 15) + [1], "-verify_ip"),
      (long(64), long(64), nil, "-verify_hostname"),
      (long(65), "scenario", nil, "-verify_hostname"),
      (long(250), "scenario", nil, "-verify_hostname"),
    ] as [(String, String, [UInt8]?, String)])
  func leaf(host: String, commonName: String, address: [UInt8]?, check: String) throws {
    let file = try leafFile(host)
    let content = try CertificateContent(authority.issueLeaf(for: host).certificate)
    let issuer = try CertificateContent(pem: authority.certificatePEM)
    // A name of DNS, or an address (RFC 5280, section 4.2.1.6).
    let name =
      address.map { CertificateContent.value(0x87, $0) }
      ?? CertificateContent.value(0x82, Array(host.utf8))

    #expect(content.version == [2])
    #expect(content.issuer == issuer.subject)
    #expect(content.subject == ["550403=\(commonName)"])
    #expect(content.serial == CertificateAuthority.serialBytes(of: host))
    #expect(
      content.extensions == [
        // Basic constraints: no authority.
        "551d13 critical 3000",
        // Key usage: signs handshakes.
        "551d0f critical 03020780",
        // Extended key usage: a server of TLS.
        "551d25 300a06082b06010505070301",
        "551d11 " + CertificateContent.digits(CertificateContent.value(0x30, name)),
        "551d23 30168014\(keyIdentifier(of: issuer))",
        "551d0e 0414\(keyIdentifier(of: content))",
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
      (-631_152_001, "17 500101000000Z"), (-631_152_000, "17 500101000000Z"),
      (-631_151_999, "17 500101000001Z"), (-1, "17 691231235959Z"),
      (0, "17 700101000000Z"), (2_524_607_999, "17 491231235959Z"),
      (2_524_608_000, "18 20500101000000Z"), (253_402_300_799, "18 99991231235959Z"),
      (253_402_300_800, "18 99991231235959Z"),
    ])
  func dates(seconds: Int64, text: String) throws {
    let instant = WallInstant(seconds: seconds)
    let leaf = try authority.issueLeaf(for: "a.test", from: instant, to: instant)

    // RFC 5280, section 4.1.2.5: two digits for years up to 2049, four from then on.
    #expect(try CertificateContent(leaf.certificate).dates == [text, text])
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

    #expect(leaves.count >= 16)
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
