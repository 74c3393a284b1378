extension TimedWait {
  /// Returns the call changed so that it returns at once whether its condition holds; `nil` for
  /// calls that have no such form.
  ///
  /// The call's number stays: a filter of the target's own may not know another. So does what makes
  /// the supervisor's filter let it pass.
  ///
  /// - Parameter memory: the caller's memory, which does not change meanwhile.
  func look(in memory: TargetMemory?) -> Registers? {
    var registers = entry
    switch kind {
    case .futex(.wait), .futex(.waitBitset):
      // With a word that is not the expected one the call fails at once as it is. Shared words may be
      // changed by who is not of the tree.
      let expected = UInt32(truncatingIfNeeded: entry[argument: 2])
      guard entry[argument: 1] & Self.privateFlag != 0,
        memory?.read(UInt32.self, at: entry[argument: 0]) == expected
      else { return nil }
      // The kernel compares it with another word, and does not wait; all else it looks at as ever.
      registers[argument: 2] = UInt64(expected ^ 1)
      registers[argument: 3] = 0
    case .poll:
      registers[argument: 2] = 0
    case .epoll where unmasksNothing:
      registers[argument: 3] = 0
    default:
      return nil
    }
    return registers
  }

  /// True if an epoll call unblocks no signal that is blocked before it.
  ///
  /// Made with no time, it does not report those that are pending. epoll_pwait2(2) has its timeout
  /// in memory.
  private var unmasksNothing: Bool {
    entry.systemCall == SystemCallNumber.epollWait
      || (entry.systemCall == SystemCallNumber.epollPwait && entry[argument: 4] == 0)
  }

  /// FUTEX_PRIVATE_FLAG (futex(2)).
  private static let privateFlag: UInt64 = 128

  /// Returns whether the call, made so, has found that there is something to wait for.
  ///
  /// - Parameter result: what it returned.
  func mustWait(after result: Int) -> Bool {
    if case .futex = kind { return result == -KernelError.again }
    return result == 0
  }
}
