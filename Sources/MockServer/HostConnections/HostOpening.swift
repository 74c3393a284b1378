/// What becomes of a connection that a target asks another host for.
package enum HostOpening: Sendable, Hashable {
  /// The server is there: the client connects to the gate.
  case relayed
  /// Nobody listens.
  case refused
  /// It is refused although somebody listens.
  case denied
  /// There is no answer: the client connects to where silence is, and is answered from there once one comes through.
  case silent
}
