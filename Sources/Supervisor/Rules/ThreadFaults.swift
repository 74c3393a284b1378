internal import FaultEngine

/// What is done to a call of one thread that is not over.
struct ThreadFaults {
  /// The call that chaos accompanies.
  var pending: InFlightFault?
  /// A call that is made once more, about which has been decided already.
  var settled: DeferredDecision?
  /// What is to become of the call before which it waits.
  var delayed: ChaosDecision?

  /// True if there is nothing.
  var isEmpty: Bool { pending == nil && settled == nil && delayed == nil }
}

/// A call that chaos has changed, on its way through the kernel.
struct InFlightFault {
  /// How far the call is.
  enum Phase {
    /// It stands at its entry.
    case entering
    /// It is being made.
    case inside
    /// It stands at its exit.
    case leaving
  }

  /// Bytes of the caller's that are changed for the time of the call.
  struct MemoryEdit {
    var address: UInt64
    var original: [UInt8]
  }

  /// How far the call is.
  var phase = Phase.entering
  /// The registers at its entry, as the caller left them.
  let entry: Registers
  /// What was decided.
  let decision: ChaosDecision
  /// The call's name, and what it is about.
  let systemCall: String
  let subject: String?
  /// Arguments that it is made with in place of the caller's.
  var arguments: [(index: Int, value: UInt64)] = []
  /// What is put back at its exit, in this order.
  var edits: [MemoryEdit] = []
  /// Sees the result, and may change it.
  var finish: ((inout Registers) -> Void)?
}

/// A call about which has been decided already, and that its thread makes once more: behind a signal, or
/// behind a delay.
struct DeferredDecision {
  /// The registers at its entry.
  var entry: Registers
  /// What is still to be done.
  var decision: ChaosDecision
  /// When its delay ends; `nil` if it has none, or has had it.
  var deadline: Deadline?

  /// Returns whether a thread stands at the entry of this very call.
  func isCall(of registers: Registers) -> Bool {
    registers.systemCall == entry.systemCall
      && registers.instructionPointer == entry.instructionPointer
      && registers.stackPointer == entry.stackPointer
      && (0..<6).allSatisfy { registers[argument: $0] == entry[argument: $0] }
  }
}
