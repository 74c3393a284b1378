/// The ending of a connection.
package enum ConnectionEnding: String, Sendable, CaseIterable, Codable {
  /// In order, behind the proper end of the message.
  case end
  /// In order, but in the middle of the message.
  case abrupt
  /// A reset.
  case reset
}
