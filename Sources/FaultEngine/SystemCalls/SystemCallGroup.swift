internal import Foundations
package import Patterns
package import ScenarioPlan

/// Families under one name, such as `@net`.
struct SystemCallGroup: Sendable {
  /// A further requirement for a call of the group.
  enum Requirement: Sendable {
    /// The call is to a name server.
    case nameServer
    /// mmap(2) of memory and not of a file.
    case anonymousMapping
    /// The call is getrandom(2), or on a file of random numbers (random(4)).
    case randomNumbers
    /// fcntl(2) makes a new descriptor.
    case duplication
  }

  /// The name, with its `@`.
  let name: String
  /// The families.
  let families: [String]
  /// The further requirement.
  var requirement: Requirement?

  /// All groups, by name.
  static let all: [SystemCallGroup] = [
    SystemCallGroup(
      name: "@alloc", families: ["mmap"], requirement: .anonymousMapping),
    SystemCallGroup(
      name: "@dns", families: ["connect", "recv", "send"], requirement: .nameServer),
    SystemCallGroup(
      name: "@entropy", families: ["getrandom", "open", "read"], requirement: .randomNumbers),
    SystemCallGroup(
      name: "@fd",
      families: [
        "accept", "dup", "epoll_create", "eventfd", "fanotify_init", "fcntl", "inotify_init",
        "io_uring_setup", "memfd_create", "memfd_secret", "mq_open", "open", "open_by_handle_at",
        "perf_event_open", "pidfd_getfd", "pidfd_open", "pipe", "signalfd", "socket", "socketpair",
        "timerfd_create", "userfaultfd",
      ], requirement: .duplication),
    SystemCallGroup(
      name: "@net",
      families: [
        "accept", "bind", "connect", "getpeername", "getsockname", "getsockopt", "listen", "recv",
        "send", "setsockopt", "shutdown", "socket", "socketpair",
      ]),
    SystemCallGroup(name: "@open", families: ["open", "open_by_handle_at"]),
    SystemCallGroup(
      name: "@read",
      families: ["getdents", "getxattr", "read", "readlink", "recv", "tee"]),
    SystemCallGroup(name: "@remove", families: ["rmdir", "unlink"]),
    SystemCallGroup(name: "@rename", families: ["link", "rename", "symlink"]),
    SystemCallGroup(name: "@spawn", families: ["clone", "exec"]),
    SystemCallGroup(
      name: "@sync", families: ["fdatasync", "fsync", "msync", "sync", "sync_file_range"]),
    SystemCallGroup(
      name: "@write",
      families: ["fallocate", "send", "setxattr", "truncate", "vmsplice", "write"]),
  ]
}

extension PlannedCall {
  /// Returns the calls of a word in `call:`.
  ///
  /// - Throws: `PatternError` with the nearest name if it is no group, no family and no call.
  package static func named(_ word: String) throws(PatternError) -> [PlannedCall] {
    guard word.hasPrefix("@") else {
      return try SystemCallFamily.named(word).members.map { PlannedCall($0) }
    }
    guard let group = SystemCallGroup.all.first(where: { $0.name == word }) else {
      throw PatternError(
        "unknown group \"\(word)\"",
        help: Suggestion.help(
          for: word, in: SystemCallGroup.all.map(\.name), label: "known groups"))
    }
    var calls: [PlannedCall] = []
    for family in group.families {
      for member in try SystemCallFamily.named(family).members {
        var call = PlannedCall(member)
        switch group.requirement {
        case .nameServer: call.port = 53
        case .anonymousMapping where member.name == "mmap": call.flags = 0x20
        case .randomNumbers where member.name != "getrandom": call.paths = randomFiles
        // F_DUPFD and F_DUPFD_CLOEXEC of fcntl(2).
        case .duplication where member.name == "fcntl":
          call.argument = PlannedCall.Argument(index: 1, values: [0, 1030])
        case .anonymousMapping, .randomNumbers, .duplication, nil: break
        }
        calls.append(call)
      }
    }
    return calls
  }

  /// random(4).
  private static let randomFiles = ["/dev/random", "/dev/urandom"]

  /// A family's member.
  private init(_ call: SystemCall) {
    self.init(
      name: call.name, flags: call.setFlags == 0 ? nil : call.setFlags,
      clearFlags: call.clearFlags == 0 ? nil : call.clearFlags)
    end = call.end
  }
}
