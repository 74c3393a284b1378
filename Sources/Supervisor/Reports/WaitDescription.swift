/// The reason why virtual time moved.
package enum ClockMoveReason: Sendable, Hashable {
  /// A thread's wait was over.
  case wait(WaitDescription)
  /// A reply's delay was over.
  case delayedReply
  /// A thread polls the clock, and nothing else is due.
  case spin(program: String, process: Int32)
  /// Threads compute while others wait for time to pass, and nothing else was due.
  case computing(program: String, process: Int32)
  /// A step let time pass, and nothing else was due.
  case step
  /// A chaos entry had something to do with a process.
  case chaos(entry: String)

  /// The process for which it moved.
  package var process: Int32? {
    switch self {
    case .wait(let wait): wait.process
    case .spin(_, let process), .computing(_, let process): process
    case .delayedReply, .step, .chaos: nil
    }
  }

  /// The reason in words.
  package var text: String {
    switch self {
    case .wait(let wait): "\(wait.program) in \(wait.systemCall)"
    case .delayedReply: "delayed reply"
    case .spin(let program, _): "\(program) spins on the clock"
    case .computing(let program, _): "\(program) computes"
    case .step: "step"
    case .chaos(let entry): "chaos entry \(entry)"
    }
  }
}

/// A wait of the target's.
package struct WaitDescription: Sendable, Hashable {
  /// The program's name without its folder.
  package var program: String
  /// The thread.
  package var thread: Int32
  /// The call, by its number.
  var systemCallNumber: Int
  /// The process; `nil` if it is not known.
  package var process: Int32?

  /// The call, by its name.
  package var systemCall: String { SystemCallTable.current.name(of: systemCallNumber) }
}
