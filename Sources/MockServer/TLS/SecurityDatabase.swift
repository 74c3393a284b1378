internal import Cryptography

/// A database of NSS, `cert9.db`, in which one certificate is an authority to trust for servers.
///
/// It is what `certutil -A -t C,,` leaves, but for indexes and signatures, which NSS asks for only in a database with a
/// password: an object for the certificate and one for the trust in it, whose attributes are those of PKCS #11
/// (sections 4.6 and 4.7), each a column of the table.
struct SecurityDatabase {
  /// The file.
  let bytes: [UInt8]

  /// Creates the database.
  ///
  /// - Parameters:
  ///   - authority: the certificate in DER.
  ///   - name: its subject and issuer in DER.
  ///   - serialNumber: its serial number in DER, with tag and length.
  init(authority: [UInt8], name: [UInt8], serialNumber: [UInt8]) {
    let certificate: [UInt32: [UInt8]] = [
      Self.objectClass: Self.encoded(Self.certificateClass), Self.isOnToken: [1],
      Self.isPrivate: [0], Self.label: Array("scenario".utf8), Self.value: authority,
      // CKC_X_509.
      0x80: Self.encoded(0), Self.issuer: name, Self.serialNumber: serialNumber,
      // CKA_SUBJECT and CKA_ID.
      0x101: name, 0x102: DigestAlgorithm.sha1.digest(of: authority), Self.isModifiable: [1],
    ]
    let trust: [UInt32: [UInt8]] = [
      Self.objectClass: Self.encoded(Self.trustClass), Self.isOnToken: [1], Self.isPrivate: [0],
      Self.label: Self.empty, Self.issuer: name, Self.serialNumber: serialNumber,
      Self.isModifiable: [1],
      // CKA_TRUST_SERVER_AUTH; those of clients, code, mail and step-up say nothing.
      0xce53_6358: Self.encoded(Self.trustedDelegator),
      0xce53_6359: Self.encoded(Self.unknownTrust), 0xce53_635a: Self.encoded(Self.unknownTrust),
      0xce53_635b: Self.encoded(Self.unknownTrust), 0xce53_6360: [0],
      // CKA_CERT_SHA1_HASH and CKA_CERT_MD5_HASH.
      0xce53_63b4: DigestAlgorithm.sha1.digest(of: authority),
      0xce53_63b5: DigestAlgorithm.md5.digest(of: authority),
    ]
    bytes =
      SQLiteFile(
        table: "nssPublic", columns: ["id"] + Self.attributes.map { "a" + String($0, radix: 16) },
        rows: [certificate, trust].enumerated().map { index, object in
          [.integer(UInt8(index + 1))]
            + Self.attributes.map { object[$0].map { .blob($0) } ?? .null }
        }
      ).bytes
  }

  // MARK: - PKCS #11

  private static let objectClass: UInt32 = 0
  private static let isOnToken: UInt32 = 1
  private static let isPrivate: UInt32 = 2
  private static let label: UInt32 = 3
  private static let value: UInt32 = 0x11
  private static let issuer: UInt32 = 0x81
  private static let serialNumber: UInt32 = 0x82
  private static let isModifiable: UInt32 = 0x170

  private static let certificateClass: UInt32 = 1
  /// CKO_NSS_TRUST.
  private static let trustClass: UInt32 = 0xce53_4353
  /// CKT_NSS_TRUSTED_DELEGATOR: an authority.
  private static let trustedDelegator: UInt32 = 0xce53_4352
  /// CKT_NSS_TRUST_UNKNOWN.
  private static let unknownTrust: UInt32 = 0xce53_4353

  /// What NSS writes for an attribute of no bytes, as NULL stands for one that is missing.
  private static let empty: [UInt8] = [0xa5, 0x00, 0x5a]

  /// Numbers have four bytes, with the highest one first, whatever the machine's are.
  private static func encoded(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// All attributes of which NSS makes columns: into a table that lacks one it could not write an object that has it.
  private static let attributes: [UInt32] =
    ([
      0x0...0x3, 0x10...0x12, 0x80...0x8b, 0x90...0x90, 0x100...0x10c, 0x110...0x111, 0x120...0x129,
      0x130...0x134, 0x160...0x166, 0x170...0x170, 0x180...0x181, 0x200...0x202, 0x210...0x210,
      0x300...0x302, 0x400...0x406, 0x480...0x482, 0x500...0x503, 0x4000_0211...0x4000_0212,
      0x8000_0001...0x8000_0001, 0xce53_4351...0xce53_4358, 0xce53_4364...0xce53_4369,
      0xce53_4373...0xce53_4374, 0xce53_6351...0xce53_6360, 0xce53_63b4...0xce53_63b5,
      0xd5a0_db00...0xd5a0_db00,
    ] as [ClosedRange<UInt32>]).flatMap { Array($0) }
}
