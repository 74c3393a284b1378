internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// `disk:` with its provider; `nil` if something is wrong with them.
  mutating func planDisk(
    _ globs: [Located<String>], of entry: ChaosEntry
  ) -> (target: PlannedFaultTarget, provider: PlannedProvider)? {
    let files = planGlobs(globs)
    guard let provider = planDiskProvider(entry.provider, of: files), files.count == globs.count
    else { return nil }
    let names: [String]
    switch provider {
    case .disk(.readOnly): names = DiskCalls.changes + DiskCalls.questions + DiskCalls.attributes
    case .disk: names = DiskCalls.growth + DiskCalls.moves + ["statfs", "fstatfs"]
    default: names = DiskCalls.changes
    }
    let calls = names.map { PlannedCall(name: $0) }
    return (.disk(PlannedDisk(files: files), calls: calls), provider)
  }

  private mutating func planGlobs(_ globs: [Located<String>]) -> [GlobPattern] {
    globs.compactMap { text in
      data.diagnostics.catching(as: .badPattern, at: text.range) { () throws(PatternError) in
        guard !text.value.isEmpty else {
          throw PatternError(
            "the glob is empty", help: "write \".\" for the case's directory, or \"data/**\"")
        }
        guard !text.value.hasPrefix("../") else {
          throw PatternError(
            "\"\(text.value)\" leaves the case's directory",
            help: "write a path that begins with \"/\"")
        }
        let pattern = GlobPattern(text.value)
        try pattern.validate()
        return pattern
      }
    }
  }

  /// `metadata:`, as a word or by an expression.
  private mutating func planNames(_ loss: UnsyncedLoss) -> NameLoss {
    guard let expression = loss.nameExpression else { return loss.names }
    guard let value = data.data(expression, in: EvaluationSite.build.at("metadata"))?.literal else {
      return loss.names
    }
    if case .string(let text) = value, let names = NameLoss(rawValue: text) { return names }
    report(
      "\"metadata\" is \(value.excerpt(limit: 40)), neither \"kept\" nor \"lost\"",
      code: .unknownValue,
      at: expression.range, help: "write one of: kept, lost")
    return loss.names
  }

  private mutating func planDiskProvider(
    _ provider: FaultAction, of files: [GlobPattern]
  ) -> PlannedProvider? {
    switch provider.content {
    case .disk(let fault):
      return .disk(fault)
    case .crash(nil, let loss):
      let files = loss.files.isEmpty ? files : planGlobs(loss.files)
      return .crash(
        PlannedCrash(scope: .tree, files: files, names: planNames(loss), torn: loss.torn))
    case .crash(.some, _):
      report(
        "\"kill\" is not supported for a disk", code: .impossibleProvider, at: provider.range,
        help: "write { lose: unsynced }, which ends all processes, or name calls:"
          + " call: fsync")
    default:
      report(
        "this provider is not supported for a disk", code: .impossibleProvider, at: provider.range,
        help: "write one of: full, read_only, { free: 10MiB }, { quota: 1MiB }, { lose: unsynced };"
          + " for other faults, name calls, as in call: \"@write\"")
    }
    return nil
  }

  /// `{ kill: …, lose: unsynced }` of calls and functions, and refuses what goes with disks alone.
  mutating func planCrash(_ provider: FaultAction) -> PlannedProvider? {
    guard case .crash(let scope?, let loss) = provider.content else {
      report(
        "this provider is supported only for a disk", code: .impossibleProvider, at: provider.range,
        help: provider.isLoss
          ? "write { kill: tree, lose: unsynced }"
          : "write \"disk: .\" instead of \"call\", or { error: ENOSPC }")
      return nil
    }
    let files = planGlobs(loss.files)
    guard files.count == loss.files.count else { return nil }
    return .crash(
      PlannedCrash(
        scope: scope, files: files.isEmpty ? [GlobPattern(".")] : files, names: planNames(loss),
        torn: loss.torn))
  }
}

extension FaultAction {
  /// True if it says what is lost.
  fileprivate var isLoss: Bool {
    if case .crash = content { return true }
    return false
  }
}

/// The calls that want something of a disk, by the kernel's names.
enum DiskCalls {
  /// Calls that may need room.
  static let growth = [
    "write", "pwrite64", "writev", "pwritev", "pwritev2", "sendfile", "copy_file_range", "splice",
    "fallocate", "ioctl", "mkdir", "mkdirat", "symlink", "symlinkat",
  ]

  /// Calls that bring files and folders from elsewhere.
  static let moves = ["link", "linkat", "rename", "renameat", "renameat2"]

  /// Calls that change a file or a folder.
  static let changes =
    growth + moves + [
      "ftruncate", "truncate", "open", "openat", "openat2", "creat", "mknod", "mknodat", "unlink",
      "unlinkat", "rmdir", "bind",
    ]

  /// Calls that change the attributes of one.
  static let attributes = [
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchown", "fchownat", "utime",
    "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "removexattr",
    "lremovexattr", "fremovexattr",
  ]

  /// Calls that only ask.
  static let questions = ["statfs", "fstatfs", "access", "faccessat", "faccessat2"]
}
