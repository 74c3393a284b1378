import Testing

@testable import Supervisor

/// What disturbs a wait of five seconds, and what it returns then, after how many seconds.
///
/// The figures are those of the kernel without a supervisor (Linux 6.18).
struct Disturbance: Sendable {
  /// The wait.
  var kind: String
  /// Nothing disturbs it.
  var none: String
  /// A signal with a handler, after two seconds.
  var handler: String
  /// The same with SA_RESTART.
  var restart: String
  /// A signal that is ignored, after two seconds, and the end of a child.
  var ignored: String
  /// SIGSTOP after two seconds, SIGCONT after three.
  var stop: String

  init(
    _ kind: String, _ none: String, _ handler: String, _ restart: String, _ ignored: String,
    _ stop: String
  ) {
    self.kind = kind
    self.none = none
    self.handler = handler
    self.restart = restart
    self.ignored = ignored
    self.stop = stop
  }

  /// By mode of the program.
  var modes: [(mode: String, expected: String)] {
    [
      ("none", none), ("handler", handler), ("restart", restart), ("ignored", ignored),
      ("stop", stop),
    ]
  }

  static let all: [Disturbance] = [
    .init("nanosleep", "0 5", "EINTR 2", "EINTR 2", "0 5", "0 5"),
    .init("clock_nanosleep-realtime", "0 5", "EINTR 2", "EINTR 2", "0 5", "0 5"),
    .init("futex", "ETIMEDOUT 5", "EINTR 2", "EINTR 2", "ETIMEDOUT 5", "ETIMEDOUT 5"),
    .init(
      "futex_bitset-realtime", "ETIMEDOUT 5", "EINTR 2", "EINTR 2", "ETIMEDOUT 5",
      "ETIMEDOUT 5"),
    .init(
      "futex_lock", "ETIMEDOUT 5", "ETIMEDOUT 5", "ETIMEDOUT 5", "ETIMEDOUT 5", "ETIMEDOUT 5"),
    .init(
      "futex_requeue", "ETIMEDOUT 5", "ETIMEDOUT 5", "ETIMEDOUT 5", "ETIMEDOUT 5",
      "ETIMEDOUT 5"),
    .init(
      "futex_waitv-monotonic", "ETIMEDOUT 5", "EINTR 2", "ETIMEDOUT 5", "ETIMEDOUT 5",
      "ETIMEDOUT 5"),
    .init(
      "futex_waitv-realtime", "ETIMEDOUT 5", "EINTR 2", "ETIMEDOUT 5", "ETIMEDOUT 5",
      "ETIMEDOUT 5"),
    .init(
      "futex_wait-monotonic", "ETIMEDOUT 5", "EINTR 2", "ETIMEDOUT 5", "ETIMEDOUT 5",
      "ETIMEDOUT 5"),
    .init(
      "futex_wait-realtime", "ETIMEDOUT 5", "EINTR 2", "ETIMEDOUT 5", "ETIMEDOUT 5",
      "ETIMEDOUT 5"),
    .init(
      "mq_timedreceive", "ETIMEDOUT 5", "EINTR 2", "ETIMEDOUT 5", "ETIMEDOUT 5", "ETIMEDOUT 5"),
    .init(
      "mq_timedsend", "ETIMEDOUT 5", "EINTR 2", "ETIMEDOUT 5", "ETIMEDOUT 5", "ETIMEDOUT 5"),
    .init("semtimedop", "EAGAIN 5", "EINTR 2", "EINTR 2", "EAGAIN 5", "EINTR 3"),
    .init("rt_sigtimedwait", "EAGAIN 5", "EINTR 2", "EINTR 2", "EAGAIN 5", "EINTR 3"),
    .init("io_getevents", "0 5", "EINTR 2", "EINTR 2", "0 5", "EINTR 3"),
    .init("io_getevents-sum", "0 5", "EINTR 2", "EINTR 2", "0 5", "EINTR 3"),
    .init("io_pgetevents", "0 5", "EINTR 2", "EINTR 2", "0 5", "0 8"),
    .init("poll", "0 5", "EINTR 2", "EINTR 2", "0 5", "0 5"),
    .init("ppoll", "0 5", "EINTR 2", "EINTR 2", "0 5", "0 6"),
    .init("ppoll-constant", "0 5", "EINTR 2", "EINTR 2", "0 5", "EINTR 3"),
    .init("pselect6", "0 5", "EINTR 2", "EINTR 2", "0 5", "0 6"),
    .init("epoll_wait", "0 5", "EINTR 2", "EINTR 2", "0 5", "EINTR 3"),
    .init("epoll_pwait2", "0 5", "EINTR 2", "EINTR 2", "0 5", "EINTR 3"),
    .init("recv", "EAGAIN 5", "EINTR 2", "EINTR 2", "EAGAIN 5", "EINTR 3"),
  ]
}

