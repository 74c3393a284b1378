/// Numbers of any length, seven bits a byte with the highest ones first: all bytes but the last have their highest bit set.
package enum Base128 {
  /// The bytes of a number, one at least.
  package static func encoded(_ number: UInt64) -> [UInt8] {
    var digits = [UInt8(number & 0x7f)]
    var rest = number >> 7
    while rest > 0 {
      digits.insert(0x80 | UInt8(rest & 0x7f), at: 0)
      rest >>= 7
    }
    return digits
  }
}
