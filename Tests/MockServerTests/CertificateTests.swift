import Testing

@testable import MockServer

@Suite("Certificates")
struct CertificateTests {
  @Test("A bundle is read as what it holds, and what is damaged in it is left out")
  func bundle() throws {
    let first = try CertificateAuthority()
    let second = try CertificateAuthority()
    let damaged = "-----BEGIN CERTIFICATE-----\nMII!\n-----END CERTIFICATE-----\n"
    let text = "# roots\n" + first.certificatePEM + damaged + "x\n" + second.certificatePEM

    let bundle = CertificateBundle(pem: text.utf8)

    #expect(bundle.certificates == [first.certificateBytes, second.certificateBytes])
    #expect(CertificateBundle(pem: "".utf8).certificates.isEmpty)
  }

  @Test("Java's key store has each certificate and a digest that depends on the password")
  func keyStore() throws {
    let authority = try CertificateAuthority()
    let bundle = CertificateBundle(pem: (authority.certificatePEM + authority.certificatePEM).utf8)

    let store = bundle.javaKeyStore()

    #expect(store.prefix(12) == [0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2, 0, 0, 0, 2])
    #expect(store.firstRange(of: authority.certificateBytes) != nil)
    let other = bundle.javaKeyStore(password: "other")
    #expect(store.dropLast(20) == other.dropLast(20))
    #expect(store.suffix(20) != other.suffix(20))
  }

  @Test("Serial numbers come from the name, and from nothing else; keys come from nothing at all")
  func serials() throws {
    let serials = ["a.test", "b.test"].map { CertificateAuthority.serialBytes(of: $0) }

    #expect(serials == ["a.test", "b.test"].map { CertificateAuthority.serialBytes(of: $0) })
    #expect(serials[0] != serials[1])
    #expect(serials.allSatisfy { $0.count <= 20 && ($0.first ?? 0) < 0x80 })
    let authorities = try [CertificateAuthority(), CertificateAuthority()]
    #expect(authorities[0].certificateBytes != authorities[1].certificateBytes)
  }

  @Test("A name's certificate is made once, for all scenarios of a run")
  func cache() throws {
    let authority = try CertificateAuthority()

    let first = try authority.leaf(for: "a.test").certificate
    #expect(try authority.leaf(for: "a.test").certificate === first)
    #expect(try authority.issueLeaf(for: "a.test").certificate !== first)
    #expect(try authority.leaf(for: "b.test").certificate !== first)
  }

  @Test("p11-kit's source keeps what it holds and gains the authority as an anchor")
  func tokens() {
    let text = TrustStore.mergedTokens(systemTokens: "old", authority: "PEM\n")

    #expect(text.hasPrefix("old\n[p11-kit-object-v1]\ntrusted: true\n"))
    #expect(text.hasSuffix("\nPEM\n"))
  }
}
