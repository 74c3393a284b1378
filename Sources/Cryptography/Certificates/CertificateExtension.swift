/// What a certificate says beyond names, dates and a key (RFC 5280, section 4.2.1).
package enum CertificateExtension: Hashable, Sendable {
  /// The subject may issue certificates for servers, but for no other authorities.
  case authority
  /// The subject may issue no certificates.
  case noAuthority
  /// The key signs certificates and lists of those that are revoked.
  case keySignsCertificates
  /// The key signs handshakes.
  case keySignsHandshakes
  /// The key is a server's.
  case server
  /// The names that the certificate is for.
  case names([AlternativeName])
  /// The key that has signed the certificate, by its identifier.
  case issuerKey(identifier: [UInt8])
  /// The certificate's own key, by its identifier.
  case subjectKey(identifier: [UInt8])

  /// The identifier of a public key, a point (section 4.2.1.2, the first way).
  package static func keyIdentifier(of publicKey: [UInt8]) -> [UInt8] {
    DigestAlgorithm.sha1.digest(of: publicKey)
  }

  func value() throws(CryptographyError) -> DERValue {
    var parts = [identifier]
    // Left out where it is false, which is its default (X.690, section 11.5).
    if isCritical { parts.append(.yes) }
    parts.append(.octetString(try content().bytes))
    return .sequence(parts)
  }

  private var identifier: DERValue {
    switch self {
    case .subjectKey: .objectIdentifier(2, 5, 29, 14)
    case .keySignsCertificates, .keySignsHandshakes: .objectIdentifier(2, 5, 29, 15)
    case .names: .objectIdentifier(2, 5, 29, 17)
    case .authority, .noAuthority: .objectIdentifier(2, 5, 29, 19)
    case .issuerKey: .objectIdentifier(2, 5, 29, 35)
    case .server: .objectIdentifier(2, 5, 29, 37)
    }
  }

  /// Whether a reader that does not know the extension must refuse the certificate.
  private var isCritical: Bool {
    switch self {
    case .authority, .noAuthority, .keySignsCertificates, .keySignsHandshakes: true
    case .server, .names, .issuerKey, .subjectKey: false
    }
  }

  private func content() throws(CryptographyError) -> DERValue {
    switch self {
    case .authority: return .sequence([.yes, .integer([0])])
    case .noAuthority: return .sequence([])
    // keyCertSign is bit 5 and cRLSign bit 6, digitalSignature bit 0, from the highest one (section 4.2.1.3).
    case .keySignsCertificates: return .bitString([0b0000_0110], unusedBits: 1)
    case .keySignsHandshakes: return .bitString([0b1000_0000], unusedBits: 7)
    case .server: return .sequence([.objectIdentifier(1, 3, 6, 1, 5, 5, 7, 3, 1)])
    case .names(let names):
      var values: [DERValue] = []
      for name in names { values.append(try name.value()) }
      return .sequence(values)
    case .issuerKey(let identifier): return .sequence([.implicit(0, identifier)])
    case .subjectKey(let identifier): return .octetString(identifier)
    }
  }
}
