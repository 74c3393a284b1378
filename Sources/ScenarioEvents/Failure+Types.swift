extension Failure {
  /// The type of a failure behind which nothing is judged: in what state a crash has left files is not known.
  public static let unknownCrash = "chaos.crash"
}
