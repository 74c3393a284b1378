internal import Cryptography
internal import Foundations
internal import NIOSSL
internal import Synchronization

/// The certificate authority of one run.
///
/// Its key never leaves the process. Certificates are valid from 1970 to 9999: a virtual clock may
/// show any time.
package final class CertificateAuthority: Sendable {
  /// The authority's certificate as DER.
  package let certificateBytes: [UInt8]
  /// The authority's certificate as PEM, with a final newline.
  package let certificatePEM: String

  /// The names by which programs look for the authority's certificate in a folder (openssl-rehash(1)): hashes
  /// of the subject, which is the same in each run, as OpenSSL makes them and as it did before 1.0.0.
  package static let folderEntries = ["513899ea.0", "830b10a2.0"]

  private let key: SigningKey
  private let keyIdentifier: [UInt8]
  private let leaves = Mutex<[String: Leaf]>([:])

  /// A certificate for one name, and its key.
  typealias Leaf = (certificate: NIOSSLCertificate, key: NIOSSLPrivateKey)

  /// The maximum number of cached names; a client that requests more makes the authority clear its cache.
  static let maximumLeaves = 4096

  private static let name = DistinguishedName(
    .organization("scenario"), .commonName("scenario run authority"))
  private static let notBefore = WallInstant.epoch
  /// 9999-12-31T23:59:59Z, "no well-defined expiration" in RFC 5280, section 4.1.2.5.
  private static let notAfter = WallInstant(seconds: 253_402_300_799)
  /// The upper bound of a common name (RFC 5280, appendix A).
  private static let maximumCommonNameLength = 64

  /// Makes a new authority with a new key.
  ///
  /// Names, dates and serial numbers are the same in each run; keys and signatures are not. A key that
  /// follows from a seed in a file could be made by everybody, and some programs trust it for longer than the
  /// run; and a signature of ECDSA has a random part (FIPS 186-5, section 6.3), so that the bytes would differ
  /// all the same.
  package init() throws(MockServerError) {
    do {
      key = try SigningKey()
      let publicKey = try key.publicKey()
      keyIdentifier = CertificateExtension.keyIdentifier(of: publicKey)
      let content = CertificateContent(
        serialNumber: Self.serialBytes(of: ""), issuer: Self.name, notBefore: Self.notBefore,
        notAfter: Self.notAfter, subject: Self.name, publicKey: publicKey,
        extensions: [
          .authority, .keySignsCertificates, .subjectKey(identifier: keyIdentifier),
        ])
      certificateBytes = try content.signed(by: key)
      certificatePEM = Self.pem(of: certificateBytes)
    } catch {
      throw MockServerError(
        .certifying, message: "cannot create the run's certificate authority: \(error)",
        help: "this is a bug; please report it")
    }
  }

  /// What a new database of NSS contains, so that programs which have one trust the authority.
  package var securityDatabase: [UInt8] {
    SecurityDatabase(
      authority: certificateBytes, name: Self.name.bytes,
      serialNumber: CertificateContent.encoded(serialNumber: Self.serialBytes(of: ""))
    ).bytes
  }

  /// The certificate for a host name or an IP address, and its key; made at the first call.
  func leaf(for host: String) throws(MockServerError) -> Leaf {
    if let known = leaves.withLock({ $0[host] }) { return known }
    let leaf = try issueLeaf(for: host)
    leaves.withLock { leaves in
      if leaves.count >= Self.maximumLeaves { leaves.removeAll() }
      leaves[host] = leaf
    }
    return leaf
  }

  /// RFC 5280, section 4.1.2.2: positive, and at most 20 bytes.
  static func serialBytes(of host: String) -> [UInt8] {
    [0x40] + DigestAlgorithm.sha256.digest(of: Array(host.utf8)).prefix(15)
  }

  /// A new certificate for a host name or an IP address, and its key; for all times unless said.
  func issueLeaf(
    for host: String, from begin: WallInstant? = nil, to end: WallInstant? = nil
  ) throws(MockServerError) -> Leaf {
    do {
      let leafKey = try SigningKey()
      let publicKey = try leafKey.publicKey()
      // RFC 5280, section 4.1.2.2: no two certificates of an issuer have the same number.
      let subject = begin.map { "\(host) from \($0.seconds)" } ?? host
      let commonName = host.utf8.count <= Self.maximumCommonNameLength ? host : "scenario"
      let content = CertificateContent(
        serialNumber: Self.serialBytes(of: subject), issuer: Self.name,
        notBefore: begin ?? Self.notBefore, notAfter: end ?? Self.notAfter,
        subject: DistinguishedName(.commonName(commonName)), publicKey: publicKey,
        extensions: [
          .noAuthority, .keySignsHandshakes, .server, .names([Self.alternativeName(of: host)]),
          .issuerKey(identifier: keyIdentifier),
          .subjectKey(identifier: CertificateExtension.keyIdentifier(of: publicKey)),
        ])
      return (
        try NIOSSLCertificate(bytes: content.signed(by: key), format: .der),
        try NIOSSLPrivateKey(bytes: leafKey.privateKey(), format: .der)
      )
    } catch {
      throw MockServerError(
        .certifying, message: "cannot create a certificate for \"\(host)\": \(error)",
        help: Self.help(for: error))
    }
  }

  private static func help(for error: any Error) -> String {
    guard case CryptographyError.notASCII? = error as? CryptographyError else {
      return "this is a bug; please report it"
    }
    // RFC 6066, section 3: a server name is ASCII, by A-labels where it is internationalized.
    return "let the program send the name's ASCII form, which begins with xn--, as TLS requires"
  }

  private static func alternativeName(of host: String) -> AlternativeName {
    AddressLiteral.bytes(of: host).map { .address($0) } ?? .host(host)
  }

  /// Lines of 64 letters between two marks, with a final newline (RFC 7468, section 2).
  static func pem(of bytes: [UInt8]) -> String {
    let lines = stride(from: 0, to: bytes.count, by: bytesPerLine).map { start in
      Base64.encoded(Array(bytes[start..<min(start + bytesPerLine, bytes.count)])) + "\n"
    }
    return "-----BEGIN CERTIFICATE-----\n\(lines.joined())-----END CERTIFICATE-----\n"
  }

  private static let bytesPerLine = 48
}
