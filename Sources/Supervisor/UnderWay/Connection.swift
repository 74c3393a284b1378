internal import CSupervisor
internal import Glibc

/// One end of a TCP connection of this machine, as the kernel lists it at one moment.
struct Connection: Hashable {
  /// An address and a port; IPv4 addresses as IPv6 has them (RFC 4291, section 2.5.5.2).
  struct End: Hashable {
    /// The sixteen bytes of the address.
    var address: [UInt8]
    /// The port.
    var port: UInt16

    /// True if the address is one of loopback: 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
      address.starts(with: Self.mappedPrefix)
        ? address[12] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }

    /// The same as targets name it.
    var internet: InternetAddress { InternetAddress(bytes: address, port: port) }

    /// The prefix of an IPv4 address in its form of IPv6.
    static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
  }

  /// The states of RFC 9293, section 3.3.2, by the kernel's numbers (`include/net/tcp_states.h`).
  enum State: UInt8, Hashable {
    case established = 1
    case synSent = 2
    case synReceived = 3
    case finWait1 = 4
    case finWait2 = 5
    case timeWait = 6
    case closed = 7
    case closeWait = 8
    case lastAcknowledgement = 9
    case listening = 10
    case closing = 11
    /// The peer has requested a connection that is not accepted yet.
    case newSynReceived = 12
  }

  /// The progress of a connection's bytes.
  struct Progress: Hashable {
    /// Bytes of the send queue that have not been sent at all.
    var unsent: UInt64
    /// Bytes that have been sent since the connection began, each counted once.
    var sent: UInt64
    /// Bytes that have arrived.
    var received: UInt64
  }

  /// This end.
  var local: End
  /// The other end.
  var remote: End
  /// Its state.
  var state: State
  /// The number of unread bytes; an unread FIN counts one.
  var receiveQueue: UInt32 = 0
  /// Bytes that the other side has not acknowledged; a FIN counts one.
  var sendQueue: UInt32 = 0
  /// The socket's inode; 0 if no process has it any more, or it is not accepted yet.
  var inode: UInt64 = 0
  /// The progress of its bytes, where it is known.
  var progress: Progress?
  /// The number of its network namespace; 0 for the runner's own.
  var namespace: UInt64 = 0
}

extension Connection {
  init?(_ raw: scenario_connection) {
    guard let state = State(rawValue: raw.state) else { return nil }
    self.init(
      local: End(
        address: withUnsafeBytes(of: raw.local_address) { Array($0) }, port: raw.local_port),
      remote: End(
        address: withUnsafeBytes(of: raw.remote_address) { Array($0) }, port: raw.remote_port),
      state: state, receiveQueue: raw.receive_queue, sendQueue: raw.send_queue, inode: raw.inode,
      progress: raw.has_progress
        ? Progress(unsent: raw.unsent, sent: raw.sent, received: raw.received) : nil)
  }

  /// Reads a line of /proc/net/tcp or tcp6 (proc(5)): `sl local remote st tx:rx tr:when retries uid timeout inode`;
  /// `nil` for the heading.
  init?(line: Substring) {
    let words = line.split(separator: " ")
    guard words.count > 9, let local = Self.end(words[1]), let remote = Self.end(words[2]),
      let state = UInt8(words[3], radix: 16).flatMap(State.init), let inode = UInt64(words[9])
    else { return nil }
    let queues = words[4].split(separator: ":").compactMap { UInt32($0, radix: 16) }
    guard queues.count == 2 else { return nil }
    self.init(
      local: local, remote: remote, state: state, receiveQueue: queues[1], sendQueue: queues[0],
      inode: inode)
  }

  /// `0100007F:1F90`: words of 32 bits of the address as the machine's own numbers.
  private static func end(_ text: Substring) -> End? {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let port = UInt16(parts[1], radix: 16),
      [8, 32].contains(parts[0].count)
    else { return nil }
    var address: [UInt8] = []
    var rest = parts[0]
    while !rest.isEmpty {
      guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
      address += withUnsafeBytes(of: word) { Array($0) }
      rest = rest.dropFirst(8)
    }
    return End(address: address.count == 4 ? End.mappedPrefix + address : address, port: port)
  }
}

/// The reader of the TCP connections of this machine, but for those of other network namespaces.
final class ConnectionList {
  /// A netlink(7) socket; negative where there is none, and files are read in its place.
  private var descriptor: Int32

  /// - Parameter usesNetlink: whether sock_diag(7) is asked where it answers.
  init(usesNetlink: Bool = true) {
    descriptor = usesNetlink ? scenario_open_connection_list() : -1
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns all connections but those that listen and those of which only the port is kept.
  ///
  /// - Parameter asksProgress: whether to read the progress of the bytes, where the kernel gives
  ///   it.
  func read(asksProgress: Bool) -> [Connection] {
    if descriptor >= 0 {
      if let list = ask(asksProgress: asksProgress) { return list }
      // A kernel without sock_diag(7), or a container that forbids it.
      close(descriptor)
      descriptor = -1
    }
    return Self.readFiles(of: "self")
  }

  /// Returns the same of the network namespace in which a thread is, as far as files tell (proc(5)).
  ///
  /// To ask sock_diag(7) there, the runner would have to enter it, for which it may lack the privilege.
  static func read(in namespace: UInt64, of thread: ThreadIdentifier) -> [Connection] {
    readFiles(of: "\(thread.number)").map { connection in
      var connection = connection
      connection.namespace = namespace
      return connection
    }
  }

  private static func readFiles(of thread: String) -> [Connection] {
    ["tcp", "tcp6"].flatMap { name in
      (SmallFile.read("/proc/\(thread)/net/\(name)") ?? "").split(separator: "\n")
        .compactMap { Connection(line: $0) }
        .filter { $0.state != .listening && $0.state != .timeWait }
    }
  }

  private func ask(asksProgress: Bool) -> [Connection]? {
    var limit: Int32 = 128
    // A machine that opens connections faster than they are counted is asked no more.
    for _ in 0..<4 {
      var count: Int32 = 0
      let list = [scenario_connection](unsafeUninitializedCapacity: Int(limit)) { buffer, filled in
        count = scenario_list_connections(descriptor, asksProgress, buffer.baseAddress, limit)
        filled = Int(max(0, min(count, limit)))
      }
      guard count >= 0 else { return nil }
      if count <= limit { return list.compactMap(Connection.init) }
      limit = count + count / 2
    }
    return nil
  }
}
