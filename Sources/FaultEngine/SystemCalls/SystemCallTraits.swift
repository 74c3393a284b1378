/// The properties of a system call's arguments and its result that fault rules need.
package struct SystemCallTraits: Sendable, Hashable {
  /// The result of a call that succeeds.
  package enum Success: Sendable, Hashable {
    /// 0.
    case zero
    /// The number of bytes transferred.
    case count
    /// A new descriptor, process or address, which only the kernel can give.
    case object
    /// Another number.
    case number
  }

  /// The place of the bytes of a transfer.
  package enum Content: Sendable, Hashable {
    /// One buffer, its size in the argument `size`.
    case buffer(argument: Int)
    /// An array of `struct iovec`, their number in the argument behind.
    case vector(argument: Int)
    /// A `struct msghdr` with such an array.
    case message(argument: Int)
    /// An array of `struct mmsghdr`, their number in the argument behind.
    case messages(argument: Int)
    /// Not in the caller's memory.
    case outside
  }

  /// Bytes that the call moves.
  package struct Transfer: Sendable, Hashable {
    /// True if the call writes into the caller's memory.
    package var isRead: Bool
    /// The place of the bytes.
    package var content: Content
  }

  /// The result of success.
  package var success: Success = .zero
  /// The transfer of the call; `nil` if it has none.
  package var transfer: Transfer?
  /// The argument that says how many bytes the call is about.
  package var size: Int?
  /// The argument that says where in the file.
  package var offset: Int?
  /// The argument with flags, and which kind.
  package var flags: (argument: Int, kind: FlagKind)? {
    flagArgument.flatMap { argument in flagKind.map { (argument, $0) } }
  }
  var flagArgument: Int?
  /// The kind of flags that the call takes; `nil` if it takes none.
  package var flagKind: FlagKind?

  /// The traits of a call by its kernel name; those of most calls are empty.
  package static func of(_ systemCall: String) -> SystemCallTraits {
    table[systemCall] ?? SystemCallTraits()
  }

  /// True if a success can be reported without the call: its result is known beforehand.
  ///
  /// That of a transfer between two descriptors is not: a loop that copies until nothing is left
  /// would never end.
  package var canBePretended: Bool {
    switch success {
    case .zero: true
    case .count: transfer.map { !$0.isRead && $0.content != .outside } ?? true
    case .number: movesMessages && !(transfer?.isRead ?? true)
    case .object: false
    }
  }

  /// True if the call can be made for fewer bytes.
  package var canBeShortened: Bool {
    movesMessages || success == .count && (transfer != nil || size != nil)
  }

  /// True if the call's result is a number of messages, whose lengths are beside them.
  package var movesMessages: Bool {
    if case .messages? = transfer?.content { true } else { false }
  }

  /// True if the call's bytes can be changed on the way.
  package var canBeCorrupted: Bool {
    guard let transfer else { return false }
    return transfer.content != .outside
  }

  // MARK: - The table

  private static let table: [String: SystemCallTraits] = {
    var table: [String: SystemCallTraits] = [:]
    func transfer(
      _ name: String, isRead: Bool, _ content: Content, size: Int? = nil, offset: Int? = nil
    ) {
      table[name] = SystemCallTraits(
        success: .count, transfer: Transfer(isRead: isRead, content: content), size: size,
        offset: offset)
    }
    func object(_ names: String) {
      for name in names.split(separator: " ") {
        table[String(name), default: SystemCallTraits()].success = .object
      }
    }
    func number(_ names: String) {
      for name in names.split(separator: " ") {
        table[String(name), default: SystemCallTraits()].success = .number
      }
    }
    func size(_ name: String, _ argument: Int, offset: Int? = nil) {
      table[name, default: SystemCallTraits()].size = argument
      table[name, default: SystemCallTraits()].offset = offset
    }
    func flags(_ name: String, _ argument: Int, _ kind: FlagKind) {
      table[name, default: SystemCallTraits()].flagArgument = argument
      table[name, default: SystemCallTraits()].flagKind = kind
    }
    transfer("read", isRead: true, .buffer(argument: 1), size: 2)
    transfer("pread64", isRead: true, .buffer(argument: 1), size: 2, offset: 3)
    transfer("readv", isRead: true, .vector(argument: 1))
    transfer("preadv", isRead: true, .vector(argument: 1), offset: 3)
    transfer("preadv2", isRead: true, .vector(argument: 1), offset: 3)
    transfer("recvfrom", isRead: true, .buffer(argument: 1), size: 2)
    transfer("recvmsg", isRead: true, .message(argument: 1))
    transfer("getrandom", isRead: true, .buffer(argument: 0), size: 1)
    transfer("write", isRead: false, .buffer(argument: 1), size: 2)
    transfer("pwrite64", isRead: false, .buffer(argument: 1), size: 2, offset: 3)
    transfer("writev", isRead: false, .vector(argument: 1))
    transfer("pwritev", isRead: false, .vector(argument: 1), offset: 3)
    transfer("pwritev2", isRead: false, .vector(argument: 1), offset: 3)
    transfer("sendto", isRead: false, .buffer(argument: 1), size: 2)
    transfer("sendmsg", isRead: false, .message(argument: 1))
    transfer("sendfile", isRead: false, .outside, size: 3)
    transfer("copy_file_range", isRead: false, .outside, size: 4)
    transfer("splice", isRead: false, .outside, size: 4)
    transfer("tee", isRead: false, .outside, size: 2)
    object("open openat openat2 creat socket accept accept4 dup dup2 dup3 eventfd eventfd2")
    object("epoll_create epoll_create1 memfd_create inotify_init inotify_init1 timerfd_create")
    object("pidfd_open clone clone3 fork vfork mmap mremap brk inotify_add_watch execve execveat")
    number("fcntl ioctl lseek getdents getdents64 readlink readlinkat getxattr lgetxattr fgetxattr")
    number("listxattr llistxattr flistxattr poll ppoll select pselect6 epoll_wait epoll_pwait")
    number("epoll_pwait2 wait4 waitid getcwd")
    for (name, isRead) in [("recvmmsg", true), ("sendmmsg", false)] {
      transfer(name, isRead: isRead, .messages(argument: 1))
      number(name)
    }
    object("signalfd signalfd4 fanotify_init pidfd_getfd memfd_secret mq_open open_by_handle_at")
    object(
      "perf_event_open userfaultfd io_uring_setup fsopen fsmount fspick open_tree shmat shmget")
    object("semget msgget add_key request_key landlock_create_ruleset setsid")
    number(
      "alarm getegid geteuid getgid getgroups getpgid getpgrp getpid getppid getpriority getsid")
    number("gettid getuid times umask personality prctl ptrace futex keyctl bpf kcmp syslog")
    number("sched_getaffinity sched_getscheduler sched_get_priority_max sched_get_priority_min")
    number("msgrcv msgctl semctl shmctl mq_timedreceive io_submit io_getevents io_pgetevents")
    number("move_pages migrate_pages process_madvise process_vm_readv process_vm_writev membarrier")
    number("seccomp setfsuid setfsgid ioprio_get inotify_rm_watch io_uring_enter timer_getoverrun")
    number("pkey_alloc")
    size("truncate", 1)
    size("ftruncate", 1)
    size("fallocate", 3, offset: 2)
    size("sync_file_range", 2, offset: 1)
    size("mmap", 1, offset: 5)
    size("munmap", 1)
    size("mremap", 2)
    size("mprotect", 1)
    size("madvise", 1)
    size("msync", 1)
    size("getdents", 2)
    size("getdents64", 2)
    size("readlink", 2)
    size("readlinkat", 3)
    size("fadvise64", 2, offset: 1)
    size("readahead", 2, offset: 1)
    size("mlock", 1)
    size("mlock2", 1)
    size("munlock", 1)
    size("mincore", 1)
    size("msgsnd", 2)
    size("msgrcv", 2)
    size("mq_timedsend", 2)
    size("mq_timedreceive", 2)
    table["lseek", default: SystemCallTraits()].offset = 1
    flags("open", 1, .open)
    flags("openat", 2, .open)
    // Its flags lie in memory.
    table["openat2", default: SystemCallTraits()].flagKind = .open
    flags("recvfrom", 3, .message)
    flags("recvmsg", 2, .message)
    flags("sendto", 3, .message)
    flags("sendmsg", 2, .message)
    flags("recvmmsg", 3, .message)
    flags("sendmmsg", 3, .message)
    flags("accept4", 3, .socket)
    flags("socket", 1, .socket)
    flags("socketpair", 1, .socket)
    flags("pipe2", 1, .open)
    flags("dup3", 2, .open)
    flags("mmap", 3, .mapping)
    flags("msync", 2, .synchronization)
    flags("getrandom", 2, .entropy)
    flags("renameat2", 4, .rename)
    flags("unlinkat", 2, .path)
    flags("linkat", 4, .path)
    flags("newfstatat", 3, .path)
    flags("fallocate", 1, .allocation)
    flags("statx", 2, .path)
    flags("faccessat2", 3, .path)
    flags("fchmodat2", 3, .path)
    flags("fchownat", 4, .path)
    flags("utimensat", 3, .path)
    flags("execveat", 4, .path)
    flags("clone", 0, .cloning)
    // Its flags lie in memory.
    table["clone3", default: SystemCallTraits()].flagKind = .cloning
    return table
  }()
}

