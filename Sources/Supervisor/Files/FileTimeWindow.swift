internal import Glibc

/// Detects changes of a file's times by the kernel since a moment.
struct FileTimeWindow {
  private let start: timespec

  /// Creates a window that begins now.
  ///
  /// The kernel's file times are those of its coarse clock, or finer ones, never earlier.
  init() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    start = now
  }

  /// Creates a window that begins at a moment.
  init(start: timespec) {
    self.start = start
  }

  /// Returns which of a file's two times have been set since the beginning, up to `end`.
  func times(setIn status: stat, until end: timespec = Self.now) -> FileTimeSet {
    var set: FileTimeSet = []
    if contains(status.st_atim, end) { set.insert(.access) }
    if contains(status.st_mtim, end) { set.insert(.modification) }
    return set
  }

  private func contains(_ time: timespec, _ end: timespec) -> Bool {
    // Where a filesystem keeps whole seconds, or even ones, a time lies before its moment.
    let isRounded = time.tv_nsec == 0
    let isLate =
      isRounded
      ? time.tv_sec >= start.tv_sec - 1
      : (time.tv_sec, time.tv_nsec) >= (start.tv_sec, start.tv_nsec)
    return isLate && (time.tv_sec, time.tv_nsec) <= (end.tv_sec, end.tv_nsec)
  }

  /// The moment of asking, on the finest clock.
  static var now: timespec {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now
  }
}
