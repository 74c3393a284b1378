extension TimedWait {
  /// The address that it waits at, if only a thread that shares its memory, or a signal, can end it
  /// before its deadline; `nil` for others.
  var privateFutex: UInt64? {
    switch kind {
    case .futex(.wait), .futex(.waitBitset):
      let isPrivate =
        UInt32(truncatingIfNeeded: entry[argument: 1]) & FutexWakes.privateFlag != 0
      return isPrivate ? entry[argument: 0] : nil
    default: return nil
    }
  }
}

extension BlockedCall {
  /// The operation of FUTEX_WAIT or FUTEX_WAIT_BITSET without a timeout (futex(2)), with its flags; `nil` for other calls.
  var untimedFutexWait: UInt32? {
    guard number == SystemCallNumber.futex, arguments[3] == 0 else { return nil }
    let operation = UInt32(truncatingIfNeeded: arguments[1])
    return [0, 9].contains(operation & 127) ? operation : nil
  }

  /// The address that it waits at without a timeout, if only a thread that shares its memory, or a signal, can end it.
  var untimedPrivateFutex: UInt64? {
    guard let operation = untimedFutexWait, operation & FutexWakes.privateFlag != 0 else {
      return nil
    }
    return arguments[0]
  }
}