/// The kind of flags that an argument has.
package enum FlagKind: Sendable, Hashable, CaseIterable {
  /// open(2)
  case open
  /// recv(2), send(2)
  case message
  /// socket(2), accept4(2)
  case socket
  /// mmap(2)
  case mapping
  /// msync(2)
  case synchronization
  /// getrandom(2)
  case entropy
  /// renameat2(2)
  case rename
  /// The `AT_` flags of unlinkat(2), linkat(2) and others.
  case path
  /// fallocate(2)
  case allocation
  /// clone(2)
  case cloning

  /// The names and their bits, as the kernel's headers for x86-64 have them.
  package var table: [(name: String, bits: UInt64)] {
    switch self {
    case .open:
      [
        ("O_WRONLY", 1), ("O_RDWR", 2), ("O_CREAT", 0o100), ("O_EXCL", 0o200),
        ("O_NOCTTY", 0o400), ("O_TRUNC", 0o1000), ("O_APPEND", 0o2000), ("O_NONBLOCK", 0o4000),
        ("O_DSYNC", 0o10000), ("O_DIRECT", 0o40000), ("O_DIRECTORY", 0o200000),
        ("O_NOFOLLOW", 0o400000), ("O_NOATIME", 0o1000000), ("O_CLOEXEC", 0o2000000),
        ("O_SYNC", 0o4010000), ("O_PATH", 0o10000000), ("O_TMPFILE", 0o20200000),
      ]
    case .message:
      [
        ("MSG_OOB", 1), ("MSG_PEEK", 2), ("MSG_DONTROUTE", 4), ("MSG_CTRUNC", 8),
        ("MSG_TRUNC", 0x20), ("MSG_DONTWAIT", 0x40), ("MSG_EOR", 0x80), ("MSG_WAITALL", 0x100),
        ("MSG_CONFIRM", 0x800), ("MSG_ERRQUEUE", 0x2000), ("MSG_NOSIGNAL", 0x4000),
        ("MSG_MORE", 0x8000), ("MSG_ZEROCOPY", 0x400_0000), ("MSG_FASTOPEN", 0x2000_0000),
        ("MSG_CMSG_CLOEXEC", 0x4000_0000),
      ]
    case .socket: [("SOCK_NONBLOCK", 0o4000), ("SOCK_CLOEXEC", 0o2000000)]
    case .mapping:
      [
        ("MAP_SHARED", 1), ("MAP_PRIVATE", 2), ("MAP_FIXED", 0x10), ("MAP_ANONYMOUS", 0x20),
        ("MAP_GROWSDOWN", 0x100), ("MAP_LOCKED", 0x2000), ("MAP_NORESERVE", 0x4000),
        ("MAP_POPULATE", 0x8000), ("MAP_STACK", 0x20000), ("MAP_HUGETLB", 0x40000),
      ]
    case .synchronization: [("MS_ASYNC", 1), ("MS_INVALIDATE", 2), ("MS_SYNC", 4)]
    case .entropy: [("GRND_NONBLOCK", 1), ("GRND_RANDOM", 2), ("GRND_INSECURE", 4)]
    case .rename: [("RENAME_NOREPLACE", 1), ("RENAME_EXCHANGE", 2), ("RENAME_WHITEOUT", 4)]
    case .path:
      [
        ("AT_SYMLINK_NOFOLLOW", 0x100), ("AT_REMOVEDIR", 0x200), ("AT_SYMLINK_FOLLOW", 0x400),
        ("AT_NO_AUTOMOUNT", 0x800), ("AT_EMPTY_PATH", 0x1000),
      ]
    case .allocation:
      [
        ("FALLOC_FL_KEEP_SIZE", 1), ("FALLOC_FL_PUNCH_HOLE", 2), ("FALLOC_FL_COLLAPSE_RANGE", 8),
        ("FALLOC_FL_ZERO_RANGE", 0x10), ("FALLOC_FL_INSERT_RANGE", 0x20),
        ("FALLOC_FL_UNSHARE_RANGE", 0x40),
      ]
    case .cloning:
      [
        ("CLONE_VM", 0x100), ("CLONE_FS", 0x200), ("CLONE_FILES", 0x400),
        ("CLONE_SIGHAND", 0x800), ("CLONE_PIDFD", 0x1000), ("CLONE_PTRACE", 0x2000),
        ("CLONE_VFORK", 0x4000), ("CLONE_PARENT", 0x8000), ("CLONE_THREAD", 0x10000),
        ("CLONE_NEWNS", 0x20000), ("CLONE_NEWUSER", 0x1000_0000),
        ("CLONE_NEWPID", 0x2000_0000), ("CLONE_NEWNET", 0x4000_0000),
      ]
    }
  }
}
