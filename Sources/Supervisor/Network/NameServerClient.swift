/// Who asks a name server, and by which socket.
public struct NameServerClient: Sendable, Hashable {
  /// The process.
  public var process: Int32
  /// Its number in the order of births, from 1.
  public var processOrdinal: Int
  /// The thread's number in its process, from 1.
  public var threadOrdinal: Int
  /// The path of what the process runs.
  public var executable: String
  /// The inode of the socket, which no other one has.
  public var socket: UInt64
  /// The socket's port on this machine.
  public var sourcePort: UInt16
  /// The port of this machine that stands for the name server.
  public var port: UInt16
  /// Where the thread stands in the tree.
  public var lineage: [UInt32]
  /// How many connections the thread had made before, these among them.
  public var ordinal: UInt32
}
