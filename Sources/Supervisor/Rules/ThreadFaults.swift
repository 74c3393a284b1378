internal import FaultEngine

/// The faults in a call of one thread that is not over.
struct ThreadFaults {
  /// The call that chaos accompanies.
  var pending: InFlightFault?
  /// A call that is made once more, about which has been decided already.
  var settled: DeferredDecision?
  /// The decision about the call before which it waits.
  var delayed: ChaosDecision?

  /// True if there is nothing.
  var isEmpty: Bool { pending == nil && settled == nil && delayed == nil }
}

/// A call that chaos has changed, on its way through the kernel.
struct InFlightFault {
  /// The phase of a call.
  enum Phase {
    /// The call is at its entry.
    case entering
    /// The call is being made.
    case inside
    /// The call is at its exit.
    case leaving
  }

  /// Bytes of the caller's that are changed for the time of the call.
  struct MemoryEdit {
    var address: UInt64
    var original: [UInt8]
  }

  /// The phase of the call.
  var phase = Phase.entering
  /// The registers at its entry, as the caller left them.
  let entry: Registers
  /// The decision.
  let decision: ChaosDecision
  /// The call's name, and what it is about.
  let systemCall: String
  let subject: String?
  /// Arguments that it is made with in place of the caller's.
  var arguments: [(index: Int, value: UInt64)] = []
  /// The memory to restore at its exit, in this order.
  var edits: [MemoryEdit] = []
  /// The sync that the call makes, which is one only if the thread sees it succeed.
  var sync: WritebackJournal.Sync?
  /// Receives the result, and may change it.
  var finish: ((inout Registers) -> Void)?
}

/// A call about which has been decided already, and that its thread makes once more: behind a signal, or
/// behind a delay.
struct DeferredDecision {
  /// The registers at its entry.
  var entry: Registers
  /// The part of the decision that is still to be carried out.
  var decision: ChaosDecision
  /// The deadline of its delay; `nil` if it has none, or has had it.
  var deadline: Deadline?

  /// Returns whether a thread is at the entry of this very call.
  func isCall(of registers: Registers) -> Bool {
    registers.systemCall == entry.systemCall
      && registers.instructionPointer == entry.instructionPointer
      && registers.stackPointer == entry.stackPointer
      && (0..<6).allSatisfy { registers[argument: $0] == entry[argument: $0] }
  }
}
