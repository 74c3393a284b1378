/// A call that waits for something before it goes on.
enum SuspendedCall {
  /// It sleeps; then the rest is done with these registers.
  case sleeping(Registers, then: FunctionAction, site: Int)
  /// It runs; its result is wanted when it is back at `caller` with this stack pointer.
  case running(
    caller: UInt64, stackPointer: UInt64, slot: Int,
    edit: @Sendable (FunctionResult, CallerMemory) -> FunctionResult)
}
