internal import Glibc

/// The calls that matter where a target is branched: those by which a process comes to share something with
/// others, and those by which a branch could change what is not its own.
enum BranchCalls {
  /// The effect of a call on what a fork copies.
  enum Effect {
    /// mmap(2).
    case mapping
    /// madvise(2) about children.
    case advice
    /// The call shares something that outlives the process, or that a child does not get.
    case sharing(String)
    /// A filter of its own, which might forbid what a fork needs.
    case filter(String)
    /// A timer of the kernel's.
    case timer
    /// A lock on a file.
    case lock
    /// Opens a file: path, folder, and where the flags are.
    case open(path: Int, folder: Int?, flags: OpenFlagsPlace)
    /// Changes entries of folders.
    case entries([(path: Int, folder: Int?)])
    /// Changes what a path leads to, or the link itself.
    case file(path: Int, folder: Int?)
    /// Changes what a descriptor leads to.
    case descriptor(Int)
    /// Connects or binds to an address: the index of the argument with its place; the next argument
    /// has its length.
    case address(Int)
    /// Sends messages that may name addresses: the indexes of the arguments with their place and
    /// their number.
    case messages(Int, count: Int?)
    /// Sends a signal to the process that this argument names.
    case signal(Int)
    /// Changes what is not put back of files: extended attributes.
    case attributes
    /// Acts on the machine.
    case machine
  }

  /// The place of the flags of open(2).
  enum OpenFlagsPlace {
    case argument(Int)
    case memory(Int)
    case creating
  }

  /// Returns the effect of a call; `nil` for one that does not matter.
  static func effect(of registers: Registers) -> Effect? {
    guard let effect = effects[registers.systemCall] else { return nil }
    switch effect {
    case .lock where registers.systemCall == SystemCallNumber.fcntl:
      return lockRequests.contains(UInt32(truncatingIfNeeded: registers[argument: 1]))
        ? effect : nil
    case .advice:
      return adviceOnChildren.contains(UInt32(truncatingIfNeeded: registers[argument: 2]))
        ? effect : nil
    case .filter where registers.systemCall == SystemCallNumber.prctl:
      return UInt32(truncatingIfNeeded: registers[argument: 0]) == filterOperation ? effect : nil
    default:
      return effect
    }
  }

  /// The effects by the kernel's names.
  private static let named: [String: Effect] = {
    var table: [String: Effect] = [
      "mmap": .mapping, "madvise": .advice, "alarm": .timer, "setitimer": .timer,
      "timer_create": .timer, "flock": .lock, "fcntl": .lock, "connect": .address(1),
      "bind": .address(1),
      "sendto": .address(4), "sendmsg": .messages(1, count: nil),
      "sendmmsg": .messages(1, count: 2),
      "seccomp": .filter("the program has its own seccomp filter"),
      "prctl": .filter("the program has its own seccomp filter"),
      "open": .open(path: 0, folder: nil, flags: .argument(1)),
      "openat": .open(path: 1, folder: 0, flags: .argument(2)),
      "openat2": .open(path: 1, folder: 0, flags: .memory(2)),
      "creat": .open(path: 0, folder: nil, flags: .creating),
      "unlink": .entries([(0, nil)]), "unlinkat": .entries([(1, 0)]),
      "rmdir": .entries([(0, nil)]), "mkdir": .entries([(0, nil)]),
      "mkdirat": .entries([(1, 0)]), "mknod": .entries([(0, nil)]), "mknodat": .entries([(1, 0)]),
      "symlink": .entries([(1, nil)]), "symlinkat": .entries([(2, 1)]),
      "rename": .entries([(0, nil), (1, nil)]), "renameat": .entries([(1, 0), (3, 2)]),
      "renameat2": .entries([(1, 0), (3, 2)]), "link": .entries([(0, nil), (1, nil)]),
      "linkat": .entries([(1, 0), (3, 2)]),
      "truncate": .file(path: 0, folder: nil), "chmod": .file(path: 0, folder: nil),
      "fchmodat": .file(path: 1, folder: 0), "fchmodat2": .file(path: 1, folder: 0),
      "chown": .file(path: 0, folder: nil),
      "lchown": .file(path: 0, folder: nil), "fchownat": .file(path: 1, folder: 0),
      "utime": .file(path: 0, folder: nil), "utimes": .file(path: 0, folder: nil),
      "futimesat": .file(path: 1, folder: 0), "utimensat": .file(path: 1, folder: 0),
      "fchmod": .descriptor(0), "fchown": .descriptor(0),
      "kill": .signal(0), "tkill": .signal(0), "tgkill": .signal(0), "rt_sigqueueinfo": .signal(0),
      "rt_tgsigqueueinfo": .signal(0), "pidfd_open": .signal(0),
    ]
    for name in [
      "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr",
    ] {
      table[name] = .attributes
    }
    for name in ["shmget", "shmat", "semget", "msgget", "mq_open"] {
      table[name] = .sharing(
        "the program uses System V shared memory or semaphores, or message queues")
    }
    for name in ["io_setup", "userfaultfd", "perf_event_open", "keyctl", "add_key"] {
      table[name] = .sharing("the program called \(name), whose effect a child does not inherit")
    }
    for name in [
      "mount", "umount2", "move_mount", "mount_setattr", "pivot_root", "sethostname",
      "setdomainname", "swapon", "swapoff", "reboot", "init_module", "finit_module",
      "delete_module", "quotactl", "acct", "kexec_load",
    ] {
      table[name] = .machine
    }
    return table
  }()

  private static let effects: [Int: Effect] = Dictionary(
    uniqueKeysWithValues: named.compactMap { name, effect in
      SystemCallTable.current.number(of: name).map { ($0, effect) }
    })

  /// F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE of `linux/fcntl.h`.
  private static let lockRequests: [UInt32] = [6, 7, 37, 38, 1_024]
  /// MADV_DONTFORK, MADV_WIPEONFORK.
  private static let adviceOnChildren: [UInt32] = [10, 18]
  /// PR_SET_SECCOMP of `linux/prctl.h`.
  private static let filterOperation: UInt32 = 22

  /// The rules that show them.
  static let filterRules: [Int: FilterRule] = Dictionary(
    uniqueKeysWithValues: effects.map { number, effect in (number, rule(for: effect, number)) })

  private static func rule(for effect: Effect, _ number: Int) -> FilterRule {
    func among(_ argument: Int, _ values: [UInt32]) -> FilterRule {
      .traceIfAmong([ArgumentValues(argument: argument, values: values)])
    }
    switch effect {
    case .mapping: return .traceIfAnySet(argument: 3, bits: UInt32(MAP_SHARED))
    case .filter where number == SystemCallNumber.prctl: return among(0, [filterOperation])
    case .lock where number == SystemCallNumber.fcntl: return among(1, lockRequests)
    case .advice: return among(2, adviceOnChildren)
    case .address(4): return .traceIfPointer(argument: 4)
    case .open(_, _, .argument(let argument)):
      return .traceIfAnySet(argument: argument, bits: UInt32(changingFlags))
    default: return .trace
    }
  }

  /// Flags of open(2) with which something may change.
  static let changingFlags =
    UInt64(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC) | OpenFlags.nameless
}
