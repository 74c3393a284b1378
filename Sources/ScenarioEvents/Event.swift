package import Foundations

/// An event of a run.
///
/// Every report is made from a stream of these and nothing else.
package struct Event: Sendable, Hashable, Codable {
  /// Real time since the run began.
  package var realTime: Nanoseconds
  /// The scenario's wall clock, where it has one of its own.
  package var virtualTime: WallInstant?
  /// The virtual time since the scenario's start; given for failures, and for all events where a
  /// report wants a timeline.
  package var elapsed: Nanoseconds?
  /// The scenario it belongs to (`PlannedCase.identifier`); `nil` for the run itself.
  package var scenario: String?
  /// The process it belongs to.
  package var process: Int32?
  /// The kind of event.
  package var kind: Kind

  /// Creates an event.
  package init(
    realTime: Nanoseconds, virtualTime: WallInstant? = nil, scenario: String? = nil,
    process: Int32? = nil, kind: Kind
  ) {
    self.realTime = realTime
    self.virtualTime = virtualTime
    self.scenario = scenario
    self.process = process
    self.kind = kind
  }

  /// The kind of event.
  package enum Kind: Sendable, Hashable, Codable {
    /// The run begins.
    case runStarted(RunDescription)
    /// A scenario begins.
    case caseStarted(CaseDescription)
    /// A step begins; `index` counts from 1.
    case stepStarted(index: Int, name: String, range: SourceRange)
    /// A step has ended.
    case stepFinished(index: Int, duration: Nanoseconds)
    /// A process of the target's tree runs a program, which these variables point to the
    /// certificate authorities to trust.
    case processStarted(arguments: [String], trustVariables: [String] = [])
    /// A process has ended: by exit code, or by signal.
    case processEnded(exitCode: Int32?, signal: String?)
    /// Virtual time moved because a deadline was due, or a step said so.
    case clockMoved(by: Nanoseconds, reason: String)
    /// The target set the scenario's wall clock by that much, or tried to: `error` is what it got then.
    case clockSet(by: Nanoseconds, systemCall: String, error: String?)
    /// The mock server received a request.
    case requestReceived(RequestDescription)
    /// A request was answered; reported only where a report wants it.
    case exchanged(ExchangeDescription)
    /// A chaos entry changed a call.
    case faultInjected(FaultDescription)
    /// A limit of the target let a call fail, for the first time in its process.
    case limitStruck(LimitFault)
    /// A wait passed in real time; where that is not allowed, a failure follows.
    case waitEscaped(EscapedWait)
    /// A process cannot be controlled; where that is not allowed, a failure follows.
    case outOfReach(ProcessOutOfReach)
    /// A process has changed a file outside of the case's folders, or was kept from it.
    case changedOutside(OutsideChange)
    /// The account of time in the scenario that ends.
    case timeAccount(TimeAccount)
    /// The account of the connections of the scenario that ends.
    case networkAccount(NetworkAccount)
    /// The statistics of fault rules in the scenario that ends.
    case chaosAccount(ChaosAccount)
    /// A fault was tried in a run of its own.
    case faultTried(FaultTrial)
    /// The account of the points of the scenario that was explored.
    case explored(ExplorationAccount)
    /// A warning to the author, which fails nothing.
    case warning(String, range: SourceRange?)
    /// A failure of the scenario.
    case failed(Failure)
    /// A scenario has ended.
    case caseFinished(CaseResult)
    /// The run has ended.
    case runFinished(RunResult)
    /// A process was born; this and the three that follow are reported only where a report wants a timeline.
    case processBorn(ProcessBirth)
    /// A thread's timed wait was over.
    case waited(WaitSpan)
    /// The target wrote something.
    case outputWritten(OutputPiece)
    /// The number of events of the three kinds before that were only counted.
    case worldUntold(DroppedEvents)
    /// Processes outlive the target of a scenario; where that is not allowed, a failure follows.
    case leaked(Leak)
    /// A signal reached a process; reported only where a report wants a timeline.
    case signalled(SignalDelivery)
    /// A scenario has captured a value.
    case captured(CapturedText)
    /// A connection between hosts has another state.
    case hostConnection(HostConnectionDescription)
    /// Hosts were cut off from each other, or reach each other again.
    case partitionChanged(PartitionDescription)
    /// A webhook was sent, or could not be.
    case webhookSent(WebhookDescription)
    /// A port that a target has bound is the case's own.
    case portMoved(PortMoveDescription)
    /// A message, or a piece of a body, went over a connection; reported only where a report wants it.
    case message(MessageDescription)
  }
}

/// The description of a run.
package struct RunDescription: Sendable, Hashable, Codable {
  /// The runner's version.
  package var version: String
  /// SHA-256 of the plan, in hexadecimal.
  package var planDigest: String
  /// The number of scenarios that will run.
  package var caseCount: Int
  /// The beginning of the run, in UTC.
  package var startedAt: WallInstant
  /// The machine's name.
  package var hostname: String
  /// The part of the plan that is run; `nil` for all of it.
  package var shard: ShardDescription?
  /// The order in which cases are begun, where it is not that of the files.
  package var order: String?
  /// What its caller says of it, such as the commit that is tested; `nil` for nothing.
  package var labels: [String: String]?
  /// The files that its cases were read from; `nil` where that is not known.
  package var sources: [SourceDigest]?

  /// Creates a description.
  package init(
    version: String, planDigest: String, caseCount: Int, startedAt: WallInstant, hostname: String
  ) {
    self.version = version
    self.planDigest = planDigest
    self.caseCount = caseCount
    self.startedAt = startedAt
    self.hostname = hostname
  }
}

