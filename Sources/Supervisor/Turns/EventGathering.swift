internal import CSupervisor

/// Collects all events that are there when the turn of a thread comes which waited for them.
///
/// The first of them woke it, and the number of those that came before it had looked is a race: a
/// process that ends closes its descriptors one after the other.
struct EventGathering {
  /// The calls that wait for events of a set: epoll_wait(2) and those like it.
  private static let sets: Set<Int> = [
    SystemCallNumber.epollWait, SystemCallNumber.epollPwait, SystemCallNumber.epollPwait2,
  ]
  /// The calls that get the descriptors: poll(2) and ppoll(2).
  private static let lists: Set<Int> = [SystemCallNumber.poll, SystemCallNumber.ppoll]
  /// The size of `struct epoll_event`, which is packed: its kinds, and what the program has given for it.
  private static let size = 12

  /// Returns whether a call waits for events.
  static func isWait(_ number: Int) -> Bool { sets.contains(number) || lists.contains(number) }

  /// Returns whether events of different descriptors can be distinguished: a program may have given
  /// the same data for several.
  static func isPossible(for registers: Registers, _ table: DescriptorTable) -> Bool {
    guard sets.contains(registers.systemCall) else { return true }
    let descriptor = Int32(truncatingIfNeeded: registers[argument: 0])
    return hasDistinctData(table.information(of: descriptor))
  }

  /// Returns whether a set's description (proc(5): `tfd:`, `data:` in fdinfo) has each datum once.
  static func hasDistinctData(_ information: String) -> Bool {
    var data: Set<Substring> = []
    for line in information.split(separator: "\n") where line.hasPrefix("tfd:") {
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "data:"), place + 1 < words.count,
        data.insert(words[place + 1]).inserted
      else { return false }
    }
    return true
  }

  /// Returns the call's result if it returns all events that are there; `nil` if there are no
  /// others.
  ///
  /// - Parameters:
  ///   - registers: those at the call's exit.
  ///   - call: makes a call, which does not wait.
  static func result(
    of registers: Registers, in memory: TargetMemory, call: (Int, [UInt64]) -> Int?
  ) -> Int? {
    if lists.contains(registers.systemCall) {
      let again = call(
        SystemCallNumber.poll, [registers[argument: 0], registers[argument: 1], 0, 0, 0, 0])
      return again.flatMap { $0 > 0 ? $0 : nil }
    }
    let count = registers.result
    let limit = Int(Int32(truncatingIfNeeded: registers[argument: 2]))
    let start = registers[argument: 1]
    guard count < limit,
      let others = call(
        SystemCallNumber.epollWait,
        [
          registers[argument: 0], start &+ UInt64(count * size), UInt64(limit - count), 0, 0, 0,
        ]), others > 0
    else { return nil }
    var bytes = memory.readBytes((count + others) * size, at: start)
    guard bytes.count == (count + others) * size else { return nil }
    let merged = merge(&bytes, told: count)
    let isWritten = bytes.withUnsafeBytes { memory.write($0, at: start) }
    return isWritten ? merged : nil
  }

  /// Merges events of the same descriptor: a set has each descriptor once.
  ///
  /// - Parameters:
  ///   - bytes: the events, of which the merged ones are at the front afterwards.
  ///   - told: the number of those that came first.
  /// - Returns: the number of merged events.
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
