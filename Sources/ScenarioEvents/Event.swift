public import ScenarioModel

/// One thing that happened in a run.
///
/// Every report is made from a stream of these and nothing else.
public struct Event: Sendable, Hashable, Codable {
  /// Real time since the run began.
  public var realTime: Nanoseconds
  /// The scenario's wall clock, where it has one of its own.
  public var virtualTime: WallInstant?
  /// Virtual time since the scenario's start; told of failures, and of all where a report wants a timeline.
  public var elapsed: Nanoseconds?
  /// The scenario it belongs to (`PlannedCase.identifier`); `nil` for the run itself.
  public var scenario: String?
  /// The process it belongs to.
  public var process: Int32?
  /// What happened.
  public var kind: Kind

  /// Creates an event.
  public init(
    realTime: Nanoseconds, virtualTime: WallInstant? = nil, scenario: String? = nil,
    process: Int32? = nil, kind: Kind
  ) {
    self.realTime = realTime
    self.virtualTime = virtualTime
    self.scenario = scenario
    self.process = process
    self.kind = kind
  }

  /// What happened.
  public enum Kind: Sendable, Hashable, Codable {
    /// The run begins.
    case runStarted(RunDescription)
    /// A scenario begins.
    case caseStarted(CaseDescription)
    /// A step begins; `index` counts from 1.
    case stepStarted(index: Int, name: String, range: SourceRange)
    /// A step has ended.
    case stepFinished(index: Int, duration: Nanoseconds)
    /// A process of the target's tree runs a program, and was told by these variables whom it may trust.
    case processStarted(arguments: [String], trustVariables: [String] = [])
    /// A process has ended: by exit code, or by signal.
    case processEnded(exitCode: Int32?, signal: String?)
    /// Virtual time moved because a deadline was due, or a step said so.
    case clockMoved(by: Nanoseconds, reason: String)
    /// The target set the scenario's wall clock by that much, or tried to: `error` is what it got then.
    case clockSet(by: Nanoseconds, systemCall: String, error: String?)
    /// The stand-in received a request.
    case requestReceived(RequestDescription)
    /// A request was answered; told only where a report wants to know.
    case exchanged(ExchangeDescription)
    /// A chaos entry changed a call.
    case faultInjected(FaultDescription)
    /// A limit of the target let a call fail, for the first time in its process.
    case limitStruck(LimitStrike)
    /// A wait passed in real time; where that is not allowed, a failure follows.
    case waitEscaped(EscapedWait)
    /// A process cannot be controlled; where that is not allowed, a failure follows.
    case outOfReach(ProcessOutOfReach)
    /// A process has changed a file outside of the case's folders, or was kept from it.
    case changedOutside(OutsideChange)
    /// What became of time in the scenario that ends.
    case timeAccount(TimeAccount)
    /// What became of the connections of the scenario that ends.
    case networkAccount(NetworkAccount)
    /// How often the chaos entries of the scenario that ends were met.
    case chaosAccount(ChaosAccount)
    /// A fault was tried in a run of its own.
    case faultTried(FaultTrial)
    /// What became of the points of the scenario that was explored.
    case explored(ExplorationAccount)
    /// Something the author should know that fails nothing.
    case warning(String, range: SourceRange?)
    /// Something that makes the scenario fail.
    case failed(Failure)
    /// A scenario has ended.
    case caseFinished(CaseResult)
    /// The run has ended.
    case runFinished(RunResult)
    /// A process was born; this and the three that follow are told only where a report wants a timeline.
    case processBorn(ProcessBirth)
    /// A thread's timed wait was over.
    case waited(WaitSpan)
    /// The target wrote something.
    case outputWritten(OutputPiece)
    /// What was only counted of the three before.
    case worldUntold(DroppedEvents)
    /// Processes outlive the target of a scenario; where that is not allowed, a failure follows.
    case leaked(Leak)
    /// A signal reached a process; told only where a report wants a timeline.
    case signalled(SignalDelivery)
    /// A scenario has captured a value.
    case captured(CapturedText)
  }
}

/// What a run is made of.
public struct RunDescription: Sendable, Hashable, Codable {
  /// The runner's version.
  public var version: String
  /// SHA-256 of the plan, in hexadecimal.
  public var planDigest: String
  /// How many scenarios will run.
  public var caseCount: Int
  /// When the run began, in UTC.
  public var startedAt: WallInstant
  /// The machine's name.
  public var hostname: String
  /// Which part of the plan it is; `nil` for all of it.
  public var shard: ShardDescription?
  /// In which order cases are begun, where it is not that of the files.
  public var order: String?

  /// Creates a description.
  public init(
    version: String, planDigest: String, caseCount: Int, startedAt: WallInstant, hostname: String
  ) {
    self.version = version
    self.planDigest = planDigest
    self.caseCount = caseCount
    self.startedAt = startedAt
    self.hostname = hostname
  }
}

