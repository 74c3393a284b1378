internal import CNIOBoringSSL

/// A new pair of keys on the curve P-256, for signatures by ECDSA (FIPS 186-5).
///
/// Several threads may sign at once: "a given object may be used concurrently on multiple threads by non-mutating
/// functions" (ec_key.h), and after `init` no other function gets it.
package final class SigningKey: @unchecked Sendable {
  private let key: OpaquePointer

  /// Makes a pair of keys that nobody can foretell.
  package init() throws(CryptographyError) {
    guard let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else {
      throw .failure(of: "EC_KEY_new_by_curve_name")
    }
    self.key = key
    // Everything is stored by now: `deinit` frees the key if this throws.
    guard EC_KEY_generate_key(key) == 1 else {
      throw .failure(of: "EC_KEY_generate_key")
    }
  }

  deinit {
    EC_KEY_free(key)
  }

  /// The pair as an ECPrivateKey in DER (RFC 5915).
  package func privateKey() throws(CryptographyError) -> [UInt8] {
    try encoded("i2d_ECPrivateKey", by: i2d_ECPrivateKey)
  }

  /// The public key as an uncompressed point: 4, and two coordinates of 32 bytes (SEC 1, section 2.3.3).
  package func publicKey() throws(CryptographyError) -> [UInt8] {
    try encoded("i2o_ECPublicKey", by: i2o_ECPublicKey)
  }

  /// The signature of bytes by way of their SHA-256, as an ECDSA-Sig-Value in DER (RFC 3279, section 2.2.3).
  package func signature(of bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
    let digest = DigestAlgorithm.sha256.digest(of: bytes)
    var signature = [UInt8](repeating: 0, count: ECDSA_size(key))
    var length: UInt32 = 0
    guard
      ECDSA_sign(0, digest, digest.count, &signature, &length, key) == 1,
      length <= signature.count
    else { throw .failure(of: "ECDSA_sign") }
    return Array(signature.prefix(Int(length)))
  }

  private typealias Encoder = (
    OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?
  ) -> Int32

  /// What a function of the form of i2d_SAMPLE (asn1.h) writes, which tells the length if it gets no place for it.
  private func encoded(
    _ name: String, by encode: Encoder
  ) throws(CryptographyError) -> [UInt8] {
    let length = encode(key, nil)
    guard length > 0 else { throw .failure(of: name) }
    var bytes = [UInt8](repeating: 0, count: Int(length))
    let written = bytes.withUnsafeMutableBufferPointer { buffer in
      var place = buffer.baseAddress
      return encode(key, &place)
    }
    guard written == length else { throw .failure(of: name) }
    return bytes
  }
}
