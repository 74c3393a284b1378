internal import CSupervisor

/// The registers of a thread at the beginning or behind the end of a function, by the roles that
/// the System V calling convention gives them.
extension Registers {
  /// The instruction pointer, and the registers from which the caller's frame is found (System V
  /// ABI for AMD64, figure 3.36).
  var callFrame: CallFrameTable.Frame {
    CallFrameTable.Frame(
      instruction: raw.rip,
      registers: [
        3: raw.rbx, 6: raw.rbp, 7: raw.rsp, 12: raw.r12, 13: raw.r13, 14: raw.r14, 15: raw.r15,
        // Code behind a prologue that aligns the stack finds its frame by this one.
        10: raw.r10,
      ])
  }

  /// The first six integers or pointers.
  var functionArguments: [UInt64] { [raw.rdi, raw.rsi, raw.rdx, raw.rcx, raw.r8, raw.r9] }

  /// Changes one of them.
  mutating func setFunctionArgument(_ index: Int, to value: UInt64) {
    switch index {
    case 0: raw.rdi = value
    case 1: raw.rsi = value
    case 2: raw.rdx = value
    case 3: raw.rcx = value
    case 4: raw.r8 = value
    case 5: raw.r9 = value
    default: break
    }
  }

  /// The function's return value, if it is an integer or a pointer.
  var functionResult: UInt64 {
    get { raw.rax }
    set { raw.rax = newValue }
  }

  /// Makes all integers zero that a function of Go returns behind its first one (Go internal ABI: RAX, RBX,
  /// RCX, RDI, RSI, R8, R9, R10, R11, none of which a caller expects to be kept).
  mutating func clearFurtherResults() {
    raw.rbx = 0
    raw.rcx = 0
    raw.rdi = 0
    raw.rsi = 0
    raw.r8 = 0
    raw.r9 = 0
    raw.r10 = 0
    raw.r11 = 0
  }

  /// The address around which the thread's own variables are.
  var threadPointer: UInt64 { raw.fs_base }

  /// Removes the words of the stub from the stack; returns the count before this call.
  mutating func leaveStub(saved: [UInt64], next: UInt64) -> UInt64 {
    var count: UInt64 = 0
    systemCall = -1
    for (register, value) in zip(FunctionStub.saved, saved) {
      switch register {
      case .count: count = value
      case .rdi: raw.rdi = value
      case .rcx: raw.rcx = value
      case .rax: raw.rax = value
      case .r11: raw.r11 = value
      }
    }
    raw.rsp &+= UInt64(8 * FunctionStub.saved.count)
    raw.rip = next
    return count
  }

  /// True if a stub reports by this call that a point is due.
  var isReportOfFunction: Bool {
    systemCall == SystemCallNumber.getpid
      && UInt32(truncatingIfNeeded: raw.rdi) == FunctionStub.cookie
  }

  /// Returns from a function at whose beginning the thread is.
  mutating func returnFromFunction(to caller: UInt64) {
    raw.rsp &+= 8
    raw.rip = caller
  }

  /// Sets the registers so that the thread calls a function, with `stackPointer` at the return
  /// address.
  mutating func call(_ function: UInt64, stackPointer: UInt64) {
    systemCall = -1
    raw.rax = 0
    raw.rsp = stackPointer
    raw.rip = function
    // The calling convention wants the direction flag clear.
    raw.eflags &= ~0x400
  }

  /// A place below the stack pointer that a signal's handler leaves alone (System V ABI, 3.2.2).
  var redZone: UInt64 { raw.rsp &- 16 }
}
