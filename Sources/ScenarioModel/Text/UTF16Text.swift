/// Tells UTF-16 from other bytes, so that it can be called by its name.
enum UTF16Text {
  /// Whether bytes begin with the byte order mark of UTF-16, or as its letters of ASCII do.
  static func isLikely(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
    guard bytes.count >= 4 else { return false }
    let isZero = bytes[0..<4].map { $0 == 0 }
    return isZero == [false, true, false, true] || isZero == [true, false, true, false]
  }
}
