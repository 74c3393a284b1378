/// Who has made a connection.
public struct ClientOrigin: Sendable, Hashable {
  /// The connection's place in the order of all, counted from 1.
  public var connection: Int
  /// The process.
  public var process: Int32
  /// What the process runs: program and arguments.
  public var arguments: [String]

  /// Creates an origin.
  public init(connection: Int, process: Int32, arguments: [String]) {
    self.connection = connection
    self.process = process
    self.arguments = arguments
  }

  /// The program's name, without its folder.
  public var program: String {
    let name = arguments.first ?? ""
    return name.split(separator: "/").last.map(String.init) ?? name
  }

  /// The process in messages: `curl (pid 41)`.
  public var text: String {
    "\(program) (pid \(process))"
  }
}
