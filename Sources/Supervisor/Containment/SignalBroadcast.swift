/// A signal to many processes, which its sender sends to one after the other.
///
/// kill(2) with −1 would reach whatever the sender may signal. The sender makes the call again for each process
/// of the scenario instead, so that its rights, and what the receivers learn of it, are its own.
struct SignalBroadcast {
  /// The instruction and stack pointers at which the call is made.
  let place: (instruction: UInt64, stack: UInt64)
  /// The processes that are still to get it.
  var rest: ArraySlice<Int32>
  /// The call's result if it ended now: 0, or a negative errno.
  ///
  /// As in the kernel: the result of the last delivery that was not forbidden.
  var result = 0

  /// Returns whether a call at its entry continues this broadcast.
  func isMade(by registers: Registers) -> Bool {
    place.instruction == registers.instructionPointer && place.stack == registers.stackPointer
  }
}
