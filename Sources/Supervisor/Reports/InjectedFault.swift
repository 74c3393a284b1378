/// A call that chaos has changed.
package struct InjectedFault: Sendable, Hashable {
  /// The entry's name.
  package var entry: String
  /// The number of the call among those that match the entry, from 1.
  package var occurrence: Int
  /// The action, in a few words: `EIO`, `delay 3s`, `short 12`.
  package var action: String
  /// The call.
  package var systemCall: String
  /// The path or the host that it is about.
  package var subject: String?
  /// The call's result; `nil` if it did not return.
  package var result: Int?
  /// The name of its errno.
  package var error: String?
  /// The process.
  package var process: Int32
  /// The process's number in start order, from 1.
  package var processOrdinal: Int
  /// The thread's number within its process, from 1.
  package var threadOrdinal: Int
  /// The name of what its process runs.
  package var program: String?

  /// The action where an entry gives the original and nothing else.
  static let original = "original"
}
