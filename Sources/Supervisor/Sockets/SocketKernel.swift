internal import Foundations
internal import ScenarioModel

/// What the timeouts of sockets may ask of the loop that traces the target.
protocol SocketKernel: TraceKernel, VirtualTime {
  /// The threads that must be looked at to know whether they sleep.
  var watchedThreads: [ThreadIdentifier: Tracee] { get }
  /// Interrupts a thread that sleeps.
  func interrupt(_ tracee: Tracee)
  /// Takes the interruption back that recvmmsg(2) leaves on its socket for the next call; true if there was one.
  @discardableResult
  func clearInterruption(ofSocket descriptor: Int32, of tracee: Tracee) -> Bool
  /// Reports that the timeout of a socket has ended a call, which has begun `length` before.
  func reportSocketWait(of tracee: Tracee, call: Int, length: Nanoseconds)
}
