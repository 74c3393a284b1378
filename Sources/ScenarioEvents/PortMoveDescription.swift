/// A port that a target has bound is the case's own, and not this machine's, because somebody else has it there.
package struct PortMoveDescription: Sendable, Hashable, Codable {
  /// The port.
  package var port: UInt16
  /// Its transport: `TCP` or `UDP`.
  package var transport: String
  /// Who has it on this machine: `another case` or `another program`.
  package var holder: String
  /// The name of the program that has bound it.
  package var program: String

  /// Creates a description.
  package init(port: UInt16, transport: String, holder: String, program: String) {
    self.port = port
    self.transport = transport
    self.holder = holder
    self.program = program
  }

  /// The move in words, to follow the program's name.
  package var text: String {
    "binds port \(port) of \(transport), which \(holder) has: it gets a port of the case's own"
  }
}
