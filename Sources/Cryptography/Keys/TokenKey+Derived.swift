internal import CNIOBoringSSL

extension TokenKey {
  /// The number of bits of derived keys of RSA.
  private static let derivedBits = 2048

  /// Makes the private key of a name, for the algorithm: the same in every run, and so no secret.
  package static func derived(
    for algorithm: TokenAlgorithm, name: String
  ) throws(CryptographyError) -> TokenKey {
    switch algorithm {
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: try derivedRSA(name)
    case .es256: try derived(on: "P-256", name)
    case .es384: try derived(on: "P-384", name)
    case .es512: try derived(on: "P-521", name)
    case .edDSA: try derivedEdwards(name)
    }
  }

  /// Bytes that follow from a text.
  private static func bytes(of text: String, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = 0
    while bytes.count < count {
      bytes += DigestAlgorithm.sha512.digest(of: Array("\(block) \(text)".utf8))
      block += 1
    }
    return Array(bytes.prefix(count))
  }

  private static func derived(
    on name: String, _ text: String
  ) throws(CryptographyError) -> TokenKey {
    guard let curve = Curve.all.first(where: { $0.name == name }),
      let group = EC_GROUP_new_by_curve_name(curve.identifier)
    else { throw .failure(of: "EC_GROUP_new_by_curve_name") }
    let secret = bytes(of: "\(name) \(text)", count: curve.orderLength)
    guard let made = EC_KEY_derive_from_secret(group, secret, secret.count) else {
      throw .failure(of: "EC_KEY_derive_from_secret")
    }
    guard let key = EVP_PKEY_new(), EVP_PKEY_assign_EC_KEY(key, made) == 1 else {
      EC_KEY_free(made)
      throw .failure(of: "EVP_PKEY_assign_EC_KEY")
    }
    return try TokenKey(owning: key, isPrivate: true)
  }

  private static func derivedEdwards(_ text: String) throws(CryptographyError) -> TokenKey {
    let secret = bytes(of: "Ed25519 \(text)", count: 32)
    guard
      let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret, secret.count)
    else { throw .failure(of: "EVP_PKEY_new_raw_private_key") }
    return try TokenKey(owning: key, isPrivate: true)
  }

  // MARK: - RSA

  private static func derivedRSA(_ text: String) throws(CryptographyError) -> TokenKey {
    let numbers = try Numbers()
    try numbers.setPrime(0, from: "RSA p \(text)", bits: derivedBits / 2)
    try numbers.setPrime(1, from: "RSA q \(text)", bits: derivedBits / 2)
    let made = try numbers.key()
    guard let key = EVP_PKEY_new(), EVP_PKEY_assign_RSA(key, made) == 1 else {
      RSA_free(made)
      throw .failure(of: "EVP_PKEY_assign_RSA")
    }
    return try TokenKey(owning: key, isPrivate: true)
  }

  /// The numbers of a key of RSA on the way (RFC 8017, section 3.2): p, q, n, e, d, both exponents, the coefficient, and
  /// two for steps between.
  private final class Numbers {
    private let context: OpaquePointer
    private var values: [UnsafeMutablePointer<BIGNUM>] = []

    init() throws(CryptographyError) {
      guard let context = BN_CTX_new() else { throw .failure(of: "BN_CTX_new") }
      self.context = context
      for _ in 0..<10 {
        guard let value = BN_new() else { throw .failure(of: "BN_new") }
        values.append(value)
      }
      guard BN_set_word(values[3], 65_537) == 1 else { throw .failure(of: "BN_set_word") }
    }

    deinit {
      for value in values { BN_free(value) }
      BN_CTX_free(context)
    }

    /// Sets a number to the first prime that a text gives and that is no neighbour of a multiple of the exponent.
    func setPrime(_ index: Int, from text: String, bits: Int) throws(CryptographyError) {
      let number = values[index]
      for attempt in 0..<100_000 {
        var bytes = TokenKey.bytes(of: "\(attempt) \(text)", count: bits / 8)
        // The product of two such numbers has all bits that it can have.
        bytes[0] |= 0xC0
        bytes[bytes.count - 1] |= 1
        guard BN_bin2bn(bytes, bytes.count, number) != nil else { throw .failure(of: "BN_bin2bn") }
        guard BN_mod_word(number, 65_537) != 1 else { continue }
        var isPrime: Int32 = 0
        guard
          BN_primality_test(&isPrime, number, BN_prime_checks_for_generation, context, 1, nil) == 1
        else { throw .failure(of: "BN_primality_test") }
        if isPrime == 1 { return }
      }
      throw .failed(function: "BN_primality_test", reason: "no prime was found")
    }

    /// The key of both primes.
    func key() throws(CryptographyError) -> OpaquePointer {
      let isOrdered = BN_cmp(values[0], values[1]) >= 0
      let (p, q) = isOrdered ? (values[0], values[1]) : (values[1], values[0])
      let (n, e, d) = (values[2], values[3], values[4])
      let (exponentP, exponentQ, coefficient) = (values[5], values[6], values[7])
      let (beforeP, beforeQ) = (values[8], values[9])
      guard BN_mul(n, p, q, context) == 1, BN_copy(beforeP, p) != nil, BN_copy(beforeQ, q) != nil,
        BN_sub_word(beforeP, 1) == 1, BN_sub_word(beforeQ, 1) == 1,
        // The place of the coefficient serves for the order of the group before.
        BN_mul(coefficient, beforeP, beforeQ, context) == 1,
        BN_mod_inverse(d, e, coefficient, context) != nil,
        BN_div(nil, exponentP, d, beforeP, context) == 1,
        BN_div(nil, exponentQ, d, beforeQ, context) == 1,
        BN_mod_inverse(coefficient, q, p, context) != nil
      else { throw .failure(of: "BN_mod_inverse") }
      guard let key = RSA_new_private_key(n, e, d, p, q, exponentP, exponentQ, coefficient) else {
        throw .failure(of: "RSA_new_private_key")
      }
      return key
    }
  }
}