/// The identity of a scenario.
package struct CaseDescription: Sendable, Hashable, Codable {
  /// The file it comes from.
  package var file: String
  /// Its name.
  package var name: String
  /// The place where it begins.
  package var range: SourceRange
  /// Its tags.
  package var tags: [String]
  /// Its seed.
  package var seed: Int64
  /// A regular expression that distinguishes it from the other rows of its matrix, and from other
  /// scenarios in its line; `nil` where there are none.
  package var filter: String?
  /// Its place in the plan, counted from 0: reports list cases by it, in whatever order they ran.
  package var index: Int
  /// The number of the attempt at the scenario that begins, counted from 1.
  package var attempt = 1
  /// The maximum number of attempts; `nil` for one.
  package var attemptLimit: Int?
  /// The number of the repetition of a scenario, from 2; `nil` for the scenario itself.
  package var repetition: Int?
  /// The purpose, in the author's words; `nil` where there is none.
  package var purpose: String?
  /// True if it has clocks of its own; `nil` if not.
  package var isVirtual: Bool?
  /// The options of the run that may decide how it ends, as words of a command line; `nil` for none.
  package var options: [String]?

  /// Creates a description.
  package init(
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

/// A request as the mock server received it.
package struct RequestDescription: Sendable, Hashable, Codable {
  /// Its place in the order of the scenario's requests, counted from 1; `nil` if that is not known.
  package var number: Int?
  /// The method.
  package var method: String
  /// The whole URL.
  package var url: String
  /// The GraphQL operation, where there is one.
  package var operation: String?
  /// The status that was answered; `nil` if nothing was.
  package var status: Int?
  /// The entry that answered; `nil` if none did.
  package var entry: String?
  /// Virtual time since the scenario's start (real time where the clock is real).
  package var time: Nanoseconds
  /// The connection that it came on, in the order of connections, counted from 1; `nil` if that is not known.
  package var connection: Int?
  /// The command of the process that has made the connection.
  package var arguments: [String]?
  /// The delay of the answer, in virtual time; `nil` if it was not held back.
  package var delay: Nanoseconds?
  /// The changes of the case's state by the request, such as `todo: "added"`; `nil` if there are none.
  package var state: [String]?

  /// Creates a description.
  package init(
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

/// The reason why a scenario failed: one false expectation, or one thing that could not be decided.
package struct Failure: Error, Sendable, Hashable, Codable {
  /// The category of a failure.
  package enum Category: String, Sendable, Hashable, Codable {
    /// An expectation was false: JUnit's `failure`, exit code 1.
    case expectation
    /// Undecided (spawn, readiness, a bound on real time): JUnit's `error`, exit code 3.
    case error
  }

  /// The category.
  package var category: Category
  /// A dotted or capitalised word for machines: `expect.stdout`, `network.unmatched`, `Timeout`.
  package var type: String
  /// The message in one line: lower case, no full stop.
  package var message: String
  /// The place where the author wrote what failed.
  package var range: SourceRange?
  /// The text beside the carets: the actual value, shortened; `nil` for none.
  package var actual: String?
  /// The further lines: a diff, near misses, the state of each thread.
  package var details: [String]
  /// The expected text beside the one that came; `nil` where one of both is no text.
  package var comparison: TextComparison?
  /// The exact next step, shown behind `help:`.
  package var help: String?
  /// The last events before it; `nil` if there were none since the failure before.
  package var lastEvents: [WorldMoment]?

  /// Creates a failure.
  package init(
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

/// The result of a scenario.
package struct CaseResult: Sendable, Hashable, Codable {
  /// The outcome.
  package enum Outcome: String, Sendable, Hashable, Codable {
    /// Every expectation held.
    case passed
    /// An expectation was false.
    case failed
    /// The case could not be decided.
    case errored
    /// The case was not run.
    case skipped
  }

  /// The outcome.
  package var outcome: Outcome
  /// Real time it took.
  package var duration: Nanoseconds
  /// Virtual time that passed; `nil` where the clock is real.
  package var virtualDuration: Nanoseconds?
  /// Standard output, as far as it is kept, invalid UTF-8 repaired.
  package var standardOutput: String
  /// Standard error, likewise.
  package var standardError: String
  /// The case's directory, if it was kept.
  package var directory: String?
  /// The reason why it was not run, in its author's words.
  package var reason: String?
  /// True if another attempt follows, which decides.
  package var isRetried = false
  /// The files that it has left; `nil` for none.
  package var attachments: [Attachment]?
  /// True if the run ended before it got to the case; `nil` where it did get there.
  package var isUnreached: Bool?

  /// Creates a result.
  package init(
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

/// The result of a run.
package struct RunResult: Sendable, Hashable, Codable {
  /// Real time it took.
  package var duration: Nanoseconds
  /// True if it was stopped before its end (a signal, the global bound).
  package var interrupted: Bool
  /// The bound on the whole run, where that has stopped it.
  package var timeout: Nanoseconds?

  /// Creates a result.
  package init(duration: Nanoseconds, interrupted: Bool) {
    self.duration = duration
    self.interrupted = interrupted
  }
}
