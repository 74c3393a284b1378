/// The ending of a connection.
package enum ConnectionEnding: String, Sendable, CaseIterable, Codable {
  /// An end in order, behind the proper end of the message.
  case end
  /// An end in order, but in the middle of the message.
  case abrupt
  /// A reset.
  case reset
}
