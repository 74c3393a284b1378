/// The process that has made a connection.
package struct ClientOrigin: Sendable, Hashable {
  /// The connection's place in the order of all, counted from 1.
  package var connection: Int
  /// The process.
  package var process: Int32
  /// The command of the process: the program and the arguments by which a reader knows it.
  package let arguments: [String]
  /// The program's name, without its folder.
  package let program: String

  private static let argumentLimit = 64
  private static let argumentLength = 256

  /// Creates an origin; long lists of arguments, and long ones, are cut.
  package init(connection: Int, process: Int32, arguments: [String]) {
    self.connection = connection
    self.process = process
    self.arguments = arguments.prefix(Self.argumentLimit).map {
      String($0.prefix(Self.argumentLength))
    }
    let name = arguments.first ?? ""
    program = name.split(separator: "/").last.map(String.init) ?? name
  }

  /// The process in messages: `curl (pid 41)`.
  package var text: String {
    "\(program) (pid \(process))"
  }
}
