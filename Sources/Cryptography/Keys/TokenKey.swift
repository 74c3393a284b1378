internal import CNIOBoringSSL

/// A key of RSA, on a curve of NIST, or of Ed25519, by which tokens are signed or verified.
///
/// Several threads may use it at once: BoringSSL lets threads share a key that none of them changes (evp.h), and after
/// `init` nothing changes it.
package final class TokenKey: @unchecked Sendable {
  /// The kind of a key.
  package enum Kind: Hashable, Sendable {
    /// RSA, with the number of bits of its modulus.
    case rsa(bits: Int)
    /// A curve of NIST, by its name in JSON Web Keys (RFC 7518, section 6.2.1.1).
    case curve(String)
    /// Ed25519 (RFC 8037).
    case ed25519
  }

  let key: OpaquePointer
  /// The kind.
  package let kind: Kind
  /// True if it can sign.
  package let isPrivate: Bool

  /// Takes over a key; the key is freed if it is of another kind.
  init(owning key: OpaquePointer, isPrivate: Bool) throws(CryptographyError) {
    self.key = key
    self.isPrivate = isPrivate
    guard let kind = Self.kind(of: key) else {
      EVP_PKEY_free(key)
      throw .failed(function: "EVP_PKEY_id", reason: "the key is neither RSA nor EC nor Ed25519")
    }
    self.kind = kind
  }

  /// The beginning of a block in PEM.
  private static let blockStart = "-----BEGIN "

  /// Returns whether a text has a block in PEM, whatever stands before it (RFC 7468, section 2).
  package static func isPEM(_ text: String) -> Bool { text.contains(blockStart) }

  /// Reads a private or public key in PEM: PKCS #8, PKCS #1, SEC 1, or SubjectPublicKeyInfo.
  package convenience init(pem text: String) throws(CryptographyError) {
    // A block begins a line for BoringSSL, so that a mark of the byte order would hide it.
    let start = text.firstRange(of: Self.blockStart)?.lowerBound ?? text.startIndex
    let pem = String(text[start...])
    if let key = Self.read(pem, by: { PEM_read_bio_PrivateKey($0, nil, nil, nil) }) {
      try self.init(owning: key, isPrivate: true)
      return
    }
    ERR_clear_error()
    if let key = Self.read(pem, by: { PEM_read_bio_PUBKEY($0, nil, nil, nil) }) {
      try self.init(owning: key, isPrivate: false)
      return
    }
    ERR_clear_error()
    guard let key = Self.read(pem, by: Self.readNumbers) else {
      throw .failure(of: "PEM_read_bio_PUBKEY")
    }
    try self.init(owning: key, isPrivate: false)
  }

  /// Reads a public key of RSA that stands alone (PKCS #1).
  private static func readNumbers(_ source: OpaquePointer?) -> OpaquePointer? {
    guard let numbers = PEM_read_bio_RSAPublicKey(source, nil, nil, nil) else { return nil }
    defer { RSA_free(numbers) }
    guard let key = EVP_PKEY_new() else { return nil }
    guard EVP_PKEY_set1_RSA(key, numbers) == 1 else {
      EVP_PKEY_free(key)
      return nil
    }
    return key
  }

  /// A form in which a text has a key, or none, that cannot be read.
  package enum UnreadableForm: Sendable {
    /// A private key behind a passphrase.
    case encrypted
    /// A private key as ssh-keygen(1) writes it.
    case openSSH
    /// A certificate, which has the public key.
    case certificate
  }

  /// The form of a text that is known, and not read; `nil` for others.
  package static func unreadableForm(of text: String) -> UnreadableForm? {
    if text.contains(blockStart + "ENCRYPTED PRIVATE KEY-----")
      || text.unicodeScalars.contains("\nProc-Type: 4,ENCRYPTED".unicodeScalars)
    {
      return .encrypted
    }
    if text.contains(blockStart + "OPENSSH PRIVATE KEY-----") { return .openSSH }
    return text.contains(blockStart + "CERTIFICATE-----") ? .certificate : nil
  }

  deinit {
    EVP_PKEY_free(key)
  }

  private static func read(
    _ pem: String, by read: (OpaquePointer?) -> OpaquePointer?
  ) -> OpaquePointer? {
    let bytes = Array(pem.utf8)
    return bytes.withUnsafeBytes { bytes in
      guard let source = BIO_new_mem_buf(bytes.baseAddress, bytes.count) else { return nil }
      defer { BIO_free(source) }
      return read(source)
    }
  }

  private static func kind(of key: OpaquePointer) -> Kind? {
    switch EVP_PKEY_id(key) {
    case EVP_PKEY_RSA: return .rsa(bits: Int(EVP_PKEY_bits(key)))
    case EVP_PKEY_ED25519: return .ed25519
    case EVP_PKEY_EC:
      guard let key = EVP_PKEY_get0_EC_KEY(key), let group = EC_KEY_get0_group(key) else {
        return nil
      }
      return Curve.all.first { $0.identifier == EC_GROUP_get_curve_name(group) }.map {
        .curve($0.name)
      }
    default: return nil
    }
  }

  // MARK: - Writing

  /// The private key in PEM (PKCS #8).
  package func privateText() throws(CryptographyError) -> String {
    try written("PEM_write_bio_PrivateKey") {
      PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil)
    }
  }

  /// The public key in PEM (SubjectPublicKeyInfo).
  package func publicText() throws(CryptographyError) -> String {
    try written("PEM_write_bio_PUBKEY") { PEM_write_bio_PUBKEY($0, key) }
  }

  private func written(
    _ function: String, _ write: (OpaquePointer?) -> Int32
  ) throws(CryptographyError) -> String {
    guard let output = BIO_new(BIO_s_mem()) else { throw .failure(of: "BIO_new") }
    defer { BIO_free(output) }
    guard write(output) == 1 else { throw .failure(of: function) }
    var bytes: UnsafePointer<UInt8>?
    var length = 0
    guard BIO_mem_contents(output, &bytes, &length) == 1 else {
      throw .failure(of: "BIO_mem_contents")
    }
    return String(
      decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
  }

  /// The members of the public key as a JSON Web Key that its thumbprint is made of, in their order (RFC 7638, section
  /// 3.2); numbers and points are bytes.
  package func publicMembers() throws(CryptographyError) -> [(name: String, value: Member)] {
    switch kind {
    case .rsa:
      guard let key = EVP_PKEY_get0_RSA(key) else { throw .failure(of: "EVP_PKEY_get0_RSA") }
      return [
        ("e", .bytes(BigNumber.bytes(of: RSA_get0_e(key)))), ("kty", .text("RSA")),
        ("n", .bytes(BigNumber.bytes(of: RSA_get0_n(key)))),
      ]
    case .curve(let name):
      let point = try point()
      return [
        ("crv", .text(name)), ("kty", .text("EC")), ("x", .bytes(point.x)), ("y", .bytes(point.y)),
      ]
    case .ed25519:
      var bytes = [UInt8](repeating: 0, count: 32)
      var length = bytes.count
      guard EVP_PKEY_get_raw_public_key(key, &bytes, &length) == 1 else {
        throw .failure(of: "EVP_PKEY_get_raw_public_key")
      }
      return [("crv", .text("Ed25519")), ("kty", .text("OKP")), ("x", .bytes(bytes))]
    }
  }

  /// A member of a JSON Web Key.
  package enum Member: Hashable, Sendable {
    /// A text.
    case text(String)
    /// Bytes, which are written in Base64url.
    case bytes([UInt8])
  }

  /// The coordinates of the public key, each as long as the curve's field.
  private func point() throws(CryptographyError) -> (x: [UInt8], y: [UInt8]) {
    guard let key = EVP_PKEY_get0_EC_KEY(key), let group = EC_KEY_get0_group(key),
      let x = BN_new(), let y = BN_new()
    else { throw .failure(of: "EVP_PKEY_get0_EC_KEY") }
    defer {
      BN_free(x)
      BN_free(y)
    }
    guard
      EC_POINT_get_affine_coordinates_GFp(group, EC_KEY_get0_public_key(key), x, y, nil) == 1
    else { throw .failure(of: "EC_POINT_get_affine_coordinates_GFp") }
    let length = (Int(EC_GROUP_get_degree(group)) + 7) / 8
    return (BigNumber.bytes(of: x, length: length), BigNumber.bytes(of: y, length: length))
  }
}

/// The curves of NIST that tokens know.
struct Curve {
  /// The name in JSON Web Keys.
  let name: String
  /// BoringSSL's number of it.
  let identifier: Int32
  /// The number of bytes of the order of its group.
  let orderLength: Int

  static let all = [
    Curve(name: "P-256", identifier: NID_X9_62_prime256v1, orderLength: 32),
    Curve(name: "P-384", identifier: NID_secp384r1, orderLength: 48),
    Curve(name: "P-521", identifier: NID_secp521r1, orderLength: 66),
  ]
}

/// Whole numbers of any length, as BoringSSL has them.
enum BigNumber {
  /// The bytes of a number, the highest first.
  ///
  /// - Parameter length: how many there are at least.
  static func bytes(of number: UnsafePointer<BIGNUM>?, length: Int = 0) -> [UInt8] {
    guard let number else { return [] }
    let count = max(length, Int(BN_num_bytes(number)))
    var bytes = [UInt8](repeating: 0, count: count)
    // It fails only for a number that has more bytes.
    _ = BN_bn2bin_padded(&bytes, count, number)
    return bytes
  }
}
