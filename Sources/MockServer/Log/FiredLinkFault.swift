package import FaultEngine

/// A fault that a chaos entry has caused on a connection, or in the answer to a DNS query.
package struct FiredLinkFault: Sendable, Hashable {
  /// The entry's name.
  package var entry: String
  /// The number of the connection among those that match the entry, from 1.
  package var occurrence: Int
  /// The fault, in a few words.
  package var action: String
  /// The other end, or the name of the query.
  package var subject: String
  /// True if it befell a DNS query.
  package var isAboutName: Bool
  /// True if the connection was refused.
  package var isRefusal: Bool
  /// The connection's number in the order in which they were made, from 1; `nil` for a query.
  package var connection: Int?
  /// The process; `nil` if it is not known.
  package var process: Int32?
  /// The process's number in the order of creation, from 1; 0 if it is not known.
  package var processOrdinal: Int
  /// The thread's number in its process, from 1; 0 if it is not known.
  package var threadOrdinal = 1
  /// The names of what the process runs.
  package var program = ProgramNames.unknown
}
