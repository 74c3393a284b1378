/// A call that a chaos entry has changed.
package struct FaultDescription: Sendable, Hashable, Codable {
  /// The entry's name.
  package var entry: String
  /// The number of the call among those that match the entry, from 1.
  package var occurrence: Int
  /// The action, in a few words: `EIO`, `delay 3s`, `short 12`.
  package var action: String
  /// The call.
  package var systemCall: String
  /// The path or the host that it was about.
  package var subject: String?
  /// The call's result; `nil` if it has not returned, or was made behind this event.
  package var result: Int?
  /// The name of its errno.
  package var error: String?
  /// The process's number in the order of births, from 1.
  package var processOrdinal: Int
  /// The thread's number within its process, from 1.
  package var threadOrdinal: Int
  /// The number of the connection that went wrong, in the order in which they were made, from 1.
  package var connection: Int?
  /// The name of the program that made the call; `nil` where it is unknown.
  package var program: String?

  /// Creates a description.
  package init(
    entry: String, occurrence: Int, action: String, systemCall: String, subject: String?,
    result: Int?, error: String?, processOrdinal: Int, threadOrdinal: Int
  ) {
    self.entry = entry
    self.occurrence = occurrence
    self.action = action
    self.systemCall = systemCall
    self.subject = subject
    self.result = result
    self.error = error
    self.processOrdinal = processOrdinal
    self.threadOrdinal = threadOrdinal
  }
}
