internal import Foundations
internal import ScenarioModel

/// The services that the timeouts of sockets need of the tracing loop.
protocol SocketKernel: TraceKernel, VirtualTime {
  /// The threads that must be examined to know whether they sleep.
  var watchedThreads: [ThreadIdentifier: Tracee] { get }
  /// Interrupts a thread that sleeps.
  func interrupt(_ tracee: Tracee)
  /// Reports that the timeout of a socket has ended a call, which has begun `length` before.
  func reportSocketWait(of tracee: Tracee, call: Int, length: Nanoseconds)
}
