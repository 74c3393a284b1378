internal import Foundations
internal import Glibc
internal import ScenarioEvents

extension FileTree {
  /// Sets the times of access and modification of a folder and all that is in it.
  ///
  /// - Parameter isFolder: Whether it is one, and no file or link.
  ///
  /// - Throws: `Failure` for the first file whose times cannot be set.
  static func stamp(
    _ folder: String, with instant: WallInstant, isFolder: Bool = true
  ) throws(Failure) {
    var failed: (path: String, error: Int32)?
    let time = timespec(tv_sec: Int(instant.seconds), tv_nsec: Int(instant.nanoseconds))
    var pending = [(path: folder, isFolder: isFolder)]
    while let (path, isFolder) = pending.popLast() {
      if isFolder {
        pending += entries(of: path).map { ("\(path)/\($0.name)", $0.isFolder) }
      }
      // utimensat(2): a symbolic link has times of its own.
      let result = withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
        times.initialize(repeating: time)
        return utimensat(AT_FDCWD, path, times.baseAddress, AT_SYMLINK_NOFOLLOW)
      }
      if result != 0, failed == nil { failed = (path, errno) }
    }
    guard let failed else { return }
    throw Failure.system("cannot set the times of \"\(failed.path)\"", errorNumber: failed.error)
  }

  /// Returns the warning where a file that the target has changed cannot be given the scenario's
  /// time.
  static func unstampedWarning(path: String?, errorNumber: Int32) -> String {
    let subject = path.map { "\"\($0)\"" } ?? "a file of a process that cannot be inspected"
    return """
      cannot set the time of \(subject) to the scenario's: \(SystemText.error(errorNumber)); it shows the \
      machine's time, and so may other files
      help: let the target change only files of the runner's user, or write \
      `file_times: real`
      """
  }
}
