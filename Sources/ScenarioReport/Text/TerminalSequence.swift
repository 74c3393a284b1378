/// The terminal control sequences of ECMA-48: where one ends.
enum TerminalSequence {
  /// The largest length of the text of an operating system command or device control string; longer
  /// ones are taken for a stray introducer, so that one byte cannot hide the rest of an output.
  private static let maximumStringLength = 65_536

  /// The index behind the sequence that begins at `start`.
  ///
  /// A sequence that the end of the text cuts off counts as one. `nil` means that no sequence begins here.
  static func end(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    guard let introducer = introducer(in: bytes, at: start) else { return nil }
    switch introducer.kind {
    case .controlSequence:
      return endOfControlSequence(in: bytes, from: introducer.end)
    case .string:
      return endOfString(in: bytes, from: introducer.end)
    case .cutOff:
      return bytes.count
    }
  }

  /// Returns whether U+0080 to U+009F, by its second byte in UTF-8, begins a sequence.
  static func isIntroducer(_ byte: UInt8) -> Bool {
    [0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F].contains(byte)
  }

  private enum Kind {
    /// CSI: parameters and a final character.
    case controlSequence
    /// OSC, DCS, SOS, PM and APC: text up to a terminator.
    case string
    /// The text ends within the introducer.
    case cutOff
  }

  private static func introducer(
    in bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> (kind: Kind, end: Int)? {
    let first = bytes[start]
    guard first == 0x1B || first == 0xC2 else { return nil }
    guard start + 1 < bytes.count else { return first == 0x1B ? (.cutOff, start + 1) : nil }
    switch (first, bytes[start + 1]) {
    case (0x1B, 0x5B), (0xC2, 0x9B):
      return (.controlSequence, start + 2)
    case (0x1B, 0x5D), (0x1B, 0x50), (0x1B, 0x58), (0x1B, 0x5E), (0x1B, 0x5F),
      (0xC2, 0x9D), (0xC2, 0x90), (0xC2, 0x98), (0xC2, 0x9E), (0xC2, 0x9F):
      return (.string, start + 2)
    default:
      return nil
    }
  }

  private static func endOfControlSequence(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    var index = start
    while index < bytes.count, (0x30...0x3F).contains(bytes[index]) { index += 1 }
    while index < bytes.count, (0x20...0x2F).contains(bytes[index]) { index += 1 }
    guard index < bytes.count else { return index }
    return (0x40...0x7E).contains(bytes[index]) ? index + 1 : nil
  }

  private static func endOfString(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    let limit = min(bytes.count, start + maximumStringLength)
    var index = start
    while index < limit {
      switch bytes[index] {
      case 0x07:
        return index + 1
      case 0x1B:
        guard index + 1 < bytes.count else { return bytes.count }
        return bytes[index + 1] == 0x5C ? index + 2 : nil
      case 0xC2 where index + 1 < bytes.count && (0x80...0x9F).contains(bytes[index + 1]):
        return bytes[index + 1] == 0x9C ? index + 2 : nil
      case 0x08...0x0D, 0x20...0xFF:
        index += 1
      default:
        return nil
      }
    }
    // Cut off only if nothing but a short rest would be lost with it, and no line of the output.
    guard index == bytes.count, !bytes[start..<index].contains(0x0A) else { return nil }
    return index
  }
}
