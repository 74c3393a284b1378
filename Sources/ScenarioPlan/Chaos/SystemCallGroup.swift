internal import ScenarioModel

/// Families under one name, such as `@net`.
struct SystemCallGroup: Sendable {
  /// What must hold of a call besides, so that it belongs to the group.
  enum Requirement: Sendable {
    /// It speaks with a name server.
    case nameServer
    /// mmap(2) of memory and not of a file.
    case anonymousMapping
  }

  /// The name, with its `@`.
  let name: String
  /// The families.
  let families: [String]
  /// What must hold besides.
  var requirement: Requirement?

  /// All groups, by name.
  static let all: [SystemCallGroup] = [
    SystemCallGroup(
      name: "@alloc", families: ["mmap"], requirement: .anonymousMapping),
    SystemCallGroup(
      name: "@dns", families: ["connect", "recv", "send"], requirement: .nameServer),
    SystemCallGroup(name: "@entropy", families: ["getrandom"]),
    SystemCallGroup(
      name: "@fd",
      families: [
        "accept", "dup", "epoll_create", "eventfd", "inotify_init", "memfd_create", "open", "pipe",
        "socket", "socketpair", "timerfd_create",
      ]),
    SystemCallGroup(
      name: "@net",
      families: [
        "accept", "bind", "connect", "getpeername", "getsockname", "getsockopt", "listen", "recv",
        "send", "setsockopt", "shutdown", "socket", "socketpair",
      ]),
    SystemCallGroup(name: "@open", families: ["open"]),
    SystemCallGroup(name: "@read", families: ["getdents", "read", "recv"]),
    SystemCallGroup(name: "@remove", families: ["rmdir", "unlink"]),
    SystemCallGroup(name: "@rename", families: ["link", "rename", "symlink"]),
    SystemCallGroup(name: "@spawn", families: ["clone", "exec"]),
    SystemCallGroup(
      name: "@sync", families: ["fdatasync", "fsync", "msync", "sync", "sync_file_range"]),
    SystemCallGroup(
      name: "@write",
      families: [
        "copy_file_range", "fallocate", "send", "sendfile", "splice", "truncate", "write",
      ]),
  ]
}

extension PlannedCall {
  /// The calls that a word in `call:` stands for.
  ///
  /// - Throws: `PatternError` with the nearest name if it is no group, no family and no call.
  static func named(_ word: String) throws(PatternError) -> [PlannedCall] {
    guard word.hasPrefix("@") else {
      return try SystemCallFamily.named(word).members.map { PlannedCall(name: $0.name) }
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
        var call = PlannedCall(name: member.name)
        switch group.requirement {
        case .nameServer: call.port = 53
        case .anonymousMapping where member.name == "mmap": call.flags = 0x20
        case .anonymousMapping, nil: break
        }
        calls.append(call)
      }
    }
    return calls
  }
}
