/// A port that a target has bound is the case's own, and not this machine's.
package struct PortMove: Sendable, Hashable {
  /// The reason.
  package enum Reason: String, Sendable {
    /// Another case of the run has the port.
    case otherCase = "another case"
    /// Another program of this machine has it.
    case otherProgram = "another program"
  }

  /// The port.
  package var port: UInt16
  /// True for a port of UDP, and not of TCP.
  package var isOfDatagrams: Bool
  /// The reason.
  package var reason: Reason
  /// The name of the program that has bound it.
  package var program: String
}
