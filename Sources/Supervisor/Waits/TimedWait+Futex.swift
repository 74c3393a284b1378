extension TimedWait {
  /// Where it waits, if nothing but a thread that shares its memory, or a signal, ends it before its time; `nil` for
  /// others.
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
