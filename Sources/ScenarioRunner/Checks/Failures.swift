internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import Supervisor

extension Failure {
  /// Makes a failure of a mismatch; `name` is what messages call the subject.
  init(_ mismatch: Mismatch, type: String, name: String) {
    let isError = mismatch.isUnreadable
    self.init(
      category: isError ? .error : .expectation, type: isError ? "System" : type,
      message: "\(name): \(mismatch.message)", range: mismatch.range,
      actual: isError ? nil : mismatch.actual, details: mismatch.diff, help: mismatch.help)
    comparison = isError ? nil : mismatch.comparison
  }

  /// An expression that refers to a missing value.
  init(_ error: RunScopeError) {
    self.init(
      category: .error, type: "Expression", message: error.message, range: error.range)
  }

  /// A shell command whose expressions leave nothing of it.
  static func emptyScript(at range: SourceRange) -> Failure {
    Failure(
      category: .error, type: "Launch",
      message: "the command is empty after its expressions are evaluated", range: range,
      help: "make the expressions return the command for the shell")
  }

  /// A program that is not there.
  static func programNotFound(_ name: String, searchPath: String, range: SourceRange) -> Failure {
    let isPath = name.contains("/")
    let isAbsolute = name.hasPrefix("/")
    let placesHelp =
      isAbsolute
      ? "install it, or correct the path: an absolute path is used unchanged"
      : "a relative path is looked up in the case's directory, then beside the scenario file"
    let shellHelp =
      "a command that is one string needs a shell; a list, such as [sleep, \"60\"], does not"
    return Failure(
      category: .error, type: "Launch",
      message: isPath
        ? "the program \"\(name)\" does not exist"
        : "the program \"\(name)\" was not found in PATH (\(searchPath))",
      range: range,
      help: isPath
        ? (name == "/bin/sh" ? shellHelp : placesHelp)
        : "name it with its path, or pass your own PATH: `env: { pass: [PATH] }`")
  }

  /// A target that could not be started.
  init(_ error: LaunchError, program: String, range: SourceRange) {
    var message: String
    var help: String?
    switch error {
    case .foreignProgram(let reason):
      message = "the program \"\(program)\" \(reason)"
      help = "scenario runs 64-bit programs for this machine; build the target for it"
    case .tracingForbidden(let number):
      message = "this machine does not let the runner trace processes: \(SystemText.error(number))"
      help = """
        run `scenario doctor` to see the fix: in a container, allow ptrace (--cap-add=SYS_PTRACE, or \
        a seccomp profile that allows it); elsewhere see /proc/sys/kernel/yama/ptrace_scope, which \
        must not be 3, and run outside debuggers and strace
        """
    case .filterForbidden(let number):
      message = "this machine does not let the runner filter calls: \(SystemText.error(number))"
      help = """
        run `scenario doctor` to see the fix: allow the system call seccomp(2), which a container's \
        profile may forbid
        """
    case .cannotExecute(let number):
      message = "cannot run the program \"\(program)\": \(SystemText.error(number))"
      help =
        LimitFindings.help(for: number)?.joined(separator: "; ")
        ?? Self.executionHelp(number, program)
    case .limitsTooSmall(let limits):
      message = Self.limitsMessage(limits, program)
      help = Self.limitsHelp
    case .failed(let operation, let number):
      message = "cannot start the target: \(operation): \(SystemText.error(number))"
      help =
        LimitFindings.help(for: number)?.joined(separator: "; ")
        ?? (number == ENOENT && operation.contains("/dev/null")
          ? "mount /dev, or make the device: mknod -m 666 /dev/null c 1 3" : nil)
    }
    if error.isRefusal, let obstacle = MachineObstacle.found, help == nil || obstacle.isEmulation {
      message = obstacle.message
      help = obstacle.help.joined(separator: "; ")
    }
    self.init(category: .error, type: "Launch", message: message, range: range, help: help)
  }

