package import Foundations

/// What a certificate says, before it is signed (RFC 5280, section 4.1.2).
package struct CertificateContent: Hashable, Sendable {
  /// What tells the certificate from all others of its issuer: the bytes of a positive number, 20 at most.
  package var serialNumber: [UInt8]
  /// Who signs the certificate.
  package var issuer: DistinguishedName
  /// The first second of its validity; 1950 if before.
  package var notBefore: WallInstant
  /// The last second of its validity; the end of 9999 if behind.
  package var notAfter: WallInstant
  /// Whom the certificate is for.
  package var subject: DistinguishedName
  /// The subject's public key, a point on the curve P-256.
  package var publicKey: [UInt8]
  /// What else it says, in order.
  package var extensions: [CertificateExtension]

  /// Creates a content from its parts.
  package init(
    serialNumber: [UInt8], issuer: DistinguishedName, notBefore: WallInstant, notAfter: WallInstant,
    subject: DistinguishedName, publicKey: [UInt8], extensions: [CertificateExtension]
  ) {
    self.serialNumber = serialNumber
    self.issuer = issuer
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.subject = subject
    self.publicKey = publicKey
    self.extensions = extensions
  }

  /// A serial number in DER, with its tag and length.
  package static func encoded(serialNumber: [UInt8]) -> [UInt8] {
    DERValue.integer(serialNumber).bytes
  }

  /// The certificate in DER.
  package func signed(by key: SigningKey) throws(CryptographyError) -> [UInt8] {
    let content = try value()
    return DERValue.sequence([
      content, Self.signatureAlgorithm, .bitString(try key.signature(of: content.bytes)),
    ]).bytes
  }

  /// The TBSCertificate.
  func value() throws(CryptographyError) -> DERValue {
    var extensions: [DERValue] = []
    for element in self.extensions { extensions.append(try element.value()) }
    return .sequence([
      .explicit(0, Self.version3), .integer(serialNumber), Self.signatureAlgorithm, issuer.value,
      .sequence([.time(notBefore), .time(notAfter)]), subject.value,
      .sequence([Self.keyAlgorithm, .bitString(publicKey)]),
      .explicit(3, .sequence(extensions)),
    ])
  }

  private static let version3 = DERValue.integer([2])
  /// ecdsa-with-SHA256 (RFC 5758, section 3.2), which has no parameters.
  private static let signatureAlgorithm = DERValue.sequence([
    .objectIdentifier(1, 2, 840, 10045, 4, 3, 2)
  ])
  /// id-ecPublicKey with secp256r1 (RFC 5480, section 2.1).
  private static let keyAlgorithm = DERValue.sequence([
    .objectIdentifier(1, 2, 840, 10045, 2, 1), .objectIdentifier(1, 2, 840, 10045, 3, 1, 7),
  ])
}
