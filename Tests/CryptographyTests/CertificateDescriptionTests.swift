import Foundations
import Testing

@testable import Cryptography

@Suite("What a certificate says")
struct CertificateDescriptionTests {
  /// Signs a certificate with a subject and alternative names, by itself.
  private func certificate(
    _ subject: DistinguishedName, names: [AlternativeName], from begin: Int64, to end: Int64
  ) throws -> [UInt8] {
    let key = try SigningKey()
    return try CertificateContent(
      serialNumber: [1], issuer: DistinguishedName(.commonName("an issuer")),
      notBefore: WallInstant(seconds: begin), notAfter: WallInstant(seconds: end),
      subject: subject, publicKey: key.publicKey(), extensions: [.noAuthority, .names(names)]
    ).signed(by: key)
  }

  @Test("It tells who has it, who has given it, and from when until when")
  func description() throws {
    let bytes = try certificate(
      DistinguishedName(.organization("Example, Ltd"), .commonName("alice")),
      names: [.host("alice.test"), .address([10, 0, 0, 1])], from: 1_900_000_000,
      to: 4_000_000_000)

    let description = try #require(CertificateDescription(der: bytes))

    #expect(description.subject == "CN=alice,O=Example\\, Ltd")
    #expect(description.commonNames == ["alice"])
    #expect(description.issuer == "CN=an issuer")
    #expect(description.alternativeNames == ["alice.test", "10.0.0.1"])
    #expect(description.notBefore == WallInstant(seconds: 1_900_000_000))
    #expect(description.notAfter == WallInstant(seconds: 4_000_000_000))
    #expect(description.fingerprint == DigestAlgorithm.sha256.digest(of: bytes).hexadecimal)
  }

  @Test(
    "Characters that RFC 4514 gives a meaning are escaped",
    arguments: [
      (" a b ", "CN=\\ a b\\ "), ("#a#", "CN=\\#a#"),
      ("a+b;c<d>\"\\", "CN=a\\+b\\;c\\<d\\>\\\"\\\\"),
      ("ä", "CN=ä"), ("", "CN="),
    ])
  func escapes(name: String, text: String) throws {
    let bytes = try certificate(
      DistinguishedName(.commonName(name)), names: [], from: 0, to: 1)

    #expect(CertificateDescription(der: bytes)?.subject == text)
  }

  @Test("Cut or changed bytes are no certificate, or another one, and never a crash")
  func damage() throws {
    let bytes = try certificate(
      DistinguishedName(.commonName("alice")), names: [.host("alice.test")], from: 0, to: 1)

    for length in 0..<bytes.count {
      #expect(CertificateDescription(der: Array(bytes.prefix(length))) == nil)
    }
    for index in bytes.indices {
      for value: UInt8 in [0, 0x30, 0x7f, 0x80, 0x84, 0xff] {
        var changed = bytes
        changed[index] = value
        _ = CertificateDescription(der: changed)
      }
    }
  }
}
