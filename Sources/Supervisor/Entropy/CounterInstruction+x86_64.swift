internal import CSupervisor

/// An instruction that reads the time stamp counter.
struct CounterInstruction {
  /// The largest number of bytes that are looked at: the opcode and its prefixes.
  static let lengthLimit = 8

  /// True for `rdtscp`, which also reads the processor's number.
  fileprivate let readsProcessor: Bool
  fileprivate let length: UInt64

  /// Recognises the instruction that bytes begin with.
  init?(_ bytes: [UInt8]) {
    // Prefixes of size, repetition and registers change nothing in it.
    let prefixes = bytes.prefix { (0x40...0x4f).contains($0) || [0x66, 0xf2, 0xf3].contains($0) }
    let opcode = bytes.dropFirst(prefixes.count)
    if opcode.starts(with: [0x0f, 0x31]) {
      readsProcessor = false
      length = UInt64(prefixes.count + 2)
    } else if opcode.starts(with: [0x0f, 0x01, 0xf9]) {
      readsProcessor = true
      length = UInt64(prefixes.count + 3)
    } else {
      return nil
    }
  }
}

extension Registers {
  /// Continues behind the instruction with its reading: the counter in edx and eax, in ecx the
  /// processor, of which there is one.
  mutating func finish(_ instruction: CounterInstruction, reading: UInt64) {
    raw.rax = reading & 0xffff_ffff
    raw.rdx = reading >> 32
    if instruction.readsProcessor { raw.rcx = 0 }
    raw.rip &+= instruction.length
  }
}
