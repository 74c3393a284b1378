/// The meaning of a mode of fallocate(2) (`linux/falloc.h`).
struct AllocationMode {
  /// The effect on the bytes.
  enum Effect {
    case none
    /// The bytes become zeros.
    case clears
    /// The bytes are removed, and those behind move up.
    case collapses
    /// Zeros come before them.
    case inserts
  }

  private let bits: Int32

  init(_ bits: Int32) {
    self.bits = bits
  }

  /// The effect on the bytes.
  var effect: Effect {
    if bits & 0x08 != 0 { return .collapses }
    if bits & 0x20 != 0 { return .inserts }
    return bits & 0x12 != 0 ? .clears : .none
  }

  /// True if all that is behind moves.
  var movesBytes: Bool { bits & 0x28 != 0 }

  /// True if the file may get longer: not with FALLOC_FL_KEEP_SIZE, nor where bytes move.
  var mayExtend: Bool { bits & 0x01 == 0 && !movesBytes }
}
