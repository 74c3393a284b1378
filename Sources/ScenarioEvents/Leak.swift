/// A process that outlives the target of its scenario.
package struct LeakedProcess: Sendable, Hashable, Codable {
  /// The program's name without its folder.
  package var program: String
  /// Its number among the processes of the scenario, in the order of births, counted from 1.
  package var ordinal: Int
  /// The kernel's number of it.
  package var process: Int32
  /// Its program and arguments.
  package var arguments: [String]

  /// Creates a description.
  package init(program: String, ordinal: Int, process: Int32, arguments: [String]) {
    self.program = program
    self.ordinal = ordinal
    self.process = process
    self.arguments = arguments
  }

  /// The process in one line: `sleep (process 2): sleep 1000`.
  package var text: String {
    "\(program) (process \(ordinal)): \(arguments.joined(separator: " "))"
  }
}

/// The processes that outlive a scenario's target.
package struct Leak: Sendable, Hashable, Codable {
  /// The processes, in the order of births.
  package var processes: [LeakedProcess]

  /// Creates a leak.
  package init(processes: [LeakedProcess]) {
    self.processes = processes
  }

  /// `2 processes outlive the target: sleep, cat`.
  package var text: String {
    let names = processes.prefix(5).map(\.program).joined(separator: ", ")
    let count = processes.count == 1 ? "1 process outlives" : "\(processes.count) processes outlive"
    return "\(count) the target: \(names)" + (processes.count > 5 ? ", …" : "")
  }
}
