internal import CSupervisor

/// Lets a thread that waited for events have all that are there when its turn comes.
///
/// It was woken by the first of them, and how many more came before it had looked is a race: a process that ends closes
/// its descriptors one after the other.
struct EventGathering {
  /// The calls that wait for events of a set: epoll_wait(2) and those like it.
  private static let calls: Set<Int> = [
    SystemCallNumber.epollWait, SystemCallNumber.epollPwait, SystemCallNumber.epollPwait2,
  ]
  /// The size of `struct epoll_event`, which is packed: its kinds, and what the program has given for it.
  private static let size = 12

  /// Whether a call waits for events of a set.
  static func isWait(_ number: Int) -> Bool { calls.contains(number) }

  /// The events that have come, with those that the thread has been told of; `nil` if there are no others.
  ///
  /// - Parameters:
  ///   - registers: those at the call's exit.
  ///   - more: makes a call that does not wait, for no more events than a number, to an address; how many there were.
  static func result(
    of registers: Registers, in memory: TargetMemory, more: (Int, UInt64) -> Int?
  ) -> Int? {
    let count = registers.result
    let limit = Int(Int32(truncatingIfNeeded: registers[argument: 2]))
    let start = registers[argument: 1]
    guard count > 0, count < limit,
      let others = more(limit - count, start &+ UInt64(count * size)), others > 0
    else { return nil }
    var bytes = memory.readBytes((count + others) * size, at: start)
    guard bytes.count == (count + others) * size else { return nil }
    let merged = merge(&bytes, told: count)
    let isWritten = bytes.withUnsafeBytes { memory.write($0, at: start) }
    return isWritten ? merged : nil
  }

  /// Joins events that are about the same: a set has each descriptor once.
  ///
  /// - Parameters:
  ///   - bytes: the events, of which the first lie at the front afterwards.
  ///   - told: how many of them came first.
  /// - Returns: how many there are.
  static func merge(_ bytes: inout [UInt8], told: Int) -> Int {
    var count = told
    for place in stride(from: told * size, to: bytes.count, by: size) {
      let same = (0..<count).first { bytes[data(at: $0 * size)] == bytes[data(at: place)] }
      let target = (same ?? count) * size
      if same == nil {
        for offset in 0..<size { bytes[target + offset] = bytes[place + offset] }
        count += 1
      } else {
        for offset in 0..<4 { bytes[target + offset] |= bytes[place + offset] }
      }
    }
    return count
  }

  private static func data(at place: Int) -> Range<Int> { place + 4..<place + size }
}
