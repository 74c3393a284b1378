internal import Crypto

/// A SHA-256 (FIPS 180-4) of bytes that come one after the other.
package struct SecureDigest: Sendable {
  private var hash = SHA256()

  /// Creates a digest of no bytes.
  package init() {}

  /// Adds the next bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    hash.update(bufferPointer: bytes)
  }

  /// Adds the next bytes.
  package mutating func update(_ bytes: some Collection<UInt8>) {
    guard bytes.withContiguousStorageIfAvailable({ update(UnsafeRawBufferPointer($0)) }) == nil
    else { return }
    Array(bytes).withUnsafeBytes { update($0) }
  }

  /// The digest of all bytes so far in 64 lower-case hexadecimal digits.
  package var text: String { hash.finalize().hexadecimal }

  /// The SHA-256 of bytes in 64 lower-case hexadecimal digits.
  package static func sha256(_ bytes: some Collection<UInt8>) -> String {
    var digest = SecureDigest()
    digest.update(bytes)
    return digest.text
  }

  /// The 20 bytes of a SHA-1, which names of RFC 9562 are made with, and nothing that must be safe.
  package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
    var hash = Insecure.SHA1()
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return Array(hash.finalize())
  }
}

extension Sequence<UInt8> {
  /// The bytes in lower-case hexadecimal digits, two for each.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
