internal import CSupervisor

/// A stopped thread's registers, by the roles that the x86-64 system call convention gives them.
///
/// syscall(2): the number is in rax (kept by the kernel in orig_rax), arguments are in rdi, rsi,
/// rdx, r10, r8, r9, the result comes back in rax.
struct Registers {
  /// The registers, as the kernel lays them out.
  var raw = user_regs_struct()

  /// Those of a thread that is about to make a call, of which no more is known.
  init(systemCall: Int, arguments: [UInt64]) {
    self.systemCall = systemCall
    for (index, value) in arguments.enumerated() { self[argument: index] = value }
  }

  init() {}

  /// Reads the registers of a stopped thread.
  static func read(from thread: ThreadIdentifier) throws(TraceError) -> Registers {
    var registers = Registers()
    let error = scenario_trace_get_registers(thread.number, &registers.raw)
    guard error == 0 else { throw TraceError(operation: "PTRACE_GETREGS", errorNumber: error) }
    return registers
  }

  /// Writes them back.
  func write(to thread: ThreadIdentifier) throws(TraceError) {
    var copy = raw
    let error = scenario_trace_set_registers(thread.number, &copy)
    guard error == 0 else { throw TraceError(operation: "PTRACE_SETREGS", errorNumber: error) }
  }

  /// The system call that the thread is in; −1 means that none is to be made.
  var systemCall: Int {
    get { Int(bitPattern: UInt(raw.orig_rax)) }
    set { raw.orig_rax = UInt64(UInt(bitPattern: newValue)) }
  }

  /// The system call's result: a value, or a negative errno.
  var result: Int {
    get { Int(bitPattern: UInt(raw.rax)) }
    set { raw.rax = UInt64(UInt(bitPattern: newValue)) }
  }

  /// The arguments of the system call, 0 … 5.
  subscript(argument index: Int) -> UInt64 {
    get {
      switch index {
      case 0: raw.rdi
      case 1: raw.rsi
      case 2: raw.rdx
      case 3: raw.r10
      case 4: raw.r8
      default: raw.r9
      }
    }
    set {
      switch index {
      case 0: raw.rdi = newValue
      case 1: raw.rsi = newValue
      case 2: raw.rdx = newValue
      case 3: raw.r10 = newValue
      case 4: raw.r8 = newValue
      default: raw.r9 = newValue
      }
    }
  }

  /// The next instruction.
  var instructionPointer: UInt64 {
    get { raw.rip }
    set { raw.rip = newValue }
  }

  /// The stack pointer.
  var stackPointer: UInt64 {
    get { raw.rsp }
    set { raw.rsp = newValue }
  }

  /// A hash of the instruction pointer and of the registers that a function preserves: as a rule,
  /// loops that make progress count there.
  var place: UInt64 {
    var place = raw.rip
    func mix(_ word: UInt64) { place = (place ^ word) &* 0x9e37_79b9_7f4a_7c15 }
    mix(raw.rsp)
    mix(raw.rbx)
    mix(raw.rbp)
    mix(raw.r12)
    mix(raw.r13)
    mix(raw.r14)
    mix(raw.r15)
    return place
  }

  /// True if the thread runs 64-bit code: the code segment is 0x33 there, 0x23 in 32-bit code.
  var isNative: Bool { raw.cs == 0x33 }

  /// Makes a call at its entry not happen, and return `result`.
  mutating func skipSystemCall(returning result: Int) {
    systemCall = -1
    self.result = result
  }

  /// Makes a thread at the entry of a call skip it, and come to it again at once.
  mutating func repeatSystemCall() {
    let number = systemCall
    skipSystemCall(returning: number)
    raw.rip -= UInt64(Architecture.systemCallInstruction.count)
  }

  /// Makes a thread that has left a call make it once more.
  mutating func restartSystemCall() {
    raw.rax = raw.orig_rax
    raw.rip -= UInt64(Architecture.systemCallInstruction.count)
  }

  /// Prepares a system call of our own at `instruction`, which must be a `syscall` instruction.
  mutating func prepareCall(_ number: Int, at instruction: UInt64, arguments: [UInt64]) {
    // With orig_rax −1 the kernel does not take the thread for one in a restartable call.
    systemCall = -1
    result = number
    instructionPointer = instruction
    for (index, argument) in arguments.enumerated() {
      self[argument: index] = argument
    }
  }

  /// Puts the thread back behind a breakpoint instruction that it has run, `int3`, one byte long.
  mutating func stepBackOverBreakpoint() {
    raw.rip -= 1
  }
}

/// Constants of the architecture that the supervisor needs besides its registers.
enum Architecture {
  /// AUDIT_ARCH_X86_64 of `linux/audit.h`, which seccomp(2) gives as the architecture of a call.
  static let auditNumber: UInt32 = 0xc000_003e
  /// Calls at or above this number belong to the x32 ABI.
  static let foreignCallBit: UInt32 = 0x4000_0000
  /// The instruction `int3`.
  static let breakpoint: UInt8 = 0xcc
  /// The instruction `syscall`.
  static let systemCallInstruction: [UInt8] = [0x0f, 0x05]
  /// EM_X86_64 of `elf.h`.
  static let elfMachine: UInt16 = 62
  /// The architecture's name in messages.
  static let name = "x86-64"
}
