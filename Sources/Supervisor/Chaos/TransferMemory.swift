internal import ScenarioPlan

/// Where the bytes of a read or write lie in the caller's memory.
struct TransferMemory {
  /// A run of bytes.
  struct Segment {
    var address: UInt64
    var length: Int
    /// Where its length is written; `nil` for a buffer, whose length is an argument.
    var lengthAddress: UInt64?
  }

  /// Where the number of segments is told.
  enum Count {
    /// There is one.
    case single(argument: Int?)
    /// In an argument.
    case argument(Int)
    /// In memory, as 64 bits.
    case memory(UInt64)
  }

  /// As many as the kernel takes (IOV_MAX of readv(2)).
  private static let segmentLimit = 1_024

  /// The runs in order.
  private(set) var segments: [Segment] = []
  /// Where their number is told.
  private(set) var count: Count

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
    }
  }

  /// `struct iovec`: address and length, eight bytes each.
  private mutating func read(_ vector: UInt64, _ number: Int, _ memory: TargetMemory) -> Bool {
    guard number >= 0, number <= Self.segmentLimit else { return false }
    for index in 0..<number {
      let place = vector &+ UInt64(index * 16)
      guard let address = memory.read(UInt64.self, at: place),
        let length = memory.read(UInt64.self, at: place &+ 8)
      else { return false }
      segments.append(
        Segment(address: address, length: Int(clamping: length), lengthAddress: place &+ 8))
    }
    return true
  }

  /// How many bytes there are.
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
