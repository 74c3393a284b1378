/// The way between the server and its client.
package protocol LanguageTransport {
  /// Receives the client's input.
  ///
  /// - Parameter waits: Whether to wait until there is some.
  mutating func receive(waits: Bool) -> TransportInput

  /// Sends bytes; false if the reader is gone.
  mutating func send(_ bytes: [UInt8]) -> Bool
}

/// A unit of input from a client.
package enum TransportInput: Sendable {
  /// Bytes, however they are cut.
  case bytes([UInt8])
  /// No input for now.
  case nothing
  /// The end of the input.
  case closed
}
