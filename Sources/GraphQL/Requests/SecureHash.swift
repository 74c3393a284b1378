/// SHA-256 (FIPS 180-4, section 6.2).
enum SecureHash {
  /// The digest in lower-case hexadecimal digits.
  static func sha256(_ bytes: some Collection<UInt8>) -> String {
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]
    var message = Array(bytes)
    let bitCount = UInt64(message.count) &* 8
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      message.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
    }
    for start in stride(from: 0, to: message.count, by: 64) {
      compress(message[start..<(start + 64)], &state)
    }
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static func compress(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
    var schedule = [UInt32](repeating: 0, count: 64)
    for (index, byte) in block.enumerated() {
      schedule[index / 4] |= UInt32(byte) << UInt32(24 - index % 4 * 8)
    }
    for index in 16..<64 {
      let (old, recent) = (schedule[index - 15], schedule[index - 2])
      let first = rotate(old, 7) ^ rotate(old, 18) ^ (old >> 3)
      let second = rotate(recent, 17) ^ rotate(recent, 19) ^ (recent >> 10)
      schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
    }
    var work = state
    for index in 0..<64 {
      let (first, fifth) = (work[0], work[4])
      let upper = rotate(fifth, 6) ^ rotate(fifth, 11) ^ rotate(fifth, 25)
      let choice = (fifth & work[5]) ^ (~fifth & work[6])
      let next = work[7] &+ upper &+ choice &+ constants[index] &+ schedule[index]
      let lower = rotate(first, 2) ^ rotate(first, 13) ^ rotate(first, 22)
      let majority = (first & work[1]) ^ (first & work[2]) ^ (work[1] & work[2])
      work = [
        next &+ lower &+ majority, first, work[1], work[2], work[3] &+ next, fifth, work[5],
        work[6],
      ]
    }
    for index in state.indices { state[index] &+= work[index] }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// Section 4.2.2: the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = {
    var primes: [UInt64] = []
    var candidate: UInt64 = 2
    while primes.count < 64 {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes.map { UInt32(truncatingIfNeeded: scaledCubeRoot(of: $0)) }
  }()

  /// The cube root times 2³², rounded down.
  private static func scaledCubeRoot(of prime: UInt64) -> UInt64 {
    var root: UInt64 = 0
    for bit in stride(from: 35, through: 0, by: -1) {
      let candidate = root | 1 << UInt64(bit)
      // candidate³ ≤ prime × 2⁹⁶, in 128 bits: both sides divided by 2⁹⁶ would lose the answer.
      let square = UInt128(candidate) * UInt128(candidate)
      let limit = UInt128(prime) << 96
      if square <= limit / UInt128(candidate) { root = candidate }
    }
    return root
  }
}
