/// The frames of GDB's remote serial protocol ("Debugging with GDB", appendix E: Overview).
package enum RemotePacket {
  /// A unit of input from a debugger.
  package enum Input: Equatable, Sendable {
    /// A packet whose checksum holds.
    case packet([UInt8])
    /// A packet that was garbled on the way.
    case garbled
    /// The byte that interrupts what runs.
    case interrupt
  }

  /// The bytes of a packet.
  package static func frame(_ content: [UInt8]) -> [UInt8] {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(content.count + 4)
    for byte in content {
      if special.contains(byte) {
        escaped += [UInt8(ascii: "}"), byte ^ 0x20]
      } else {
        escaped.append(byte)
      }
    }
    return [UInt8(ascii: "$")] + escaped + [UInt8(ascii: "#")] + hexadecimal([checksum(escaped)])
  }

  /// `#`, `$`, `}` and `*`, which stands for repetitions.
  private static let special = Set("#$}*".utf8)

  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 { bytes.reduce(0, &+) }

  /// Returns two hexadecimal digits for each byte.
  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// Bytes of which each is written with two digits; `nil` if that is not so.
  static func bytes(hexadecimal text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in text {
      guard let value = value(of: digit) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// Splits the bytes of a connection into packets, in whatever pieces they come.
package struct RemotePacketReader: Sendable {
  private enum State {
    case between
    case content
    case checksum(first: UInt8?)
  }

  /// The longest packet, in bytes, which the debugger is given; anything longer is discarded.
  package static let limit = 0x4000

  private var state = State.between
  private var raw: [UInt8] = []

  /// Creates a reader between two packets.
  package init() {}

  /// Adds bytes; returns the inputs that they complete.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [RemotePacket.Input] {
    var inputs: [RemotePacket.Input] = []
    for byte in bytes {
      switch state {
      case .between:
        if byte == UInt8(ascii: "$") {
          raw = []
          state = .content
        } else if byte == 3 {
          inputs.append(.interrupt)
        }
      case .content:
        if byte == UInt8(ascii: "#") {
          state = .checksum(first: nil)
        } else if raw.count >= 2 * Self.limit {
          inputs.append(.garbled)
          state = .between
        } else {
          raw.append(byte)
        }
      case .checksum(nil): state = .checksum(first: byte)
      case .checksum(let first?):
        let sum = RemotePacket.bytes(hexadecimal: [first, byte])?.first
        let content = Self.unescaped(raw)
        inputs.append(
          sum == RemotePacket.checksum(raw) ? content.map { .packet($0) } ?? .garbled : .garbled)
        state = .between
      }
    }
    return inputs
  }

  private static func unescaped(_ raw: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in raw {
      if isEscaped {
        bytes.append(byte ^ 0x20)
        isEscaped = false
      } else if byte == UInt8(ascii: "}") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return isEscaped ? nil : bytes
  }
}
