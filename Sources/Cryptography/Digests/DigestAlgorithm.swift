internal import CNIOBoringSSL

/// The digests that expressions know, by the names that tools give them.
package enum DigestAlgorithm: String, CaseIterable, Sendable {
  case md5
  case sha1
  case sha256
  case sha384
  case sha512

  /// The digest of bytes.
  package func digest(of bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      // Each of them returns the buffer that it is given, and nothing else.
      let digest = buffer.baseAddress
      switch self {
      case .md5: _ = MD5(bytes, bytes.count, digest)
      case .sha1: _ = SHA1(bytes, bytes.count, digest)
      case .sha256: _ = SHA256(bytes, bytes.count, digest)
      case .sha384: _ = SHA384(bytes, bytes.count, digest)
      case .sha512: _ = SHA512(bytes, bytes.count, digest)
      }
      count = length
    }
  }

  /// Returns the code by which the holder of a key verifies that bytes are unchanged (RFC 2104).
  package func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      let code = HMAC(
        function, key, key.count, bytes, bytes.count, buffer.baseAddress, nil)
      // NULL stands for memory that is not to be had, at which Swift's own allocations end the process as well.
      precondition(code != nil, "no memory for an authentication code")
      count = length
    }
  }

  /// The number of bytes of a digest.
  private var length: Int {
    switch self {
    case .md5: Int(MD5_DIGEST_LENGTH)
    case .sha1: Int(SHA_DIGEST_LENGTH)
    case .sha256: Int(SHA256_DIGEST_LENGTH)
    case .sha384: Int(SHA384_DIGEST_LENGTH)
    case .sha512: Int(SHA512_DIGEST_LENGTH)
    }
  }

  /// A constant of BoringSSL's, which is never freed.
  private var function: OpaquePointer? {
    switch self {
    case .md5: EVP_md5()
    case .sha1: EVP_sha1()
    case .sha256: EVP_sha256()
    case .sha384: EVP_sha384()
    case .sha512: EVP_sha512()
    }
  }
}
