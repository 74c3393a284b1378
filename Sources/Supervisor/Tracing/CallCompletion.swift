/// The work to do at the exit of a call.
struct CallCompletion {
  /// The registers at the call's entry.
  var entry: Registers
  /// Receives the result, with the caller's own arguments, and may change it.
  var body: (inout Registers) -> Void
}

extension Registers {
  /// These registers, taken at a call's entry, as they must be at its exit.
  func afterCall(_ exit: Registers) -> Registers {
    var restored = exit
    for index in 0..<6 {
      restored[argument: index] = self[argument: index]
    }
    restored.systemCall = systemCall
    return restored
  }
}
