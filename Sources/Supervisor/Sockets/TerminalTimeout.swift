internal import Foundations
internal import Glibc

/// The timeout of reading from a terminal (termios(3): without ICANON, with MIN == 0 and TIME > 0).
///
/// The kernel keeps it in real time as well, but who sleeps in such a read is woken in virtual time before that.
enum TerminalTimeout {
  /// The requests by which programs set the attributes of a terminal: ioctl(2) with TCSETS, TCSETSW, TCSETSF and their
  /// second forms (ioctl_tty(2)).
  static let requests = ArgumentValues(
    argument: 1,
    values: [0x5402, 0x5403, 0x5404, 0x402C_542B, 0x402C_542C, 0x402C_542D])

  /// The length of `struct termios` of `asm-generic/termbits.h` up to c_cc[VMIN].
  static let usedLength = 24

  /// Returns the timeout that attributes set; `nil` for none.
  ///
  /// - Parameter attributes: `struct termios`: four words, the last of them c_lflag, c_line, and c_cc, in which VTIME is 5
  ///   and VMIN 6.
  static func length(_ attributes: some Collection<UInt8>) -> Nanoseconds? {
    let bytes = Array(attributes.prefix(usedLength))
    guard bytes.count == usedLength else { return nil }
    return length(local: UInt32(bytes[12]), minimum: bytes[23], time: bytes[22])
  }

  /// Returns the timeout of the terminal in which a thread reads; `nil` if its call is another one.
  static func length(of call: BlockedCall, by thread: ThreadIdentifier) -> Nanoseconds? {
    guard [SystemCallNumber.read, SystemCallNumber.readv].contains(call.number) else { return nil }
    let descriptor = Int32(truncatingIfNeeded: call.arguments[0])
    let path = "/proc/\(thread.number)/fd/\(descriptor)"
    var status = stat()
    // Other devices may act when they are opened. Of pseudo-terminals, numbers 136 to 143 are the ends that have
    // these attributes (`linux/major.h`: UNIX98_PTY_SLAVE_MAJOR).
    guard ProcessOwner.retrying(path, { stat(path, &status) }) == 0,
      status.st_mode & S_IFMT == S_IFCHR, 136...143 ~= status.st_rdev >> 8 & 0xFFF
    else { return nil }
    let copy = ProcessOwner.retrying(path) {
      open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    }
    guard copy >= 0 else { return nil }
    defer { close(copy) }
    var attributes = termios()
    guard tcgetattr(copy, &attributes) == 0 else { return nil }
    return length(
      local: attributes.c_lflag, minimum: attributes.c_cc.6, time: attributes.c_cc.5)
  }

  /// - Parameters:
  ///   - local: c_lflag, in which ICANON is 2.
  ///   - minimum: c_cc[VMIN].
  ///   - time: c_cc[VTIME], in tenths of a second.
  private static func length(local: UInt32, minimum: UInt8, time: UInt8) -> Nanoseconds? {
    local & 2 == 0 && minimum == 0 && time > 0 ? .milliseconds(100 * Int64(time)) : nil
  }
}

/// Calls that set how long a read from a terminal may last.
final class TerminalTimeoutCalls: Interceptor {
  private let timeouts: SocketTimeouts

  let calls: Set<Int>? = [SystemCallNumber.ioctl]
  let filterRules: [Int: FilterRule]

  /// - Parameters:
  ///   - timeouts: who keeps timeouts.
  ///   - isVirtual: true if time is other than the machine's.
  init(timeouts: SocketTimeouts, isVirtual: Bool) {
    self.timeouts = timeouts
    filterRules =
      isVirtual ? [SystemCallNumber.ioctl: .traceIfAmong([TerminalTimeout.requests])] : [:]
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    guard call.registers.isAmong([TerminalTimeout.requests]) else { return .pass }
    let attributes = call.tracee.process.memory?.readBytes(
      TerminalTimeout.usedLength, at: call.registers[argument: 2])
    if TerminalTimeout.length(attributes ?? []) != nil { timeouts.beginUse(ofTerminals: true) }
    return .proceed
  }
}
