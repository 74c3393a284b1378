internal import CSupervisor

/// An instruction that reads the time stamp counter.
enum CounterInstruction {
  /// `rdtsc`
  case read
  /// `rdtscp`, which also reads the processor's number.
  case readWithProcessor

  /// Recognises the instruction that bytes begin with.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x0f, 0x31]) {
      self = .read
    } else if bytes.starts(with: [0x0f, 0x01, 0xf9]) {
      self = .readWithProcessor
    } else {
      return nil
    }
  }

  fileprivate var length: UInt64 { self == .read ? 2 : 3 }
}

extension Registers {
  /// Continues behind the instruction with its reading: the counter in edx and eax, in ecx the
  /// processor, of which there is one.
  mutating func finish(_ instruction: CounterInstruction, reading: UInt64) {
    raw.rax = reading & 0xffff_ffff
    raw.rdx = reading >> 32
    if instruction == .readWithProcessor { raw.rcx = 0 }
    raw.rip &+= instruction.length
  }
}
