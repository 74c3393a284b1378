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
