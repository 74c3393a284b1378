package import Foundations

/// The situation of one thread of the target: a line of a "why stuck" report.
package struct ThreadSituation: Sendable, Hashable {
  /// The process.
  package var process: Int32
  /// The thread.
  package var thread: Int32
  /// The program that the process runs.
  package var program: String
  /// The call it is in, or that it runs.
  package var activity: String
  /// The thread's part in the answer to why nothing makes progress.
  package var standing = Standing.waits
  /// The time in which it was ready to run, and waited for a processor.
  package var delay = Nanoseconds.zero

  /// The part of a thread in the answer to why nothing makes progress.
  package enum Standing: Sendable, Hashable {
    /// The thread runs: time does not move meanwhile.
    case computes
    /// The thread reads the clock again and again.
    case spins
    /// The thread repeats a call that changes nothing.
    case polls
    /// The thread waits for something that is named.
    case waits
    /// The thread waits until virtual time has passed.
    case awaitsTime
    /// The thread waits until the machine's own time has passed, where no clock of the file does.
    case awaitsRealTime
    /// The thread waits for a time so far off that no clock can count to it.
    case awaitsEndOfTime
    /// The thread waits in this call for another thread of its own process.
    case idle(call: String)
  }

  /// Describes a thread.
  package init(
    process: Int32, thread: Int32, program: String, activity: String, standing: Standing = .waits,
    delay: Nanoseconds = .zero
  ) {
    self.process = process
    self.thread = thread
    self.program = program
    self.activity = activity
    self.standing = standing
    self.delay = delay
  }
}
