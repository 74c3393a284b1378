package import FaultEngine

/// The thread that asks a name server, and its socket.
package struct NameServerClient: Sendable, Hashable {
  /// The process.
  package var process: Int32
  /// The process's number in start order, from 1.
  package var processOrdinal: Int
  /// The thread's number in its process, from 1.
  package var threadOrdinal: Int
  /// The names of the program that the process runs.
  package var program: ProgramNames
  /// The inode of the socket, which no other one has.
  package var socket: UInt64
  /// The socket's port on this machine.
  package var sourcePort: UInt16
  /// The port of this machine that stands for the name server.
  package var port: UInt16
  /// The thread's position in the tree of threads.
  package var lineage: [UInt32]
  /// The number of connections that the thread had made before, these among them.
  package var ordinal: UInt32
}
