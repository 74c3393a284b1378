internal import Crypto

/// The digests that expressions know, by the names that tools give them.
package enum DigestAlgorithm: String, CaseIterable, Sendable {
  case md5
  case sha1
  case sha256
  case sha384
  case sha512

  /// The digest of bytes.
  package func digest(of bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .md5: Array(Insecure.MD5.hash(data: bytes))
    case .sha1: Array(Insecure.SHA1.hash(data: bytes))
    case .sha256: Array(SHA256.hash(data: bytes))
    case .sha384: Array(SHA384.hash(data: bytes))
    case .sha512: Array(SHA512.hash(data: bytes))
    }
  }

  /// Returns the code by which the holder of a key verifies that bytes are unchanged (RFC 2104).
  package func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    let key = SymmetricKey(data: key)
    return switch self {
    case .md5: Array(HMAC<Insecure.MD5>.authenticationCode(for: bytes, using: key))
    case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: key))
    case .sha256: Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    case .sha384: Array(HMAC<SHA384>.authenticationCode(for: bytes, using: key))
    case .sha512: Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
    }
  }
}
