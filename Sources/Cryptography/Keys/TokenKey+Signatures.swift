internal import CNIOBoringSSL

/// The algorithms of JSON Web Signatures with public keys (RFC 7518, section 3.1; RFC 8037, section 3.1).
package enum TokenAlgorithm: String, CaseIterable, Sendable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"
  case edDSA = "EdDSA"

  /// Returns whether a key of a kind is for the algorithm.
  package func takes(_ kind: TokenKey.Kind) -> Bool {
    switch self {
    // What is signed by RSASSA-PSS has two digests and two bytes, and must be shorter than the modulus.
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
      if case .rsa(let bits) = kind { bits >= 1100 } else { false }
    case .es256: kind == .curve("P-256")
    case .es384: kind == .curve("P-384")
    case .es512: kind == .curve("P-521")
    case .edDSA: kind == .ed25519
    }
  }

  /// The algorithm for a key of a kind where none is named.
  package static func usual(for kind: TokenKey.Kind) -> TokenAlgorithm {
    switch kind {
    case .rsa: .rs256
    case .curve("P-384"): .es384
    case .curve("P-521"): .es512
    case .curve: .es256
    case .ed25519: .edDSA
    }
  }

  /// The digest of what is signed; for EdDSA, which makes its own, the one of its thumbprint.
  fileprivate var digest: DigestAlgorithm {
    switch self {
    case .rs256, .ps256, .es256: .sha256
    case .rs384, .ps384, .es384: .sha384
    case .rs512, .ps512, .es512, .edDSA: .sha512
    }
  }
}

extension TokenKey {
  /// Signs bytes; the same key and the same bytes have the same signature.
  ///
  /// What RSASSA-PSS and ECDSA want at random derives from the key and the bytes, as in RFC 6979.
  ///
  /// - Throws: If the key is public, or of another kind.
  package func signature(
    of bytes: [UInt8], by algorithm: TokenAlgorithm
  ) throws(CryptographyError) -> [UInt8] {
    switch algorithm {
    case .rs256, .rs384, .rs512:
      return try signatureByRSA(of: algorithm.digest.digest(of: bytes), algorithm)
    case .ps256, .ps384, .ps512:
      return try signatureByPSS(of: algorithm.digest.digest(of: bytes), algorithm)
    case .es256, .es384, .es512: return try signatureByCurve(of: algorithm.digest.digest(of: bytes))
    case .edDSA: return try signatureByEdwards(of: bytes)
    }
  }

  private func rsaKey() throws(CryptographyError) -> OpaquePointer {
    guard let key = EVP_PKEY_get0_RSA(key) else { throw .failure(of: "EVP_PKEY_get0_RSA") }
    return key
  }

  private func signatureByRSA(
    of digest: [UInt8], _ algorithm: TokenAlgorithm
  ) throws(CryptographyError) -> [UInt8] {
    let key = try rsaKey()
    var signature = [UInt8](repeating: 0, count: Int(RSA_size(key)))
    var length: UInt32 = 0
    guard
      RSA_sign(algorithm.digest.identifier, digest, digest.count, &signature, &length, key) == 1
    else { throw .failure(of: "RSA_sign") }
    return Array(signature.prefix(Int(length)))
  }

  /// RFC 8017, section 9.1.1, with a salt as long as the digest.
  private func signatureByPSS(
    of digest: [UInt8], _ algorithm: TokenAlgorithm
  ) throws(CryptographyError) -> [UInt8] {
    let key = try rsaKey()
    let hash = algorithm.digest
    let bits = Int(RSA_bits(key)) - 1
    let length = (bits + 7) / 8
    let salt = hash.authenticationCode(
      of: digest, key: BigNumber.bytes(of: RSA_get0_d(key)))
    let seal = hash.digest(of: [UInt8](repeating: 0, count: 8) + digest + salt)
    let block =
      [UInt8](repeating: 0, count: length - 2 * digest.count - 2) + [1] + salt
    var masked = zip(block, hash.mask(from: seal, length: block.count)).map { $0 ^ $1 }
    masked[0] &= 0xFF >> UInt8(8 * length - bits)
    var encoded = masked + seal + [0xBC]
    let size = Int(RSA_size(key))
    if encoded.count < size { encoded.insert(0, at: 0) }
    var signature = [UInt8](repeating: 0, count: size)
    var count = 0
    guard
      RSA_sign_raw(
        key, &count, &signature, size, encoded, encoded.count, RSA_NO_PADDING) == 1
    else { throw .failure(of: "RSA_sign_raw") }
    return Array(signature.prefix(count))
  }

  /// The two numbers of a signature by ECDSA, each as long as the order (RFC 7518, section 3.4).
  private func signatureByCurve(of digest: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard case .curve(let name) = kind, let curve = Curve.all.first(where: { $0.name == name }),
      let key = EVP_PKEY_get0_EC_KEY(key), let secret = EC_KEY_get0_private_key(key)
    else { throw .failure(of: "EVP_PKEY_get0_EC_KEY") }
    let secretBytes = BigNumber.bytes(of: secret, length: curve.orderLength)
    for attempt in UInt8(0)...UInt8.max {
      let nonce = Self.nonce(secretBytes, digest, attempt, curve)
      guard
        let signature = ECDSA_sign_with_nonce_and_leak_private_key_for_testing(
          digest, digest.count, key, nonce, nonce.count)
      else {
        // The number is not below the order.
        ERR_clear_error()
        continue
      }
      defer { ECDSA_SIG_free(signature) }
      return BigNumber.bytes(of: ECDSA_SIG_get0_r(signature), length: curve.orderLength)
        + BigNumber.bytes(of: ECDSA_SIG_get0_s(signature), length: curve.orderLength)
    }
    throw .failed(function: "ECDSA_do_sign", reason: "no number below the order was found")
  }

  /// A number that only the holder of the key can tell, another one for each digest.
  private static func nonce(
    _ secret: [UInt8], _ digest: [UInt8], _ attempt: UInt8, _ curve: Curve
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for block in UInt8(0)..<2 {
      bytes += DigestAlgorithm.sha512.authenticationCode(
        of: digest + [attempt, block], key: secret)
    }
    var nonce = Array(bytes.prefix(curve.orderLength))
    if curve.name == "P-521" { nonce[0] &= 1 }
    return nonce
  }

  private func signatureByEdwards(of bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw .failure(of: "EVP_MD_CTX_new") }
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 64)
    var length = signature.count
    guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
      EVP_DigestSign(context, &signature, &length, bytes, bytes.count) == 1
    else { throw .failure(of: "EVP_DigestSign") }
    return signature
  }
}

extension DigestAlgorithm {
  /// BoringSSL's number of it.
  fileprivate var identifier: Int32 {
    switch self {
    case .md5: NID_md5
    case .sha1: NID_sha1
    case .sha256: NID_sha256
    case .sha384: NID_sha384
    case .sha512: NID_sha512
    }
  }

  /// MGF1 (RFC 8017, appendix B.2.1).
  fileprivate func mask(from seed: [UInt8], length: Int) -> [UInt8] {
    var mask: [UInt8] = []
    var counter: UInt32 = 0
    while mask.count < length {
      let number = stride(from: 24, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: counter >> UInt32($0))
      }
      mask += digest(of: seed + number)
      counter += 1
    }
    return Array(mask.prefix(length))
  }
}
