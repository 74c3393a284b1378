internal import ScenarioModel

/// Hashes that expressions can ask for.
enum Digests {
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: - SHA-256 (FIPS 180-4)

  private static let constants: [UInt32] = firstPrimes(64).map { fraction(of: $0, isCube: true) }
  private static let initial: [UInt32] = firstPrimes(8).map { fraction(of: $0, isCube: false) }

  static func sha256(_ message: [UInt8]) -> [UInt8] {
    var state = initial
    let bytes = padded(message)
    var words = [UInt32](repeating: 0, count: 64)
    for block in stride(from: 0, to: bytes.count, by: 64) {
      load(bytes, block, into: &words)
      for index in 16..<64 {
        let early = words[index - 15]
        let late = words[index - 2]
        let first = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
        let second = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
        words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      for index in 0..<64 {
        let upper = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
        let choice = (e & f) ^ (~e & g)
        let first = h &+ upper &+ choice &+ constants[index] &+ words[index]
        let lower = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
        let majority = (a & b) ^ (a & c) ^ (b & c)
        (h, g, f, e) = (g, f, e, d &+ first)
        (d, c, b, a) = (c, b, a, first &+ (lower &+ majority))
      }
      for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }
    return bytesOf(state)
  }

  /// The first 32 bits behind the point of a prime's root.
  private static func fraction(of prime: UInt64, isCube: Bool) -> UInt32 {
    // The root times 2^32 is the greatest whole number whose power does not exceed the prime's.
    var root: UInt64 = 0
    var bit: UInt64 = 1 << 36
    while bit > 0 {
      let next = root | bit
      if power(next, isCube ? 3 : 2, isAtMost: prime, shiftedBy: isCube ? 96 : 64) { root = next }
      bit >>= 1
    }
    return UInt32(truncatingIfNeeded: root)
  }

  private static func power(
    _ base: UInt64, _ exponent: Int, isAtMost prime: UInt64, shiftedBy shift: Int
  ) -> Bool {
    // 36 bits cubed need 111 bits; two halves hold them.
    let square = base.multipliedFullWidth(by: base)
    guard exponent == 3 else {
      return square.high < prime || square.high == prime && square.low == 0
    }
    let low = square.low.multipliedFullWidth(by: base)
    let (high, overflow) = square.high.multipliedReportingOverflow(by: base)
    guard !overflow else { return false }
    let (sum, carried) = high.addingReportingOverflow(low.high)
    guard !carried else { return false }
    let bound = prime << 32
    return sum < bound || sum == bound && low.low == 0
  }

  private static func firstPrimes(_ count: Int) -> [UInt64] {
    var primes: [UInt64] = []
    var candidate: UInt64 = 2
    while primes.count < count {
      if !primes.contains(where: { candidate % $0 == 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes
  }

  // MARK: - SHA-1 (FIPS 180-4), which UUIDs of version 5 are made with

  static func sha1(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    let bytes = padded(message)
    var words = [UInt32](repeating: 0, count: 80)
    for block in stride(from: 0, to: bytes.count, by: 64) {
      load(bytes, block, into: &words)
      for index in 16..<80 {
        let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
        words[index] = rotated(mixed, 31)
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for index in 0..<80 {
        let (mixed, constant): (UInt32, UInt32) =
          switch index {
          case 0..<20: ((b & c) | (~b & d), 0x5a82_7999)
          case 20..<40: (b ^ c ^ d, 0x6ed9_eba1)
          case 40..<60: ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc)
          default: (b ^ c ^ d, 0xca62_c1d6)
          }
        let next = rotated(a, 27) &+ mixed &+ e &+ constant &+ words[index]
        (e, d, c, b, a) = (d, c, rotated(b, 2), a, next)
      }
      for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }
    return bytesOf(state)
  }

  /// RFC 9562, section 5.5.
  static func uuid5(_ namespace: [UInt8], _ name: String) -> String {
    var bytes = Array(sha1(namespace + Array(name.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x50
    bytes[8] = bytes[8] & 0x3f | 0x80
    return uuidText(bytes)
  }

  /// Sixteen bytes as a UUID.
  static func uuidText(_ bytes: [UInt8]) -> String {
    let text = Array(hexadecimal(bytes))
    return [text[0..<8], text[8..<12], text[12..<16], text[16..<20], text[20..<32]]
      .map { String($0) }.joined(separator: "-")
  }

  /// The bytes of a namespace by its name (RFC 9562, section 6.6) or its UUID.
  static func namespace(_ text: String) -> [UInt8]? {
    let names: [String: UInt8] = ["dns": 0x10, "url": 0x11, "oid": 0x12, "x500": 0x14]
    var written = text.lowercased()
    if let last = names[written] {
      written = "6ba7b8\(hexadecimal([last]))-9dad-11d1-80b4-00c04fd430c8"
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

  // MARK: - Parts of both

  private static func padded(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bits = UInt64(message.count) &* 8
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    return bytes
  }

  private static func load(_ bytes: [UInt8], _ block: Int, into words: inout [UInt32]) {
    for index in 0..<16 {
      let start = block + index * 4
      words[index] = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  private static func bytesOf(_ state: [UInt32]) -> [UInt8] {
    state.flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }
}
