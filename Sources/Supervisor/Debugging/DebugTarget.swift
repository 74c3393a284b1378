/// A process, all of whose threads are stopped, in the hands of a debugger.
package protocol DebugTarget: AnyObject {
  /// The process's number.
  var process: Int32 { get }
  /// Its threads, the first one first.
  var threads: [Int32] { get }
  /// The program's path.
  var program: String { get }
  /// The auxiliary vector that its program got (proc(5)).
  var auxiliaryVector: [UInt8] { get }

  /// The registers of a thread as a debugger wants them; `nil` if it is gone.
  func registers(of thread: Int32) -> [UInt8]?
  /// Changes the registers of a thread; false if that is not possible.
  func setRegisters(_ bytes: [UInt8], of thread: Int32) -> Bool
  /// Up to so many bytes of memory; fewer where the mapping ends.
  func read(_ count: Int, at address: UInt64) -> [UInt8]
  /// Changes memory, whatever the mapping allows; false if there is none.
  func write(_ bytes: [UInt8], at address: UInt64) -> Bool

  /// Resumes all threads, or has one of them make one instruction.
  func resume(stepping thread: Int32?)
  /// Stops all threads.
  func interrupt()
  /// Returns the reason why the process is stopped; `nil` while it runs.
  func stopReason() -> DebugStop?
  /// The debugger has gone: the process runs on as if it had never been there.
  func detach()
}

/// The reason why a process that is debugged is stopped.
package enum DebugStop: Equatable, Sendable {
  /// A thread has got a signal, or would get it.
  case signal(Int32, thread: Int32)
  /// The process has exited by itself.
  case exited(Int32)
  /// A signal has ended it.
  case killed(Int32)
}
