internal import CSupervisor

extension Registers {
  /// The registers as GDB orders them for this processor (its feature org.gnu.gdb.i386.core): 17 of 64 bits, 7 of 32.
  var debuggerBytes: [UInt8] {
    let wide = Self.wide.flatMap { path in bytes(raw[keyPath: path], count: 8) }
    return wide + Self.narrow.flatMap { path in bytes(raw[keyPath: path], count: 4) }
  }

  /// Sets the registers from bytes in that order; false if some are missing.
  mutating func setDebuggerBytes(_ all: [UInt8]) -> Bool {
    guard all.count >= Self.wide.count * 8 + Self.narrow.count * 4 else { return false }
    var rest = all[...]
    func number(_ count: Int) -> UInt64 {
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    for path in Self.wide { raw[keyPath: path] = number(8) }
    for path in Self.narrow { raw[keyPath: path] = number(4) }
    return true
  }

  private func bytes(_ value: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }

  private typealias Path = WritableKeyPath<user_regs_struct, UInt64> & Sendable

  private static let wide: [any Path] = [
    \.rax, \.rbx, \.rcx, \.rdx, \.rsi, \.rdi, \.rbp, \.rsp, \.r8, \.r9, \.r10, \.r11, \.r12, \.r13,
    \.r14, \.r15, \.rip,
  ]
  private static let narrow: [any Path] = [\.eflags, \.cs, \.ss, \.ds, \.es, \.fs, \.gs]
}
