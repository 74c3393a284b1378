internal import ScenarioModel

/// A link that may delay, cut or break what a connection carries.
///
/// Lives on the event loop.
protocol FaultyLink: AnyObject {
  /// True if it holds back so much for the client that nothing should be added.
  var isFull: Bool { get }
  /// Consumes the fault of the TLS handshake that begins; `nil` without one.
  func takeHandshakeFault() -> ConnectionFault.HandshakeFault?
}