  private static func executionHelp(_ errorNumber: Int32, _ program: String) -> String {
    guard errorNumber == EACCES else {
      return "check that the file is a program, and that its interpreter exists"
    }
    return MountFlags(of: program)?.contains(.noExecution) ?? false
      ? "its file system is mounted with noexec: set TMPDIR to a folder from which programs can run"
      : "make it executable (chmod +x)"
  }

  /// A target that ended before its first instruction.
  init(limits: String, program: String, range: SourceRange) {
    self.init(
      category: .error, type: "Limits", message: Self.limitsMessage(limits, program), range: range,
      help: Self.limitsHelp)
  }

  private static func limitsMessage(_ limits: String, _ program: String) -> String {
    "the limits (\(limits)) are too small for \"\(program)\" to start"
  }

  private static let limitsHelp =
    "raise \"limits\": they also count what a program and its libraries use before its first instruction"

  /// A tick up to the next deadline although no thread waits for time.
  init(nothingDue threads: [ThreadSituation], at range: SourceRange) {
    self.init(
      category: .expectation, type: "step.tick",
      message: threads.isEmpty
        ? "nothing was due: no process runs, and nothing else waits for virtual time"
        : "nothing was due: nothing waits for virtual time",
      range: range, details: ThreadSituation.lines(threads),
      help:
        "let the target begin to wait before this step, or remove the step; `tick: idle` also passes if nothing waits, and"
        + " `tick: 1s` lets time pass in any case")
  }

  /// Waiting that did not end as it should; `nil` for waiting that did.
  ///
  /// - Parameter isTick: whether it waited for a length of virtual time to pass.
  init?(
    _ result: WaitResult, awaiting what: String, timeout: Nanoseconds, range: SourceRange,
    who: String = "the target", isTick: Bool = false
  ) {
    switch result {
    case .happened:
      return nil
    case .targetEnded(let status):
      self.init(
        category: .expectation, type: "wait.ended",
        message: "\(who) \(status.text) before \(what)", range: range)
    case .stuck(let threads):
      self.init(
        category: .error, type: "Stuck",
        message: "all threads are blocked and nothing will wake them, while waiting for \(what)",
        range: range, details: ThreadSituation.lines(threads),
        help: ThreadSituation.helpWhereTimeStands(threads)
          ?? "the threads wait for each other, or for input, a signal or a reply that nothing sends"
      )
    case .timedOut(let threads, let report):
      self.init(
        category: .error, type: "Timeout",
        message:
          "timed out after the case's \(timeout.description) of real time, while waiting for \(what)",
        range: range, details: ThreadSituation.lines(threads) + Self.lines(report),
        help: Self.help(threads, report, timeout: timeout, isTick: isTick))
    case .endless(let report):
      self.init(
        category: .error, type: "Endless",
        message: """
          the target only repeats waits and does nothing else, while waiting for \(what)
          """, range: range, details: Self.lines(report),
        help: """
          end its waiting with a step or a reply; if it polls forever, let a fixed \
          time pass with `tick:` instead of waiting for it to exit
          """)
    case .cancelled:
      self.init(
        category: .error, type: "Interrupted", message: "the run was interrupted", range: range)
    }
  }

