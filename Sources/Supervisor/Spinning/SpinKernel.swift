internal import ScenarioModel

/// The services that the detection of spinners needs of the tracing loop.
protocol SpinKernel: TraceKernel, VirtualTime {
  /// The number of times that the clocks have been published or were about to change.
  var clockGeneration: UInt64 { get }
  /// The numbers of times that the threads which are not watched have run, at the last look.
  var runCounts: [UInt64] { get }
  /// True if what is waited for lets time pass.
  var mayPassTime: Bool { get }
  /// Returns whether time passes for what a thread uses of its processor.
  func isCharged(_ thread: ThreadIdentifier) -> Bool
  /// Returns whether a fault rule is about a call, by its number.
  func isCallOfRules(_ number: Int) -> Bool
  /// Publishes its clock to one process.
  func publishClock(to process: TargetProcess)
  /// Makes one process read its clock by system calls until the clock is published.
  func letAskForClock(_ process: TargetProcess)
  /// Counts that a spinner was who let time pass.
  func countSpin(of process: TargetProcess)
}
