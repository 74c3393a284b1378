extension Failure {
  /// The type of a failure behind which nothing is judged: in what state a crash has left files is not known.
  package static let unknownCrash = "chaos.crash"

  /// The type of a failure behind which nothing is judged: a process lives outside of the case's
  /// environment.
  package static let outOfReach = "OutOfReach"

  /// The type of a failure behind which nothing is judged: the runner had nothing left for a client of the mock server.
  package static let exhausted = "network.exhausted"

  /// True if nothing is judged behind it: that a condition does not hold may have the same cause.
  package var leavesNothingDecided: Bool {
    [Self.unknownCrash, Self.outOfReach, Self.exhausted].contains(type)
  }
}