  /// The advice for a wait that took too long.
  private static func help(
    _ threads: [ThreadSituation], _ report: WaiterReport, timeout: Nanoseconds, isTick: Bool
  ) -> String {
    if let help = helpWithStarts(report, timeout: timeout, isTick: isTick) { return help }
    if report.count >= 1_000 {
      let help =
        isTick
        ? "each expired wait is a separate event: let less time pass, or raise `timeout:`"
        : "the target polls without end: stop it with a step or a reply, or let a fixed time pass with `tick:`"
          + " instead of waiting for the target to exit"
      guard let slack = slack(for: report) else { return help }
      return help
        + "; or reduce the number of idle polls by allowing them to be late, with clock: { slack: \(slack) }"
    }
    if report.startedPrograms >= 100 {
      return """
        the target started \(report.startedPrograms) programs at the same instant: virtual time is frozen while they \
        run; let the target sleep between them, or raise `timeout:` if it needs longer
        """
    }
    guard !threads.contains(where: { $0.standing == .computes }) else {
      return loopHelp(report, timeout: timeout, isTick: isTick, isAtWork: true)
        ?? ThreadSituation.helpWhileComputing(threads, within: timeout)
    }
    if report.elapsed == .zero, let help = ThreadSituation.helpWhereTimeStands(threads) {
      return help
    }
    // A clock that flows by itself needs nobody.
    if report.waiters.isEmpty, threads.contains(where: { $0.standing == .awaitsTime }) {
      return ThreadSituation.helpWhereTimeFlows
    }
    return ThreadSituation.helpWhereNothingComes(threads)
      ?? loopHelp(report, timeout: timeout, isTick: isTick)
      ?? "raise `timeout:` if the target needs longer; otherwise end it with a step, or with what it waits for"
  }

  /// The advice for a loop that starts a program for each wait, as `while :; do sleep 1; done` does; `nil` where no such
  /// loop shows.
  private static func helpWithStarts(
    _ report: WaiterReport, timeout: Nanoseconds, isTick: Bool
  ) -> String? {
    guard let waiter = report.waiters.first, let starter = waiter.starter,
      waiter.processes >= 20, waiter.processes >= waiter.count - waiter.count / 10,
      // They wait one after the other, and still do.
      report.elapsed.count / max(1, waiter.length.count) >= Int64(waiter.processes / 2),
      report.realSinceLast.count < timeout.count / 10
    else { return nil }
    let fact =
      "\"\(starter)\" starts \"\(waiter.program)\" again and again (\(grouped(waiter.processes)) times, each waits"
      + " \(waiter.length.description))"
    return isTick
      ? "\(fact): let less time pass, or raise `timeout:`"
      : "\(fact), and nothing in the scenario ends this loop: provide what it waits for with a step or a reply, end it"
        + " with `stop:`, or `signal: KILL` where it ignores SIGTERM, or let a fixed time pass with `tick:` instead of"
        + " waiting for the target to exit; a longer `timeout:` helps only if the loop ends by itself"
  }

  /// The advice for a loop that waits, runs a little and waits again; `nil` where no such loop shows.
  ///
  /// Such a loop is met as often computing as waiting, if it starts programs. A thread that computes since it has waited
  /// shows by the real time that has passed since the last wait.
  ///
  /// - Parameter isAtWork: whether a thread was met computing: how much time has passed then depends on the machine.
  private static func loopHelp(
    _ report: WaiterReport, timeout: Nanoseconds, isTick: Bool, isAtWork: Bool = false
  ) -> String? {
    guard report.count >= 20, report.elapsed.count / (isAtWork ? 1 : 10) >= timeout.count,
      report.realSinceLast.count < timeout.count / 10,
      let waiter = report.waiters.first, let call = waiter.systemCall
    else { return nil }
    let fact =
      "virtual time moved \(report.elapsed.description), in which \"\(waiter.program)\" waited in \(call) again and again"
    return isTick
      ? "\(fact): let less time pass, or raise `timeout:`"
      : "\(fact): provide what the loop waits for with a step or a reply, or let a fixed time pass with `tick:`"
        + " instead of waiting for the target to exit; a longer `timeout:` helps only if the loop ends by itself"
  }

  /// A slack with which the most frequent wait is about one of eleven; `nil` where even a long one would change little.
  private static func slack(for report: WaiterReport) -> Nanoseconds? {
    let length = report.waiters.first { $0.systemCall != nil }?.length ?? .seconds(1)
    guard length < longestSlack else { return nil }
    return max(.seconds(1), min(Nanoseconds(length.count * 10), longestSlack))
  }

