internal import CNIOBoringSSL
internal import Foundations

/// A SHA-256 (FIPS 180-4) of bytes that come one after the other.
package struct SecureDigest: Sendable {
  /// Begin, update and end of it return 1, and nothing else (sha2.h).
  private var state = SHA256_CTX()

  /// Creates a digest of no bytes.
  package init() {
    _ = SHA256_Init(&state)
  }

  /// Adds the next bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    _ = SHA256_Update(&state, bytes.baseAddress, bytes.count)
  }

  /// Adds the next bytes.
  package mutating func update(_ bytes: some Collection<UInt8>) {
    guard bytes.withContiguousStorageIfAvailable({ update(UnsafeRawBufferPointer($0)) }) == nil
    else { return }
    Array(bytes).withUnsafeBytes { update($0) }
  }

  /// The digest of all bytes so far in 64 lower-case hexadecimal digits.
  package var text: String {
    var last = state
    let digest = [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      _ = SHA256_Final(buffer.baseAddress, &last)
      count = Int(SHA256_DIGEST_LENGTH)
    }
    return digest.hexadecimal
  }

  /// The SHA-256 of bytes in 64 lower-case hexadecimal digits.
  package static func sha256(_ bytes: some Collection<UInt8>) -> String {
    var digest = SecureDigest()
    digest.update(bytes)
    return digest.text
  }
}
