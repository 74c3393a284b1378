internal import CSupervisor

extension Architecture {
  /// Returns whether these seven bytes end with a call instruction (Intel SDM, CALL): E8 with a distance, or FF /2
  /// with its operand in a register or in memory.
  static func isBehindCall(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 7 else { return false }
    if bytes[2] == 0xe8 { return true }
    // How long FF /2 is, by its ModRM byte: mode and register or memory.
    for length in 2...7 where bytes[7 - length] == 0xff {
      let operand = bytes[8 - length]
      guard operand >> 3 & 7 == 2 else { continue }
      let (mode, place) = (operand >> 6, operand & 7)
      // A SIB byte stands behind; without base register in mode 0 it has a distance of four bytes.
      let hasScale = mode != 3 && place == 4
      var expected = hasScale ? 3 : 2
      switch mode {
      case 1: expected += 1
      case 2: expected += 4
      case 0 where place == 5: expected += 4
      case 0 where hasScale && length > 3 && bytes[9 - length] & 7 == 5: expected += 4
      default: break
      }
      if expected == length { return true }
    }
    return false
  }
}

extension Registers {
  /// The register that frames are chained by, where code is compiled to keep them.
  var framePointer: UInt64 { raw.rbp }
}
