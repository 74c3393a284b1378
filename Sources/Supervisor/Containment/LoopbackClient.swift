internal import Glibc

/// The client's end of a connection over loopback.
struct LoopbackClient {
  /// Its port.
  let sourcePort: UInt16
  /// The other end's port.
  let port: UInt16

  /// Returns whether it is no process of the scenario's, and what it runs.
  ///
  /// - Parameter processes: the scenario's.
  func verdict(
    among processes: [ThreadIdentifier: TargetProcess]
  ) -> (isStranger: Bool, program: String?) {
    // Who has closed its end already can be asked after no more, and will hear nothing.
    guard let inode = self.inode() else { return (false, nil) }
    let socket = OpenDescriptor.socket(inode)
    guard TreeDescriptors(of: processes.values).holders(of: socket).isEmpty,
      !Self.isOwn(socket)
    else { return (false, nil) }
    let others = TreeDescriptors(outside: processes).holders(of: socket)
    if others.contains(where: Self.isHelper) { return (false, nil) }
    // What was closed while all were looked through belonged to anybody.
    guard self.inode() == inode else { return (false, nil) }
    return (true, others.first.flatMap { ProcessStatus(of: $0)?.name })
  }

  /// The inode of its socket; `nil` if it has none any more.
  func inode() -> UInt64? {
    // An IPv6 socket may have connected to the IPv4 address (ipv6(7)).
    for path in ["/proc/thread-self/net/tcp", "/proc/thread-self/net/tcp6"] {
      if let inode = SmallFile.read(path).flatMap({ inode(in: $0) }) { return inode }
    }
    return nil
  }

  /// The same in the text of such a file (proc(5): /proc/net/tcp).
  func inode(in table: String) -> UInt64? {
    for line in table.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ")
      guard fields.count > 9, Self.port(fields[1]) == sourcePort, Self.port(fields[2]) == port
      else { continue }
      return UInt64(fields[9]).flatMap { $0 == 0 ? nil : $0 }
    }
    return nil
  }

  /// The port of an address, in hexadecimal digits behind a colon.
  private static func port(_ address: Substring) -> UInt16? {
    address.split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
  }

  /// Returns whether this process has a socket open.
  static func isOwn(_ socket: OpenDescriptor) -> Bool {
    SmallFile.names(in: "/proc/self/fd").contains { number in
      SmallFile.link("/proc/self/fd/\(number)").map(OpenDescriptor.init(link:)) == socket
    }
  }

  /// The number of generations of ancestors that are searched.
  private static let generations = 64

  /// Returns whether a process is a command that this one has started beside targets: a descendant that is not traced.
  static func isHelper(_ number: Int32) -> Bool {
    let status = SmallFile.read("/proc/\(number)/status") ?? ""
    return status.contains("TracerPid:\t0\n") && isDescendant(number)
  }

  /// Returns whether this process has started a process, or one that did.
  static func isDescendant(_ number: Int32) -> Bool {
    var ancestor = number
    for _ in 0..<generations {
      guard ancestor > 1, let parent = ProcessStatus(of: ancestor)?.parent else { return false }
      if parent == getpid() { return true }
      ancestor = parent
    }
    return false
  }
}
