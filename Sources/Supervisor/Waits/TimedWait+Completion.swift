internal import ScenarioModel

extension TimedWait {
  /// Writes what the kernel would have written beside the result.
  ///
  /// - Parameters:
  ///   - memory: the caller's memory.
  ///   - rest: the virtual time that was left; zero on expiry.
  ///   - hasExpired: whether the call ended because its time was up.
  ///   - isInterrupted: whether a handler of a signal ended it.
  func writeBack(
    to memory: TargetMemory, rest: Nanoseconds, hasExpired: Bool, isInterrupted: Bool
  ) {
    let rest = max(.zero, rest)
    switch kind {
    case .sleep(let remainder):
      // nanosleep(2): only "if the call is interrupted by a signal handler".
      if isInterrupted, remainder != 0 {
        memory.writeAsKernel(TimeValue(rest), at: remainder)
      }
    case .timedPoll(let timeout):
      memory.writeAsKernel(TimeValue(rest), at: timeout)
    case .select(let arguments):
      var value = TimeValue(rest)
      if arguments.countsMicroseconds { value.fraction /= 1_000 }
      memory.writeAsKernel(value, at: arguments.timeout)
      if hasExpired { emptySets(arguments, in: memory) }
    case .futex, .poll:
      break
    }
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
