/// A digest by which contents are compared: FNV-1a of 64 bits.
package struct ContentDigest: Sendable, Hashable {
  /// The digest of what was added.
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the digest of nothing.
  package init() {}

  /// Adds a byte.
  package mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// Adds bytes.
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
  }

  /// The digest of bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var digest = ContentDigest()
    digest.add(bytes)
    return digest.value
  }
}
