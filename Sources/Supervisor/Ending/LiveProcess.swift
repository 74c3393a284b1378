/// A process of the target's tree that lives.
package struct LiveProcess: Sendable, Hashable {
  /// The kernel's number of it.
  package var number: Int32
  /// Its number among the processes of the scenario, in the order of births, from 1.
  package var ordinal: Int
  /// The program's name without its folder.
  package var program: String
  /// What it runs: program and arguments.
  package var arguments: [String]
}

extension TracerLoop {
  /// The processes that live, in the order of births.
  var liveProcesses: [LiveProcess] {
    processes.values.filter { !$0.threads.isEmpty }.sorted { $0.ordinal < $1.ordinal }.map {
      LiveProcess(
        number: $0.identifier.number, ordinal: $0.ordinal, program: $0.programName,
        arguments: $0.arguments)
    }
  }

  /// Whether nobody lives or is being born.
  var isTreeGone: Bool {
    tree.isSettled && pendingLaunches.isEmpty
      && !processes.values.contains { !$0.threads.isEmpty }
  }
}
