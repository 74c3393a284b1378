/// What one thread of the target is doing: a line of a "why stuck" report.
package struct ThreadSituation: Sendable, Hashable {
  /// The process.
  package var process: Int32
  /// The thread.
  package var thread: Int32
  /// What the process runs.
  package var program: String
  /// The call it is in, or that it runs.
  package var activity: String
  /// How much it matters to somebody who asks why nothing gets on.
  package var standing = Standing.waits

  /// What a thread is to the question why nothing gets on.
  package enum Standing: Sendable, Hashable {
    /// It runs: time stands still for it.
    case computes
    /// It asks for the time, or for nothing, again and again.
    case spins
    /// It waits for something that is named.
    case waits
    /// It waits until virtual time has passed.
    case awaitsTime
    /// It waits for an end that no clock can count.
    case awaitsEndOfTime
    /// It waits in this call for another thread of its own process.
    case idle(call: String)
  }

  /// Describes a thread.
  package init(
    process: Int32, thread: Int32, program: String, activity: String, standing: Standing = .waits
  ) {
    self.process = process
    self.thread = thread
    self.program = program
    self.activity = activity
    self.standing = standing
  }
}
