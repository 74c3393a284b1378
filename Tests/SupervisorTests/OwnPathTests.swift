import Testing

@testable import Supervisor

@Suite("Paths that mean another file to each process")
struct OwnPathTests {
  @Test(
    "Links to a process's own entries in /proc are those of the target",
    arguments: [
      ("/proc/self/fd/3", "/proc/7/fd/3"), ("/proc/thread-self/comm", "/proc/7/task/7/comm"),
      ("/dev/stdin", "/proc/7/fd/0"), ("/dev/stdout", "/proc/7/fd/1"),
      ("/dev/stderr", "/proc/7/fd/2"), ("/dev/fd/9", "/proc/7/fd/9"),
      ("/dev/stdout/x", "/dev/stdout/x"), ("/dev/null", "/dev/null"),
      ("/proc/8/fd/1", "/proc/8/fd/1"),
      ("/proc/selfish", "/proc/selfish"), ("dev/stdout", "dev/stdout"),
    ])
  func own(path: String, meant: String) {
    let own = TargetPaths.ownPath(Array(path.utf8), of: ThreadIdentifier(7))

    #expect(String(decoding: own, as: UTF8.self) == meant)
  }
}
