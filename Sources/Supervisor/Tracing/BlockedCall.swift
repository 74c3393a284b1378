/// The system call in which a thread sleeps, as /proc/PID/task/TID/syscall shows it (proc(5)).
struct BlockedCall: Equatable {
  /// Its number.
  var number: Int
  /// Its six arguments.
  var arguments: [UInt64]

  /// Reads the file's text: a number, then arguments, stack pointer and instruction pointer in
  /// hexadecimal; `nil` for "running", and for a thread that sleeps in no call.
  init?(text: Slice<UnsafeMutableBufferPointer<UInt8>>) {
    let words = text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    guard words.count == 9, let number = Int(String(decoding: words[0], as: UTF8.self)),
      number >= 0
    else { return nil }
    self.number = number
    arguments = []
    for word in words[1...6] {
      guard let value = UInt64(String(decoding: word.dropFirst(2), as: UTF8.self), radix: 16)
      else { return nil }
      arguments.append(value)
    }
  }

  /// Whether a stopped thread is at the end of this call.
  func isCall(of registers: Registers) -> Bool {
    registers.systemCall == number
      && (0..<6).allSatisfy { registers[argument: $0] == arguments[$0] }
  }
}
