/// A call that a command outside the world is about to make, and that concerns the world.
struct ToldCall: Sendable {
  /// Its number and arguments; the number is −1 for one of another architecture.
  var registers: Registers
  /// The process that makes it.
  var thread: ThreadIdentifier
  /// Whose command that is, by its keeper's number.
  var command: Int32
}
