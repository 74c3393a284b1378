internal import ScenarioModel

/// What the detection of spinners may ask of the loop that traces the target.
protocol SpinKernel: TraceKernel, VirtualTime {
  /// How often the clocks have been published or were about to change.
  var clockGeneration: UInt64 { get }
  /// How often the threads that are not watched have run, as the last look has found.
  var runCounts: [UInt64] { get }
  /// True if what is waited for lets time pass.
  var mayPassTime: Bool { get }
  /// Returns whether time passes for what a thread uses of its processor.
  func isCharged(_ thread: ThreadIdentifier) -> Bool
  /// Returns whether a fault rule is about a call, by its number.
  func isCallOfRules(_ number: Int) -> Bool
  /// Tells one process what its clock shows.
  func publishClock(to process: TargetProcess)
  /// Lets one process ask until its clock is published.
  func letAskForClock(_ process: TargetProcess)
  /// Counts that a spinner was who let time pass.
  func countSpin(of process: TargetProcess)
}
