package import Foundations
package import ScenarioModel
package import ScenarioPlan

/// What the world of one scenario is like, as far as the supervisor makes it.
package struct SupervisorConfiguration: Sendable {
  /// What the clocks are told to do; `nil` leaves the target's time alone.
  package var clock: PlannedClock?
  /// The clocks, as other threads see them; they begin to run with it.
  package var view: ClockView
  /// Chaos entries in order.
  package var chaos: [PlannedChaos]
  /// What random values derive from.
  package var seed: Int64 = 0
  /// Where the target's random numbers come from.
  package var entropy = EntropySource.real
  /// What the target may have at most; `nil` is what the machine allows.
  package var limits: TargetLimits?
  /// Where the target may change files; `nil` for everywhere.
  package var fileBounds: FileBounds?
  /// The replies that have gone out, which chaos entries may wait for.
  package var replies = ReplyCounter()
  /// The functions of which some calls are answered otherwise; `nil` for none.
  package var functions: FunctionFaults?
  /// Who sees the calls at which faults could strike; `nil` for nobody.
  package var survey: FaultSurvey?
  /// The case's directory, from which relative patterns of paths count.
  package var directory: String?
  /// Who decides where connections go; `nil` leaves the network alone.
  package var router: (any ConnectionRouter)?
  /// Files that are opened in place of others; where several replace one, the first does.
  package var fileReplacements: [FileReplacement]
  /// Names of variables by which programs learn whom they may trust.
  package var trustVariables: Set<String>
  /// What programs are told of whom they may trust, each by its kind; `nil` tells them nothing.
  package var trustByKind: TrustByKind?
  /// Kernel identifiers of threads of this process that take part in the world: virtual time does not
  /// move while one of them runs.
  package var externalThreads: [Int32]
  /// Whether an answer from outside is owed to the target: virtual time does not move meanwhile.
  ///
  /// Asked on the supervisor's thread.
  package var awaitsAnswer: @Sendable () -> Bool
  /// Where the number of the target's threads is kept.
  package var census = ThreadCensus()
  /// How many deadlines may come due one after the other while nothing but time gets on.
  package var deadlineLimit = 1_000_000
  /// What a thread that yields and finds nothing to do may take from one yield to the next, in processor time,
  /// even where stops cost next to nothing.
  var idleTurn = SpinRecord.idleTurn
  /// Told, on the supervisor's thread, what only a timeline shows; `nil` where nobody wants to know.
  package var sight: (@Sendable (TraceRecord) -> Void)?
  /// Who is told of the files that the target uses; `nil` for nobody.
  package var fileWatch: FileWatch?
  /// Where each stop of the target is written, and by which name, without spaces; `nil` for nowhere.
  package var stopLog: (log: StopLog, name: String)?
  /// Told of what happens, on the supervisor's thread.
  package var report: @Sendable (SupervisorEvent) -> Void

  /// Creates a configuration.
  package init(
    clock: PlannedClock?, view: ClockView, chaos: [PlannedChaos] = [], directory: String? = nil,
    router: (any ConnectionRouter)? = nil, fileReplacements: [FileReplacement] = [],
    trustVariables: Set<String> = [],
    externalThreads: [Int32] = [], awaitsAnswer: @escaping @Sendable () -> Bool = { false },
    report: @escaping @Sendable (SupervisorEvent) -> Void = { _ in }
  ) {
    self.clock = clock
    self.view = view
    self.chaos = chaos
    self.directory = directory
    self.router = router
    self.fileReplacements = fileReplacements
    self.trustVariables = trustVariables
    self.externalThreads = externalThreads
    self.awaitsAnswer = awaitsAnswer
    self.report = report
  }

  /// Whether files that the target changes get the scenario's time.
  var stampsFiles: Bool { clock?.files == .virtual }

  /// Whether anything in the target's world differs from the real one.
  var changesWorld: Bool {
    clock != nil || !chaos.isEmpty || functions != nil || router != nil
      || !fileReplacements.isEmpty || entropy.isSeeded || limits != nil
  }
}

/// Something that the supervisor saw or did.
package enum SupervisorEvent: Sendable {
  /// A process runs a program, and was told by these variables whom it may trust.
  case processStarted(process: Int32, arguments: [String], trustVariables: [String])
  /// A process has ended.
  case processEnded(process: Int32, ExitStatus)
  /// Virtual time moved by this much.
  case clockMoved(by: Nanoseconds, reason: ClockMoveReason)
  /// The target set the scenario's wall clock, or tried to: `error` is the errno's name then.
  case clockSet(process: Int32, by: Nanoseconds, systemCall: String, error: String?)
  /// A chaos entry changed a call.
  case faultInjected(InjectedFault)
  /// A program that decides for a chaos entry has not decided.
  case chaosUndecided(entry: String, reason: String)
  /// An entry has let the machine crash, and what that leaves of files is not known.
  case crashUnknown(entry: String, reason: String)
  /// A file that a process has changed keeps the machine's time, and perhaps others do; told once.
  case fileNotStamped(process: Int32, path: String?, errorNumber: Int32)
  /// A process does something that the supervisor cannot control.
  case outOfReach(process: Int32, reason: String)
  /// A file outside of the target's bounds was changed, or kept from it; told once for each path.
  case changedOutside(process: Int32, OutsideAccount.Change, isRefused: Bool)
  /// A wait passes in real time; told once per process and call. `length` is `nil` if it is not known.
  case waitEscaped(
    process: Int32, program: String, systemCall: String, length: Nanoseconds?, reason: String)
  /// The target has ended before its own first instruction, for want of what limits allow.
  case limitsTooSmall(process: Int32, program: String, limits: String)
  /// A limit has let a call fail, for the first time in its process.
  case limitStruck(process: Int32, LimitAccount)
  /// Something that the author should know, told once.
  case notice(process: Int32, text: String)
}

