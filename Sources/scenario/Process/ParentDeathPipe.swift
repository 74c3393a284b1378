internal import Glibc

/// The tie between a round and the runner that watches: a pipe of which only the watcher has the
/// end for writing, so that the round is interrupted however the watching ends, SIGKILL included.
enum ParentDeathPipe {
  /// The variable that gives a round the number of its end.
  private static let name = "_SCENARIO_WATCH_TETHER"

  /// Makes the pipe; `nil`, with errno set, if there is none to be had.
  static func make() -> (round: Int32, watcher: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// The environment of a round.
  static func environment(with end: Int32) -> [String] {
    ProcessEnvironment.all.filter { $0.key != name }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value)" } + ["\(name)=\(end)"]
  }

  /// Interrupts this runner when the one that watches is gone, if this is a round.
  static func hold() {
    guard let end = ProcessEnvironment.all[name].flatMap({ Int32($0) }),
      fcntl(end, F_SETFD, FD_CLOEXEC) == 0
    else { return }
    var thread = pthread_t()
    let error = pthread_create(
      &thread, nil,
      { argument in
        let end = Int32(Int(bitPattern: argument))
        var byte: UInt8 = 0
        while read(end, &byte, 1) < 0, errno == EINTR {}
        kill(getpid(), SIGTERM)
        return nil
      }, UnsafeMutableRawPointer(bitPattern: Int(end)))
    if error == 0 { pthread_detach(thread) }
  }
}