/// Which scenario.
public struct CaseDescription: Sendable, Hashable, Codable {
  /// The file it comes from.
  public var file: String
  /// Its name.
  public var name: String
  /// Where it begins.
  public var range: SourceRange
  /// Its tags.
  public var tags: [String]
  /// Its seed.
  public var seed: Int64
  /// A regular expression that tells it from the other rows of its matrix, and from other scenarios in its line; `nil`
  /// where there are none.
  public var filter: String?
  /// Its place in the plan, counted from 0: reports list cases by it, in whatever order they ran.
  public var index: Int
  /// Which attempt at the scenario begins, counted from 1.
  public var attempt = 1
  /// How many attempts there may be; `nil` for one.
  public var attemptLimit: Int?
  /// Which repetition of a scenario it is, from 2; `nil` for the scenario itself.
  public var repetition: Int?
  /// The options of the run that may decide how it ends, as words of a command line; `nil` for none.
  public var options: [String]?

  /// Creates a description.
  public init(
    file: String, name: String, range: SourceRange, tags: [String], seed: Int64, index: Int = 0
  ) {
    self.index = index
    self.file = file
    self.name = name
    self.range = range
    self.tags = tags
    self.seed = seed
  }
}

/// A request as the stand-in received it.
public struct RequestDescription: Sendable, Hashable, Codable {
  /// The method.
  public var method: String
  /// The whole URL.
  public var url: String
  /// The GraphQL operation, where there is one.
  public var operation: String?
  /// The status that was answered; `nil` if nothing was.
  public var status: Int?
  /// Which entry answered; `nil` if none did.
  public var entry: String?
  /// Virtual time since the scenario's start (real time where the clock is real).
  public var time: Nanoseconds
  /// The connection that it came on, in the order of connections, counted from 1; `nil` if that is not known.
  public var connection: Int?
  /// What the process runs that has made the connection.
  public var arguments: [String]?
  /// How long the answer was held back, in virtual time; `nil` if it was not.
  public var delay: Nanoseconds?

  /// Creates a description.
  public init(
    method: String, url: String, operation: String?, status: Int?, entry: String?,
    time: Nanoseconds, connection: Int? = nil, arguments: [String]? = nil
  ) {
    self.connection = connection
    self.arguments = arguments
    self.method = method
    self.url = url
    self.operation = operation
    self.status = status
    self.entry = entry
    self.time = time
  }
}

/// Why a scenario failed: one false expectation, or one thing that could not be decided.
public struct Failure: Error, Sendable, Hashable, Codable {
  /// Which sort of bad news.
  public enum Category: String, Sendable, Hashable, Codable {
    /// An expectation was false: JUnit's `failure`, exit code 1.
    case expectation
    /// It could not be decided (spawn, readiness, a bound on real time): JUnit's `error`, exit code 3.
    case error
  }

  /// Which sort of bad news.
  public var category: Category
  /// A dotted or capitalised word for machines: `expect.stdout`, `network.unmatched`, `Timeout`.
  public var type: String
  /// One line: lower case, no full stop.
  public var message: String
  /// Where the author wrote what failed.
  public var range: SourceRange?
  /// What the caret line says beside the carets: the actual value, shortened; or nothing.
  public var actual: String?
  /// More lines: a diff, near misses, the state of each thread.
  public var details: [String]
  /// The exact next step, shown behind `help:`.
  public var help: String?
  /// What happened last in the scenario's world before it; `nil` if nothing has since the failure before.
  public var lastEvents: [WorldMoment]?

  /// Creates a failure.
  public init(
    category: Category, type: String, message: String, range: SourceRange? = nil,
    actual: String? = nil, details: [String] = [], help: String? = nil
  ) {
    self.category = category
    self.type = type
    self.message = message
    self.range = range
    self.actual = actual
    self.details = details
    self.help = help
  }
}

/// How a scenario ended.
public struct CaseResult: Sendable, Hashable, Codable {
  /// How it ended.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// Everything held.
    case passed
    /// An expectation was false.
    case failed
    /// It could not be decided.
    case errored
    /// It was not run.
    case skipped
  }

  /// How it ended.
  public var outcome: Outcome
  /// Real time it took.
  public var duration: Nanoseconds
  /// Virtual time that passed; `nil` where the clock is real.
  public var virtualDuration: Nanoseconds?
  /// Standard output, as far as it is kept, invalid UTF-8 repaired.
  public var standardOutput: String
  /// Standard error, likewise.
  public var standardError: String
  /// The case's directory, if it was kept.
  public var directory: String?
  /// Why it was not run, in its author's words.
  public var reason: String?
  /// Whether another attempt follows, which decides.
  public var isRetried = false
  /// The files that it has left; `nil` for none.
  public var attachments: [Attachment]?
  /// Whether the run ended before it got to the case; `nil` where it did get there.
  public var isUnreached: Bool?

  /// Creates a result.
  public init(
    outcome: Outcome, duration: Nanoseconds, virtualDuration: Nanoseconds?,
    standardOutput: String, standardError: String, directory: String?
  ) {
    self.outcome = outcome
    self.duration = duration
    self.virtualDuration = virtualDuration
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.directory = directory
  }
}

/// How a run ended.
public struct RunResult: Sendable, Hashable, Codable {
  /// Real time it took.
  public var duration: Nanoseconds
  /// Whether it was stopped before its end (a signal, the global bound).
  public var interrupted: Bool
  /// The bound on the whole run, where that has stopped it.
  public var timeout: Nanoseconds?

  /// Creates a result.
  public init(duration: Nanoseconds, interrupted: Bool) {
    self.duration = duration
    self.interrupted = interrupted
  }
}
