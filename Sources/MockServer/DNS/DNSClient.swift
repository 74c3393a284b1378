package import FaultEngine
import Synchronization

/// A process that sends DNS queries by a socket.
package struct DNSClient: Sendable, Hashable {
  /// The process.
  package var process: Int32
  /// The process's number in start order, from 1.
  package var processOrdinal: Int
  /// The thread's number in its process, from 1.
  package var threadOrdinal: Int
  /// The names of the program that the process runs.
  package var program: ProgramNames
  /// The socket's number, which no other one has (the inode of sockfs).
  package var socket: UInt64
  /// The position of the thread in the tree, and the number of connections that it had made before.
  package var place: CausalOrder

  /// Creates a client.
  package init(
    process: Int32, processOrdinal: Int, threadOrdinal: Int, program: ProgramNames,
    socket: UInt64, place: CausalOrder
  ) {
    self.process = process
    self.processOrdinal = processOrdinal
    self.threadOrdinal = threadOrdinal
    self.program = program
    self.socket = socket
    self.place = place
  }
}

/// The two ends of a query's way within this machine.
struct DNSPorts: Sendable, Hashable {
  /// The client's.
  var source: UInt16
  /// The name server's.
  var local: UInt16
}

/// The clients of DNS, by the ports of their sockets.
///
/// A client is recorded before it can send. Entries stay when it gives the port up: there are as many as there
/// are ports at most.
final class DNSClients: Sendable {
  private let clients = Mutex<[DNSPorts: DNSClient]>([:])

  /// Records which client has a port from now on.
  func record(_ client: DNSClient, at ports: DNSPorts) {
    clients.withLock { $0[ports] = client }
  }

  /// The client that has a port; `nil` if it is not known.
  func client(at ports: DNSPorts) -> DNSClient? {
    clients.withLock { $0[ports] }
  }
}

/// A DNS query, and who has sent it.
struct DNSQuery: Sendable {
  /// The name in lower case, without a final dot.
  var name: String
  /// The requested record type.
  var type: UInt16
  /// True if it came over TCP.
  var isStream: Bool
  /// True if its client asks once more where a name with a dot has no address, with the root of its search list.
  var searchesRoot: Bool
  /// The client; `nil` if it is not known.
  var client: DNSClient?

  /// True if it asks for an address of a host.
  var isForAddress: Bool {
    type == DNSQuestion.RecordType.address || type == DNSQuestion.RecordType.longAddress
  }
}