@Suite("Disturbed waits")
struct DisturbedWaitTests {
  /// "ERRNO SECONDS" or "RESULT SECONDS", from the line that the program prints.
  private func summary(of line: String) throws -> String {
    let fields = line.split { $0 == " " || $0 == "\n" }
    try #require(fields.count == 6, "\(line)")
    let error = fields[3].dropFirst("error=".count)
    let elapsed = try #require(Int64(fields[4].dropFirst("elapsed_ns=".count)))
    let seconds =
      elapsed % 1_000_000_000 == 0 ? "\(elapsed / 1_000_000_000)" : "\(elapsed) ns"
    return "\(error == "none" ? fields[2].dropFirst("result=".count) : error) \(seconds)"
  }

  @Test(
    "Signals and stops do to a wait what the kernel says, at their own instant",
    arguments: Disturbance.all)
  func disturbances(row: Disturbance) throws {
    for (mode, expected) in row.modes {
      let line = try WaitProgram.output(["disturbed_waits", row.kind, mode, "5000000000"])

      #expect(try summary(of: line) == expected, "\(row.kind) \(mode)")
      #expect(line.hasSuffix("handled=\(["handler", "restart"].contains(mode) ? 1 : 0)\n"))
    }
  }

  @Test(
    "A wait lasts to the nanosecond, on either clock",
    arguments: [
      ("futex_waitv-monotonic", "ETIMEDOUT"), ("futex_waitv-realtime", "ETIMEDOUT"),
      ("futex_wait-monotonic", "ETIMEDOUT"), ("futex_wait-realtime", "ETIMEDOUT"),
      ("mq_timedreceive", "ETIMEDOUT"), ("mq_timedsend", "ETIMEDOUT"), ("semtimedop", "EAGAIN"),
      ("rt_sigtimedwait", "EAGAIN"), ("io_getevents", "none"), ("io_getevents-sum", "none"),
      ("io_pgetevents", "none"),
    ])
  func exactness(kind: String, error: String) throws {
    let line = try WaitProgram.output(["disturbed_waits", kind, "none", "7000000001"])

    #expect(line.contains("error=\(error) elapsed_ns=7000000001 "), "\(line)")
  }

  @Test("Events that have come before count when the time is up")
  func partialEvents() throws {
    let line = try WaitProgram.output(
      ["disturbed_waits", "io_getevents-partial", "none", "7000000001"])

    #expect(line.contains("result=1 error=none elapsed_ns=7000000001 "), "\(line)")
  }

  @Test(
    "What is wrong, past or only asked is answered at once, as the kernel answers it",
    arguments: [
      ("futex_waitv-changed", "EAGAIN"), ("futex_waitv-past", "ETIMEDOUT"),
      ("mq_timedreceive-past", "ETIMEDOUT"), ("mq_timedreceive-wrong", "EINVAL"),
      ("semtimedop-negative", "EINVAL"), ("rt_sigtimedwait-zero", "EAGAIN"),
    ])
  func immediate(kind: String, error: String) throws {
    let line = try WaitProgram.output(["disturbed_waits", kind, "none", "7000000001"])

    #expect(line == "\(kind) none result=-1 error=\(error) elapsed_ns=0 handled=0\n")
  }
}
