internal import Foundations

extension TimedWait {
  /// Writes what the kernel would have written beside the result.
  ///
  /// - Parameters:
  ///   - memory: the caller's memory.
  ///   - rest: the virtual time that was left; zero on expiry.
  ///   - hasExpired: whether the call ended because its time was up.
  ///   - isInterrupted: whether a handler of a signal ended it.
  ///   - result: what the call returns.
  /// - Returns: false if the caller may not write where its timeout lies.
  @discardableResult
  func writeBack(
    to memory: TargetMemory, rest: Nanoseconds, hasExpired: Bool, isInterrupted: Bool,
    result: Int = 0
  ) -> Bool {
    let rest = max(.zero, rest)
    switch kind {
    case .sleep(let remainder):
      // nanosleep(2): only "if the call is interrupted by a signal handler".
      if isInterrupted, remainder != 0 {
        return memory.writeAsKernel(TimeValue(rest), at: remainder)
      }
    case .timedPoll(let timeout):
      return memory.writeAsKernel(TimeValue(rest), at: timeout)
    case .select(let arguments):
      var value = TimeValue(rest)
      if arguments.countsMicroseconds { value.fraction /= 1_000 }
      let isWritten = memory.writeAsKernel(value, at: arguments.timeout)
      if hasExpired { emptySets(arguments, in: memory) }
      return isWritten
    case .datagrams(let timeout):
      if result > 0 { return memory.writeAsKernel(TimeValue(rest), at: timeout) }
    case .futex, .poll, .epoll, .messageQueue, .semaphores, .signals, .events, .maskedEvents,
      .delay:
      break
    }
    return true
  }

  /// The kernel leaves the sets of an interrupted select alone, and empties those of an expired one.
  private func emptySets(_ arguments: SelectArguments, in memory: TargetMemory) {
    // The kernel looks at no more descriptors than the process has room for (select(2), BUGS).
    let count = min(max(arguments.descriptorCount, 0), memory.descriptorTableSize)
    let zeros = [UInt8](repeating: 0, count: (count + 63) / 64 * 8)
    zeros.withUnsafeBytes { bytes in
      for set in arguments.sets {
        memory.writeAsKernel(bytes, at: set)
      }
    }
  }
}