/// Why virtual time moved.
package enum ClockMoveReason: Sendable, Hashable {
  /// A thread's wait was over.
  case wait(WaitDescription)
  /// A reply's delay was over.
  case delayedReply
  /// A thread asks for the time again and again, and nothing else was due.
  case spin(program: String, process: Int32)
  /// A step let time pass, and nothing else was due.
  case step
  /// A chaos entry had something to do with a process.
  case chaos(entry: String)

  /// The process for which it moved.
  package var process: Int32? {
    switch self {
    case .wait(let wait): wait.process
    case .spin(_, let process): process
    case .delayedReply, .step, .chaos: nil
    }
  }

  /// The reason in words.
  package var text: String {
    switch self {
    case .wait(let wait): "\(wait.program) in \(wait.systemCall)"
    case .delayedReply: "delayed reply"
    case .spin(let program, _): "\(program) spins on the clock"
    case .step: "step"
    case .chaos(let entry): "chaos entry \(entry)"
    }
  }
}

/// A wait of the target's.
package struct WaitDescription: Sendable, Hashable {
  /// The program's name without its folder.
  package var program: String
  /// The thread.
  package var thread: Int32
  /// The call, by its number.
  var systemCallNumber: Int
  /// The process; `nil` if it is not known.
  package var process: Int32?

  /// The call, by its name.
  package var systemCall: String { SystemCallTable.current.name(of: systemCallNumber) }
}

/// How a process ended.
package enum ExitStatus: Sendable, Hashable {
  /// By itself, with this code.
  case exited(code: Int32)
  /// By a signal.
  case signaled(number: Int32)
}

/// How the target is started.
package struct LaunchRequest: Sendable {
  /// What the target reads from standard input.
  package enum Input: Sendable {
    /// Nothing: /dev/null.
    case empty
    /// These bytes, then the end.
    case bytes([UInt8])
    /// What steps send, until a step closes it.
    case open
    /// What comes from this descriptor, which stays the caller's.
    case descriptor(Int32)
  }

  /// The program's path; no search.
  package var path: String
  /// Arguments, the program's name first.
  package var arguments: [String]
  /// `NAME=VALUE` texts.
  package var environment: [String]
  /// The working directory.
  package var directory: String
  /// What it reads.
  package var input: Input
  /// The size of the pseudo-terminal that its three streams are, and that controls its session.
  ///
  /// `nil` for pipes. `input` is what is typed then, and no end follows it.
  package var terminal: TerminalSize?

  /// Creates a request.
  package init(
    path: String, arguments: [String], environment: [String], directory: String, input: Input
  ) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
    self.input = input
  }
}

/// Why the target could not be started.
package enum LaunchError: Error, Sendable, Hashable {
  /// The file is not a program for this machine.
  case foreignProgram(String)
  /// ptrace(2) is not allowed here.
  case tracingForbidden(errorNumber: Int32)
  /// seccomp(2) is not allowed here.
  case filterForbidden(errorNumber: Int32)
  /// The program needs more than these limits allow.
  case limitsTooSmall(String)
  /// execve(2) failed.
  case cannotExecute(errorNumber: Int32)
  /// Something else failed.
  case failed(operation: String, errorNumber: Int32)
}

/// How waiting for the target ended.
package enum WaitResult: Sendable {
  /// What was waited for has happened.
  case happened
  /// The target ended before it could happen.
  case targetEnded(ExitStatus)
  /// It cannot happen: everything sleeps, and no time will pass.
  case stuck([ThreadSituation])
  /// The bound on real time was reached.
  case timedOut([ThreadSituation], WaiterReport)
  /// More deadlines came due than the bound allows, and nothing but time got on.
  case endless(WaiterReport)
  /// The run is being stopped.
  case cancelled
}

/// What one thread of the target is doing: a line of a "why stuck" report.
package struct ThreadSituation: Sendable, Hashable {
  /// The process.
  package var process: Int32
  /// The thread.
  package var thread: Int32
  /// What the process runs.
  package var program: String
  /// The call it is in, or that it runs.
  package var activity: String
  /// How much it matters to somebody who asks why nothing gets on.
  package var standing = Standing.waits

  /// What a thread is to the question why nothing gets on.
  package enum Standing: Sendable, Hashable {
    /// It runs: time stands still for it.
    case computes
    /// It asks for the time, or for nothing, again and again.
    case spins
    /// It waits for something that is named.
    case waits
    /// It waits until virtual time has passed.
    case awaitsTime
    /// It waits for an end that no clock can count.
    case awaitsEndOfTime
    /// It waits in this call for another thread of its own process.
    case idle(call: String)
  }

  /// Describes a thread.
  package init(
    process: Int32, thread: Int32, program: String, activity: String, standing: Standing = .waits
  ) {
    self.process = process
    self.thread = thread
    self.program = program
    self.activity = activity
    self.standing = standing
  }
}