  /// The longest slack that is offered.
  private static let longestSlack = Nanoseconds.seconds(60)

  /// A stream that holds more than is kept cannot be judged; `nil` for one that is whole.
  init?(incomplete output: CapturedOutput, of stream: StandardStream) {
    guard output.omitted > 0 else { return nil }
    if let number = output.errorNumber {
      self.init(
        category: .error, type: "Output",
        message: """
          \(stream.rawValue) could not be kept beyond \(ByteCount.text(output.count)): \
          \(SystemText.error(number))
          """,
        help:
          "free space on the disk of the scenarios' folders (TMPDIR), or let the target write less")
      return
    }
    self.init(
      category: .error, type: "Output",
      message: """
        \(stream.rawValue) is longer than \(ByteCount.text(output.count)); \
        \(output.omitted) bytes were not kept
        """,
      help: "let the target write less, or to a file")
  }

  /// The waits that let virtual time pass, in lines; none if it did not move.
  private static func lines(_ report: WaiterReport) -> [String] {
    // A clock that flows by itself needs nobody.
    guard report.elapsed > .zero, !report.waiters.isEmpty else { return [] }
    let waiters = report.waiters.map { waiter in
      let count = grouped(waiter.count)
      guard let call = waiter.systemCall else {
        return "\(count) × \(waiter.program) spins on the clock"
      }
      return "\(count) × \(waiter.length.description) by \(waiter.program) in \(call)"
    }
    return ["virtual time moved \(report.elapsed.description) meanwhile:"] + waiters
  }

  /// A number with its thousands apart: `312,004`.
  private static func grouped(_ count: Int) -> String {
    var text = ""
    let digits = String(count)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

}

extension Optional<Failure> {
  /// The failure alone, or none.
  var list: [Failure] { map { [$0] } ?? [] }
}

extension [Failure] {
  /// Makes a failure of each mismatch of one subject.
  init(_ mismatches: [Mismatch], type: String, name: String) {
    self = mismatches.map { Failure($0, type: type, name: name) }
    if count == Mismatch.limit { self[count - 1].details.append("further ones are not listed") }
  }

  /// The same failures, with lines that are about all of them behind the first one.
  func with(details: @autoclosure () -> [String]) -> [Failure] {
    guard !isEmpty else { return self }
    var copy = self
    copy[0].details += details()
    return copy
  }
}

extension ExitStatus {
  /// The end in words, as in `exited with code 1` or `was killed by SIGSEGV`.
  var text: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .signaled(let number): "was killed by SIG\(SignalNames.name(of: number))"
    }
  }
}

extension Failure {
  /// A condition on a target that nothing has started: whatever it says of no output would hold.
  init(neverStarted expectation: PlannedExpectation, _ who: String) {
    self.init(
      category: .expectation, type: "expect.start",
      message:
        "\(who) was never started, so its output and exit cannot be checked",
      range: expectation.range,
      help:
        "check why `if:` skips the steps that start it; put expectations about one start into its step"
    )
  }

  /// A search that the deadline met.
  static func searchTimedOut(at range: SourceRange) -> Failure {
    Failure(
      category: .error, type: "Timeout",
      message: "the search for a regular expression took longer than the case's limit",
      range: range,
      help: "avoid nested repetitions, as in (a+)+, which can take forever")
  }

  /// The run was stopped: from outside, or because it may take no longer.
  static func stopped(by cancellation: RunCancellation, at range: SourceRange) -> Failure {
    guard case .timeout(let limit)? = cancellation.reason else {
      return Failure(
        category: .error, type: "Interrupted", message: "the run was interrupted", range: range)
    }
    return Failure(
      category: .error, type: "Timeout",
      message: "the run took longer than its limit of \(limit)", range: range,
      help: "raise --global-timeout, or run fewer scenarios at once")
  }
}
