internal import Crypto
internal import FoundationEssentials
internal import Foundations
internal import NIOSSL
internal import SwiftASN1
internal import Synchronization
internal import X509

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

  private let key: Certificate.PrivateKey
  private let certificate: Certificate
  private let keyIdentifier: SubjectKeyIdentifier
  private let leaves = Mutex<[String: Leaf]>([:])

  /// A certificate for one name, and its key.
  typealias Leaf = (certificate: NIOSSLCertificate, key: NIOSSLPrivateKey)

  /// The maximum number of names that are kept; a client that asks for more makes the authority begin anew.
  static let maximumLeaves = 4096

  private static let notBefore = Date(timeIntervalSince1970: 0)
  /// 9999-12-31T23:59:59Z, "no well-defined expiration" in RFC 5280, section 4.1.2.5.
  private static let notAfter = Date(timeIntervalSince1970: 253_402_300_799)
  /// The upper bound of a common name (RFC 5280, appendix A).
  private static let maximumCommonNameLength = 64

  /// Makes a new authority with a new key.
  ///
  /// Names, dates and serial numbers are the same in each run; keys and signatures are not. A key that
  /// follows from a seed in a file could be made by everybody, and some programs trust it for longer than the
  /// run; and a signature of ECDSA has a random part (FIPS 186-5, section 6.3), so that the bytes would differ
  /// all the same.
  package init() throws(StandInError) {
    do {
      key = Certificate.PrivateKey(P256.Signing.PrivateKey())
      let identifier = SubjectKeyIdentifier(hash: key.publicKey)
      let name = try DistinguishedName {
        OrganizationName("scenario")
        CommonName("scenario run authority")
      }
      certificate = try Certificate(
        version: .v3, serialNumber: Self.serialNumber(of: ""),
        publicKey: key.publicKey,
        notValidBefore: Self.notBefore, notValidAfter: Self.notAfter, issuer: name, subject: name,
        extensions: Certificate.Extensions {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
          Critical(KeyUsage(keyCertSign: true, cRLSign: true))
          identifier
        },
        issuerPrivateKey: key)
      keyIdentifier = identifier
      let document = try certificate.serializeAsPEM()
      certificatePEM = document.pemString + "\n"
      certificateBytes = document.derBytes
    } catch {
      throw StandInError(
        .certifying, message: "the run's certificate authority cannot be made: \(error)",
        help: "this is a bug; please report it")
    }
  }

  /// The certificate for a host name or an IP address, and its key; made at the first call.
  func leaf(for host: String) throws(StandInError) -> Leaf {
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
    [0x40] + SHA256.hash(data: Array(host.utf8)).prefix(15)
  }

  private static func serialNumber(of host: String) -> Certificate.SerialNumber {
    Certificate.SerialNumber(bytes: serialBytes(of: host))
  }

  /// A new certificate for a host name or an IP address, and its key; for all times unless said.
  func issueLeaf(
    for host: String, from begin: WallInstant? = nil, to end: WallInstant? = nil
  ) throws(StandInError) -> Leaf {
    do {
      let leafKey = P256.Signing.PrivateKey()
      // RFC 5280, section 4.1.2.2: no two certificates of an issuer have the same number.
      let subject = begin.map { "\(host) from \($0.seconds)" } ?? host
      let publicKey = Certificate.PublicKey(leafKey.publicKey)
      let commonName = host.utf8.count <= Self.maximumCommonNameLength ? host : "scenario"
      let leaf = try Certificate(
        version: .v3, serialNumber: Self.serialNumber(of: subject),
        publicKey: publicKey,
        notValidBefore: begin.map(Self.date) ?? Self.notBefore,
        notValidAfter: end.map(Self.date) ?? Self.notAfter, issuer: certificate.subject,
        subject: try DistinguishedName { CommonName(commonName) },
        extensions: Certificate.Extensions {
          Critical(BasicConstraints.notCertificateAuthority)
          Critical(KeyUsage(digitalSignature: true))
          try ExtendedKeyUsage([.serverAuth])
          SubjectAlternativeNames([Self.generalName(of: host)])
          AuthorityKeyIdentifier(keyIdentifier: keyIdentifier.keyIdentifier)
          SubjectKeyIdentifier(hash: publicKey)
        },
        issuerPrivateKey: key)
      var serializer = DER.Serializer()
      try serializer.serialize(leaf)
      return (
        try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der),
        try NIOSSLPrivateKey(bytes: Array(leafKey.derRepresentation), format: .der)
      )
    } catch {
      throw StandInError(
        .certifying, message: "no certificate can be made for \"\(host)\": \(error)",
        help: "this is a bug; please report it")
    }
  }

  /// Certificates know no dates before 1950 (RFC 5280, section 4.1.2.5), and none behind 9999.
  private static func date(_ instant: WallInstant) -> Date {
    let seconds = min(max(Double(instant.seconds), -631_152_000), 253_402_300_799)
    return Date(timeIntervalSince1970: seconds)
  }

  private static func generalName(of host: String) -> GeneralName {
    guard let bytes = AddressLiteral.bytes(of: host) else { return .dnsName(host) }
    return .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
  }
}
