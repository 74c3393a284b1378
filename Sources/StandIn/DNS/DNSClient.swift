internal import ScenarioPlan
import Synchronization

/// Who asks for names by a socket.
public struct DNSClient: Sendable, Hashable {
  /// The process.
  public var process: Int32
  /// Its number in the order of births, from 1.
  public var processOrdinal: Int
  /// The thread's number in its process, from 1.
  public var threadOrdinal: Int
  /// The path of what the process runs.
  public var executable: String
  /// The socket's number, which no other one has (the inode of sockfs).
  public var socket: UInt64
  /// Where the thread stands in the tree, and how many connections it had made before.
  public var place: CausalOrder

  /// Creates an asker.
  public init(
    process: Int32, processOrdinal: Int, threadOrdinal: Int, executable: String, socket: UInt64,
    place: CausalOrder
  ) {
    self.process = process
    self.processOrdinal = processOrdinal
    self.threadOrdinal = threadOrdinal
    self.executable = executable
    self.socket = socket
    self.place = place
  }
}

/// The two ends of a question's way within this machine.
struct DNSPorts: Sendable, Hashable {
  /// The asker's.
  var source: UInt16
  /// The name server's.
  var local: UInt16
}

/// Who asks for names, by the ports of their sockets.
///
/// Whoever has a port is noted before it can ask; nobody tells when it gives the port up, so that there are
/// as many as there are ports at most.
final class DNSClients: Sendable {
  private let askers = Mutex<[DNSPorts: DNSClient]>([:])

  /// Takes note of who asks from a port from now on.
  func note(_ asker: DNSClient, at ports: DNSPorts) {
    askers.withLock { $0[ports] = asker }
  }

  /// Who asks from a port; `nil` where nobody knows.
  func asker(at ports: DNSPorts) -> DNSClient? {
    askers.withLock { $0[ports] }
  }
}

/// A question for a name, and who has asked it.
struct DNSQuery: Sendable {
  /// The name in lower case, without a final dot.
  var name: String
  /// The kind of record that is asked for.
  var type: UInt16
  /// Whether it came over TCP.
  var isStream: Bool
  /// Whether its asker asks once more where a name with a dot has no address, with the root of its search list.
  var searchesRoot: Bool
  /// `nil` where nobody knows.
  var asker: DNSClient?
}
