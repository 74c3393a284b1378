internal import CSupervisor
internal import Glibc

/// The user of a process that another user's supervisor traces: root's, in a container that keeps CAP_SYS_PTRACE from it.
///
/// ptrace(2), "Ptrace access mode checking": without the capability, memory and files of /proc are open to the
/// process's own user only, whom root may become for a moment.
struct ProcessOwner {
  private let user: uid_t
  private let group: gid_t

  /// Reads the owner of a process; `nil` where the process is gone, or is root's, who gains nothing
  /// by it.
  init?(ofProcess process: Int32) {
    var status = stat()
    guard stat("/proc/\(process)", &status) == 0, status.st_uid != 0 else { return nil }
    user = status.st_uid
    group = status.st_gid
  }

  /// Reads the owner of the process that a path of /proc names; `nil` as above, and for any other
  /// path.
  init?(ofPath path: String) {
    let prefix = "/proc/"
    guard path.hasPrefix(prefix),
      let process = Int32(path.dropFirst(prefix.count).prefix { $0 != "/" })
    else { return nil }
    self.init(ofProcess: process)
  }

  /// Runs `body`, and again as the owner of the path's process if the kernel has refused it.
  ///
  /// - Parameters:
  ///   - path: a path of /proc/PID.
  ///   - body: returns the result of a system call: a negative number for an error, with errno.
  static func retrying<Result: SignedInteger>(_ path: String, _ body: () -> Result) -> Result {
    let result = body()
    guard result < 0, errno == EACCES || errno == EPERM else { return result }
    let refusal = errno
    guard let owner = ProcessOwner(ofPath: path), let answer = owner.borrowed(body) else {
      errno = refusal
      return result
    }
    return answer
  }

  /// Runs `body` as this user, and keeps errno.
  ///
  /// - Returns: its result; `nil` where that is not permitted.
  func borrowed<Result>(_ body: () -> Result) -> Result? {
    guard scenario_borrow_identity(user, group) == 1 else { return nil }
    defer { scenario_return_identity() }
    return body()
  }
}
