/// A call that waits before it continues.
enum SuspendedCall {
  /// The thread sleeps; then the rest is done with these registers.
  case sleeping(Registers, then: FunctionAction, site: Int)
  /// The function runs; its result is read when the thread is back at `caller` with this stack
  /// pointer.
  case running(caller: UInt64, stackPointer: UInt64, slot: Int, edit: ResultEdit)

  /// Tells who waits for the call's result that there will be none.
  func abandon() {
    if case .running(_, _, _, let edit) = self { edit.abandon() }
  }
}
