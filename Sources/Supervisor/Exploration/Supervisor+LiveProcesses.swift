extension Supervisor {
  /// The programs of the processes of the tree that live, in the order of births, without their folders.
  public func livePrograms() -> [String] {
    ask { loop in
      loop.processes.values.filter { !$0.threads.isEmpty }.sorted { $0.ordinal < $1.ordinal }
        .map(\.programName)
    }
  }
}
