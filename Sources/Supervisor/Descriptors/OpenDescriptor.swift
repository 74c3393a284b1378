internal import CSupervisor
internal import Glibc

/// The object that a descriptor of the target's leads to.
enum OpenDescriptor: Equatable {
  /// A pipe without a name, by its inode.
  case pipe(UInt64)
  /// A socket, by its inode.
  case socket(UInt64)
  /// An object without a name: `[eventfd]`, `[timerfd]`, `[eventpoll]`, `inotify`, `[pidfd]`, …
  case anonymous(String)
  /// A file.
  case path(String)

  /// Reads a link of /proc/PID/fd, as in `pipe:[4711]`.
  init(link: String) {
    func inode(_ prefix: String) -> UInt64? {
      guard link.hasPrefix(prefix), link.hasSuffix("]") else { return nil }
      return UInt64(link.dropFirst(prefix.count).dropLast())
    }
    if let inode = inode("pipe:[") {
      self = .pipe(inode)
    } else if let inode = inode("socket:[") {
      self = .socket(inode)
    } else if link.hasPrefix("anon_inode:") {
      self = .anonymous(String(link.dropFirst("anon_inode:".count)))
    } else {
      self = .path(link)
    }
  }
}

/// The descriptors of one thread.
///
/// Read only where nothing runs: each read is a few system calls.
struct DescriptorTable {
  private let folder: String
  private let tracee: Tracee

  init(of tracee: Tracee) {
    self.tracee = tracee
    folder = "/proc/\(tracee.process.identifier.number)/task/\(tracee.identifier.number)"
  }

  /// The object that a descriptor leads to; `nil` if it is not open, or cannot be read.
  subscript(descriptor: Int32) -> OpenDescriptor? {
    SmallFile.link(path(of: descriptor)).map(OpenDescriptor.init(link:))
  }

  /// Returns whether a descriptor leads to a regular file.
  func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return stat(path(of: descriptor), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// A path that leads to what a descriptor leads to.
  func path(of descriptor: Int32) -> String { "\(folder)/fd/\(descriptor)" }

  /// Returns the text of /proc/PID/fdinfo for a descriptor (proc(5)); empty if there is none.
  func information(of descriptor: Int32) -> String {
    SmallFile.read("\(folder)/fdinfo/\(descriptor)") ?? ""
  }

  /// The TCP sockets of the thread's network namespace.
  func connections() -> ConnectionTable {
    ConnectionTable(
      text: ["tcp", "tcp6"].map { SmallFile.read("\(folder)/net/\($0)") ?? "" }.joined())
  }

  /// The descriptors in an epoll set, and in sets within it (proc(5): `tfd:` in fdinfo).
  func members(of descriptor: Int32, depth: Int = 4) -> [Int32] {
    let direct = information(of: descriptor).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.first == "tfd:" && words.count > 1 ? Int32(words[1]) : nil
    }
    return direct.flatMap { member in
      depth > 0 && self[member] == .anonymous("[eventpoll]")
        ? members(of: member, depth: depth - 1) : [member]
    }
  }

  /// The peer of a socket.
  enum Peer: Equatable {
    /// An internet address.
    case internet(InternetAddress)
    /// A process of this machine; the one that made both ends, for a pair.
    case local(process: Int32)
    /// No peer: the socket listens, or is not connected.
    case none
  }

  /// Returns the peer of a socket.
  func peer(of descriptor: Int32) -> Peer {
    let copy = tracee.copyDescriptor(descriptor)
    guard copy >= 0 else { return .none }
    defer { close(copy) }
    var bytes = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_storage>.size)
    var length = socklen_t(bytes.count)
    let result = bytes.withUnsafeMutableBytes { buffer in
      buffer.withMemoryRebound(to: sockaddr.self) { getpeername(copy, $0.baseAddress, &length) }
    }
    guard result == 0 else { return .none }
    let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    switch Int32(UInt16(bytes[0]) | UInt16(bytes[1]) << 8) {
    case AF_INET:
      return .internet(InternetAddress(bytes: Array(bytes[4..<8]), port: port))
    case AF_INET6:
      return .internet(InternetAddress(bytes: Array(bytes[8..<24]), port: port))
    case AF_UNIX:
      // A struct ucred: process, user, group.
      var credentials: [Int32] = [0, 0, 0]
      var size = socklen_t(3 * MemoryLayout<Int32>.size)
      guard getsockopt(copy, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0,
        credentials[0] > 0
      else { return .none }
      return .local(process: credentials[0])
    default:
      return .none
    }
  }
}

/// The kernel's list of locks on files (proc(5): /proc/locks).
enum FileLocks {
  /// Returns the processes that hold the lock which a process waits for.
  ///
  /// A line is `NUMBER: FLOCK ADVISORY WRITE PID …`; those that wait for lock NUMBER have `->` behind it.
  static func holders(blocking process: Int32, in text: String) -> [Int32] {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    let awaited = Set(
      lines.filter { $0.count > 5 && $0[1] == "->" && Int32($0[5]) == process }.map { $0[0] })
    return lines.compactMap { words in
      guard words.count > 4, words[1] != "->", awaited.contains(words[0]) else { return nil }
      return Int32(words[4])
    }
  }
}
