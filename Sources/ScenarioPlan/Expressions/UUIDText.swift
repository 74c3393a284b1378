internal import Cryptography
internal import Foundations

/// UUIDs in their form of 36 letters.
package enum UUIDText {
  /// Returns a UUID of version 5 (RFC 9562, section 5.5).
  static func version5(_ namespace: [UInt8], _ name: String) -> String {
    var bytes = Array(DigestAlgorithm.sha1.digest(of: namespace + Array(name.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x50
    bytes[8] = bytes[8] & 0x3f | 0x80
    return text(of: bytes)
  }

  /// Sixteen bytes as a UUID.
  package static func text(of bytes: [UInt8]) -> String {
    let text = Array(bytes.hexadecimal)
    return [text[0..<8], text[8..<12], text[12..<16], text[16..<20], text[20..<32]]
      .map { String($0) }.joined(separator: "-")
  }

  /// The bytes of a namespace by its name (RFC 9562, section 6.6) or its UUID.
  static func namespace(_ text: String) -> [UInt8]? {
    let names: [String: UInt8] = ["dns": 0x10, "url": 0x11, "oid": 0x12, "x500": 0x14]
    var written = text.lowercased()
    if let last = names[written] {
      written = "6ba7b8\(String(last, radix: 16))-9dad-11d1-80b4-00c04fd430c8"
    }
    let parts = written.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = Array(parts.joined())
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 32, by: 2) {
      guard let byte = UInt8(String(digits[index...(index + 1)]), radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
