internal import Foundations

extension TimedWaitDecoder {
  /// Reads the waits for messages, semaphores, signals and other events that come one after the other.
  func decideOnQueue(_ registers: Registers) -> WaitDecision? {
    switch registers.systemCall {
    case SystemCallNumber.futexWaitv: secondFutex(registers, timeout: 3, clock: 4)
    case SystemCallNumber.futexWait: secondFutex(registers, timeout: 4, clock: 5)
    case SystemCallNumber.mqTimedsend, SystemCallNumber.mqTimedreceive:
      absolute(.messageQueue, timeout: 4, on: .realtime, registers)
    case SystemCallNumber.semtimedop: relative(.semaphores, timeout: 3, pauses: true, registers)
    case SystemCallNumber.rtSigtimedwait: relative(.signals, timeout: 2, registers)
    case SystemCallNumber.ioGetevents: events(.events, registers)
    case SystemCallNumber.ioPgetevents: events(.maskedEvents, registers)
    case SystemCallNumber.recvmmsg:
      relative(.datagrams(timeout: registers[argument: 4]), timeout: 4, registers)
    default: nil
    }
  }

  /// futex_waitv(2) and futex_wait(2) know two clocks, by the whole number and not by its lower half.
  private func secondFutex(
    _ registers: Registers, timeout: Int, clock: Int
  ) -> WaitDecision {
    switch Int32(truncatingIfNeeded: registers[argument: clock]) {
    case 0: absolute(.futex(.waitVector), timeout: timeout, on: .realtime, registers)
    case 1: absolute(.futex(.waitVector), timeout: timeout, on: .monotonic, registers)
    default: .native
    }
  }

  /// Decodes io_getevents(2), which does not check whether its timespec is valid; it adds up its
  /// fields.
  private func events(_ kind: TimedWait.Kind, _ registers: Registers) -> WaitDecision {
    guard let time = memory.read(TimeValue.self, at: registers[argument: 4]),
      time.length > .zero
    else { return .native }
    var untimed = registers
    untimed[argument: 4] = 0
    return wait(
      kind, until: .monotonic(now + time.length), requested: time.length, registers, untimed)
  }
}
