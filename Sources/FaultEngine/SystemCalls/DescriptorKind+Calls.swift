package import ScenarioModel
package import ScenarioPlan

extension SystemCall {
  /// The kinds of objects that the call's descriptor can lead to, so that the call can succeed;
  /// `nil` if it takes none.
  package var kinds: Set<DescriptorKind>? {
    guard hasDescriptor || hasHost else { return nil }
    if Self.onFiles.contains(name) { return [.file] }
    let isAboutSockets = subjects.contains { subject in
      switch subject {
      case .socket, .address, .message: true
      case .path, .descriptor: false
      }
    }
    return isAboutSockets ? [.tcp, .udp, .unix] : Set(DescriptorKind.allCases)
  }

  /// Calls that end with EINVAL, ENODEV, ENOTDIR or ESPIPE on anything but files and folders.
  private static let onFiles: Set<String> = [
    "copy_file_range", "fadvise64", "fallocate", "fchdir", "fdatasync", "fsync", "ftruncate",
    "getdents", "getdents64", "lseek", "mmap", "pread64", "preadv", "preadv2", "pwrite64",
    "pwritev", "pwritev2", "readahead", "sync_file_range", "syncfs",
  ]
}

extension DescriptorKind {
  /// Returns whether reading and writing it can end with an error at all.
  ///
  /// signal(7): transfers of regular files are never interrupted. read(2), write(2), recv(2), send(2): only
  /// files know of room, only sockets of connections.
  package func canMeet(_ error: ErrorNumber) -> Bool {
    let name = error.name
    switch self {
    case .file: return !Self.ofWaiting.contains(name) && !Self.ofConnections.contains(name)
    case .pipe: return !Self.ofDisks.contains(name) && !Self.ofNetworks.contains(name)
    case .tty:
      return !Self.ofRoom.contains(name) && !Self.ofConnections.contains(name)
    case .unix:
      return !Self.ofDisks.contains(name)
        && !Self.ofNetworks.subtracting(Self.ofPeers).contains(name)
    case .tcp, .udp: return !Self.ofDisks.contains(name)
    }
  }

  /// The kind in words.
  package var words: String {
    switch self {
    case .file: "a file"
    case .pipe: "a pipe"
    case .tcp: "a TCP socket"
    case .udp: "a UDP socket"
    case .unix: "a Unix socket"
    case .tty: "a terminal"
    }
  }

  private static let ofWaiting: Set<String> = ["EAGAIN", "EINTR", "EWOULDBLOCK"]
  private static let ofRoom: Set<String> = ["EDQUOT", "EFBIG", "ENOSPC", "EROFS"]
  private static let ofDisks = ofRoom.union(["EIO", "EISDIR"])
  private static let ofPeers: Set<String> = [
    "ECONNREFUSED", "ECONNRESET", "EISCONN", "EMSGSIZE", "ENOBUFS", "ENOTCONN",
  ]
  private static let ofNetworks = ofPeers.union([
    "ECONNABORTED", "EHOSTDOWN", "EHOSTUNREACH", "ENETDOWN", "ENETRESET", "ENETUNREACH",
    "ETIMEDOUT",
  ])
  private static let ofConnections = ofNetworks.union(["EPIPE"])
}

extension IntegerCondition {
  /// Returns whether it holds for any number of a range.
  package func mayHold(within range: ClosedRange<Int64>) -> Bool {
    // What it says changes at the numbers that it names, and nowhere else.
    let places = numbers.flatMap { [$0, $0 &- 1, $0 &+ 1] } + [range.lowerBound, range.upperBound]
    return places.contains { range.contains($0) && holds(for: $0) }
  }

  private var numbers: [Int64] {
    switch self {
    case .equals(let number), .lessThan(let number), .greaterThan(let number): [number]
    case .oneOf(let numbers): numbers
    case .between(let lower, let upper): [lower, upper]
    case .not(let condition): condition.numbers
    case .allOf(let conditions), .anyOf(let conditions): conditions.flatMap(\.numbers)
    }
  }
}
