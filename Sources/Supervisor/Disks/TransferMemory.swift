internal import FaultEngine

/// The memory of the bytes of a read or write in the caller.
struct TransferMemory {
  /// A run of bytes.
  struct Segment {
    var address: UInt64
    var length: Int
    /// The address of its length; `nil` for a buffer, whose length is an argument.
    var lengthAddress: UInt64?
    /// The index of its message, where there are several.
    var message = 0
  }

  /// The place of the number of segments.
  enum Count {
    /// One segment.
    case single(argument: Int?)
    /// The number is an argument.
    case argument(Int)
    /// The number is in memory, as 64 bits.
    case memory(UInt64)
    /// The number of messages is an argument; each message, from `first` on, has the number of its
    /// segments.
    case messages(argument: Int, first: UInt64)
  }

  /// The bytes of a `struct mmsghdr` of recvmmsg(2): a `struct msghdr`, and the length that was moved.
  static let messageStride: UInt64 = 64
  static let messageLengthOffset: UInt64 = 56

  /// The largest number of segments that the kernel takes (IOV_MAX of readv(2)).
  private static let segmentLimit = 1_024

  /// The runs in order.
  private(set) var segments: [Segment] = []
  /// The place of their number.
  private(set) var count: Count
  /// The number of messages, where the call transfers messages.
  private(set) var messageCount = 0

  /// Reads where the bytes lie; `nil` if that cannot be read, or is nowhere.
  ///
  /// - Parameter size: the argument that holds the size of a lone buffer.
  init?(
    _ transfer: SystemCallTraits.Transfer, size: Int?, _ registers: Registers,
    _ memory: TargetMemory
  ) {
    switch transfer.content {
    case .outside:
      return nil
    case .buffer(let argument):
      let sizeArgument = size ?? argument + 1
      count = .single(argument: sizeArgument)
      segments = [
        Segment(
          address: registers[argument: argument],
          length: Int(clamping: registers[argument: sizeArgument]))
      ]
    case .vector(let argument):
      count = .argument(argument + 1)
      let number = Int(Int32(truncatingIfNeeded: registers[argument: argument + 1]))
      guard read(registers[argument: argument], number, memory) else { return nil }
    case .message(let argument):
      // struct msghdr: the array at 16, its length at 24.
      let message = registers[argument: argument]
      count = .memory(message &+ 24)
      guard let vector = memory.read(UInt64.self, at: message &+ 16),
        let number = memory.read(UInt64.self, at: message &+ 24),
        read(vector, Int(clamping: number), memory)
      else { return nil }
    case .messages(let argument):
      let first = registers[argument: argument]
      count = .messages(argument: argument + 1, first: first)
      let number = Int(UInt32(truncatingIfNeeded: registers[argument: argument + 1]))
      guard readMessages(at: first, number, memory) else { return nil }
    }
  }

  private mutating func readMessages(
    at first: UInt64, _ number: Int, _ memory: TargetMemory
  ) -> Bool {
    // The kernel takes no more either, and tells how many it took.
    messageCount = min(number, Self.segmentLimit)
    for index in 0..<messageCount {
      let message = first &+ UInt64(index) &* Self.messageStride
      guard let vector = memory.read(UInt64.self, at: message &+ 16),
        let length = memory.read(UInt64.self, at: message &+ 24),
        read(vector, Int(clamping: length), memory, message: index)
      else { return false }
    }
    return true
  }

  /// Returns the part that messages say they have received.
  ///
  /// - Parameter messages: the number of messages.
  func received(_ messages: Int, _ memory: TargetMemory) -> TransferMemory {
    guard case .messages(_, let first) = count else { return self }
    var part = self
    part.segments = []
    part.messageCount = min(max(0, messages), messageCount)
    var rests: [Int: Int] = [:]
    for var segment in segments where segment.message < messages {
      let place = first &+ UInt64(segment.message) &* Self.messageStride
      let rest =
        rests[segment.message]
        ?? Int(memory.read(UInt32.self, at: place &+ Self.messageLengthOffset) ?? 0)
      segment.length = min(segment.length, rest)
      rests[segment.message] = rest - segment.length
      part.segments.append(segment)
    }
    return part
  }

  /// The number of bytes of each message.
  var messageLengths: [Int] {
    var lengths = [Int](repeating: 0, count: messageCount)
    for segment in segments where segment.message < messageCount {
      // The kernel moves less than this of a message (read(2), NOTES).
      lengths[segment.message] = min(
        Self.lengthLimit, lengths[segment.message] + min(segment.length, Self.lengthLimit))
    }
    return lengths
  }

  /// The largest length, more than any call moves.
  private static let lengthLimit = 1 << 40

  /// `struct iovec`: address and length, eight bytes each.
  private mutating func read(
    _ vector: UInt64, _ number: Int, _ memory: TargetMemory, message: Int = 0
  ) -> Bool {
    guard number >= 0, number <= Self.segmentLimit,
      segments.count + number <= 16 * Self.segmentLimit
    else { return false }
    for index in 0..<number {
      let place = vector &+ UInt64(index * 16)
      guard let address = memory.read(UInt64.self, at: place),
        let length = memory.read(UInt64.self, at: place &+ 8)
      else { return false }
      segments.append(
        Segment(
          address: address, length: Int(clamping: length), lengthAddress: place &+ 8,
          message: message))
    }
    return true
  }

  /// The number of bytes.
  var total: Int {
    segments.reduce(0) { sum, segment in
      let (total, overflow) = sum.addingReportingOverflow(segment.length)
      return overflow ? Int.max : total
    }
  }

  /// The address of a byte of the transfer; `nil` behind its end.
  func address(ofByte place: Int) -> UInt64? {
    var rest = place
    for segment in segments {
      if rest < segment.length { return segment.address &+ UInt64(rest) }
      rest -= segment.length
    }
    return nil
  }
}
