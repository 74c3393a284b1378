/// The result of a target's attempt to connect to another host.
package enum HostOpening: Sendable, Hashable {
  /// The server is there: the client connects to the gate.
  case relayed
  /// No process listens at the port.
  case refused
  /// A fault refuses the connection although a process listens.
  case denied
  /// There is no answer: the client connects to where silence is, and is answered from there once one comes through.
  case silent
}
