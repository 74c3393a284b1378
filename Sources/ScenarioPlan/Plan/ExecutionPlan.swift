public import ScenarioModel

/// Everything that a run will do, decided before it begins: names resolved, factories built.
///
/// The plan is a value: the same files and the same seed give the same plan, byte for byte.
public struct ExecutionPlan: Sendable, Hashable, Codable {
  /// The format's version.
  public var version: Int
  /// The cases in the order in which they run.
  public var cases: [PlannedCase]

  /// Creates a plan.
  public init(version: Int = 1, cases: [PlannedCase]) {
    self.version = version
    self.cases = cases
  }
}

/// One scenario, ready to run.
public struct PlannedCase: Sendable, Hashable, Codable {
  /// `FILE::NAME`, unique within the plan.
  public var identifier: String
  /// The file it comes from.
  public var file: String
  /// The scenario's name; unique within the file.
  public var name: String
  /// Where the scenario begins.
  public var range: SourceRange
  /// The last line that belongs to it.
  public var lastLine: Int
  /// Tags in file order.
  public var tags: [String]
  /// The seed that random values derive from.
  public var seed: Int64
  /// Where the target's random numbers come from.
  public var entropy = EntropyMode.real
  /// The bound on the whole case, in real time.
  public var timeout: Nanoseconds
  /// The executable under test.
  public var target: PlannedTarget
  /// The clock; `nil` leaves time alone.
  public var clock: PlannedClock?
  /// The network; `nil` closes it: nothing is answered, and nothing leaves the machine.
  public var network: PlannedNetwork?
  /// Chaos entries in order; the first that matches wins.
  public var chaos: [PlannedChaos]
  /// The steps; one `run` for a scenario without steps.
  public var steps: [PlannedStep]
  /// What must hold at the end.
  public var expect: [PlannedExpectation]
  /// The folder that paths of the file count from; `nil` is the file's own.
  public var folder: String?
  /// Which faults are tried; `nil` where nobody has asked.
  public var exploration: PlannedExploration?
  /// What is changed in the data, at random; `nil` where nothing is.
  public var mutations: [PlannedMutation]?
  /// The row of the scenario's matrix that the case is.
  public var row: MatrixRow?
  /// Why the case is not run; `nil` if it is.
  public var skip: String?
  /// Other files that the file uses: what they bring need not be used up.
  public var usedFiles: [String]?

  /// Creates a case.
  public init(
    identifier: String, file: String, name: String, range: SourceRange, lastLine: Int,
    tags: [String], seed: Int64, timeout: Nanoseconds, target: PlannedTarget,
    clock: PlannedClock?, network: PlannedNetwork?, chaos: [PlannedChaos], steps: [PlannedStep],
    expect: [PlannedExpectation]
  ) {
    self.identifier = identifier
    self.file = file
    self.name = name
    self.range = range
    self.lastLine = lastLine
    self.tags = tags
    self.seed = seed
    self.timeout = timeout
    self.target = target
    self.clock = clock
    self.network = network
    self.chaos = chaos
    self.steps = steps
    self.expect = expect
  }
}

/// How the executable under test is started.
public struct PlannedTarget: Sendable, Hashable, Codable {
  /// Program and arguments; a shell command is `["/bin/sh", "-c", TEXT]`.
  public var command: [PlannedText]
  /// Where the author wrote the command.
  public var commandRange: SourceRange
  /// Environment, in order.
  public var environment: [PlannedVariable]
  /// Names let through from the runner's own environment.
  public var passedEnvironment: [String]
  /// Files laid into the case's directory.
  public var files: [PlannedFile]
  /// What the target reads from standard input.
  public var standardInput: PlannedText?
  /// What it may have at most.
  public var limits: TargetLimits?
  /// The folder that the program's path counts from; `nil` is that of the case.
  public var folder: String?

  /// Creates a target.
  public init(
    command: [PlannedText], commandRange: SourceRange, environment: [PlannedVariable],
    passedEnvironment: [String], files: [PlannedFile], standardInput: PlannedText?
  ) {
    self.command = command
    self.commandRange = commandRange
    self.environment = environment
    self.passedEnvironment = passedEnvironment
    self.files = files
    self.standardInput = standardInput
  }
}

/// One environment variable.
public struct PlannedVariable: Sendable, Hashable, Codable {
  /// The variable's name.
  public var name: String
  /// Its value.
  public var value: PlannedText

  /// Creates a variable.
  public init(name: String, value: PlannedText) {
    self.name = name
    self.value = value
  }
}

/// One file of the case's directory.
public struct PlannedFile: Sendable, Hashable, Codable {
  /// What it holds.
  public enum Content: Sendable, Hashable, Codable {
    /// Text.
    case text(PlannedText)
    /// Data, written as JSON with a final newline.
    case json(PlannedData)
    /// The bytes of a file; the path is already resolved against the scenario file's folder.
    case copy(path: String)
  }

  /// The path below the case's directory; never absolute, never with `..`.
  public var path: String
  /// What it holds.
  public var content: Content
  /// Permission bits.
  public var mode: UInt32
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates a file.
  public init(path: String, content: Content, mode: UInt32, range: SourceRange) {
    self.path = path
    self.content = content
    self.mode = mode
    self.range = range
  }
}

/// The clock of a case.
public struct PlannedClock: Sendable, Hashable, Codable {
  /// The wall clock at the start; `nil` is the present.
  public var at: WallInstant?
  /// How time passes when no step says otherwise.
  public var flow: ClockFlow
  /// Whether the target may set the scenario's wall clock; where not, it gets EPERM.
  public var isSettable: Bool
  /// What the times of files that the target writes show.
  public var files: FileTimes
  /// What a wait or a process that is out of control means.
  public var escapes: ClockEscapes

  /// Creates a clock.
  public init(
    at: WallInstant?, flow: ClockFlow, isSettable: Bool = false, files: FileTimes = .real,
    escapes: ClockEscapes = .fail
  ) {
    self.at = at
    self.flow = flow
    self.isSettable = isSettable
    self.files = files
    self.escapes = escapes
  }
}

/// The network of a case.
public struct PlannedNetwork: Sendable, Hashable, Codable {
  /// Whether the stand-in answers, or the target's network is left alone.
  public var mode: NetworkSettings.Mode
  /// What an entry that nobody asked for means.
  public var unused: NetworkSettings.Unused
  /// What becomes of connections to services on this machine.
  public var loopback: NetworkSettings.Loopback
  /// The entries, the scenario's own before the file's.
  public var responses: [PlannedResponse]
  /// What is known about GraphQL endpoints; `nil` if nothing is.
  public var graphQL: PlannedGraphQL?
  /// Hosts whose modes differ; the first that fits rules.
  public var hosts: [PlannedHostMode] = []
  /// Where real hosts are reached in place of where their names lead.
  public var upstreams: [UpstreamRule] = []
  /// Names whose values no recording shows, beside the usual ones; in lower case.
  public var redact: [String] = []
  /// Where the recording of the case lies, or will lie.
  public var recordingPath: String?
  /// Connections that go wrong; the first entry that fits and has not come to its end rules.
  public var connectionFaults: [PlannedConnectionFault] = []
  /// What a request gets that no entry answers.
  public var unmatched = PlannedUnmatched.fail

  /// Creates a network.
  public init(
    mode: NetworkSettings.Mode = .offline, unused: NetworkSettings.Unused,
    loopback: NetworkSettings.Loopback = .open, responses: [PlannedResponse],
    graphQL: PlannedGraphQL? = nil
  ) {
    self.loopback = loopback
    self.graphQL = graphQL
    self.mode = mode
    self.unused = unused
    self.responses = responses
  }
}

/// One entry of the network's queue.
public struct PlannedResponse: Sendable, Hashable, Codable {
  /// What the entry answers.
  public enum Match: Sendable, Hashable, Codable {
    /// HTTP requests.
    case http(PlannedRequest)
    /// GraphQL operations.
    case graphQL(PlannedGraphQLMatch)
  }

  /// The name in messages.
  public var name: String
  /// What the entry answers.
  public var match: Match
  /// The queue, never empty.
  public var replies: [PlannedReply]
  /// Whether the one reply answers any number of requests.
  public var repeats: Bool
  /// What happens when the queue is empty.
  public var then = QueueEnd.fail
  /// Which of the `respond:` steps brings it, counted from 0; `nil` if it is there from the beginning.
  public var step: Int?
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates an entry.
  public init(
    name: String, match: Match, replies: [PlannedReply], repeats: Bool, range: SourceRange
  ) {
    self.name = name
    self.match = match
    self.replies = replies
    self.repeats = repeats
    self.range = range
  }
}

/// One reply of a queue.
public struct PlannedReply: Sendable, Hashable, Codable {
  /// What the reply carries.
  public enum Body: Sendable, Hashable, Codable {
    /// Nothing.
    case empty
    /// Data, sent as JSON.
    case json(PlannedData)
    /// Text.
    case text(PlannedText)
    /// The bytes of a file.
    case file(path: String)
    /// Bytes.
    case bytes([UInt8])
    /// GraphQL results, one after the other.
    case graphQLStream([PlannedGraphQLEvent])
    /// Pieces over virtual time.
    case stream([PlannedStreamStep])
    /// The script of a WebSocket.
    case webSocket([PlannedWebSocketStep])
    /// Messages and a status of gRPC.
    case grpc(PlannedGRPC)
  }

  /// Fields behind the body.
  public var trailers: [PlannedVariable] = []
  /// How the body is packed for the way.
  public var encoding = BodyEncoding.identity
  /// The HTTP status.
  public var status: Int
  /// The words behind the status; `nil` are the usual ones.
  public var reason: String?
  /// How the reply goes wrong.
  public var fault: ReplyFault?
  /// Headers in order; a `content-type` is added by the stand-in where it is missing.
  public var headers: [PlannedVariable]
  /// What the reply carries.
  public var body: Body
  /// The delay in virtual time.
  public var delay: Nanoseconds
  /// How many requests in a row it answers.
  public var times: Int
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates a reply.
  public init(
    status: Int, headers: [PlannedVariable], body: Body, delay: Nanoseconds, times: Int,
    range: SourceRange
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delay = delay
    self.times = times
    self.range = range
  }
}

/// One step, ready to run.
public struct PlannedStep: Sendable, Hashable, Codable {
  /// What it does.
  public indirect enum Action: Sendable, Hashable, Codable {
    /// Start with more arguments and wait for the end.
    case run(arguments: [PlannedText])
    /// Start with more arguments.
    case start(arguments: [PlannedText])
    /// TERM, and wait for the end.
    case stop
    /// Send a signal; `name` is without SIG.
    case signal(name: String, number: Int32)
    /// Write to standard input.
    case send(PlannedText)
    /// Close standard input.
    case closeStandardInput
    /// Wait for the end.
    case waitForExit
    /// Wait until standard output matches.
    case waitForOutput(RegularExpression)
    /// Wait until standard error matches.
    case waitForErrorOutput(RegularExpression)
    /// Let the responses answer that have its number, counted from 0.
    case respond(Int)
    /// Set the wall clock.
    case travel(InstantExpression)
    /// Displace the wall clock.
    case jump(Nanoseconds)
    /// Stand still, now or there.
    case freeze(InstantExpression?)
    /// Let time pass.
    case tick(TickAmount)
    /// Wait until everything sleeps.
    case settle
    /// Let the machine sleep.
    case suspend(Nanoseconds)
    /// Flow at a rate.
    case rate(ClockRate)
    /// Back to the present.
    case returnToPresent
    /// Let chaos entries hold, from their beginning.
    case apply(ChaosSelection, seed: Int64?)
    /// Let them hold no more.
    case revert(ChaosSelection)
    /// A time step that ends with its block.
    case block(Action, during: [PlannedStep])
    /// Nothing but expectations.
    case expect
    /// Keep texts by names.
    case capture([PlannedCapture])
  }

  /// What the author called it, or the keyword.
  public var name: String
  /// What it does.
  public var action: Action
  /// What must hold behind it.
  public var expect: [PlannedExpectation]
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates a step.
  public init(name: String, action: Action, expect: [PlannedExpectation], range: SourceRange) {
    self.name = name
    self.action = action
    self.expect = expect
    self.range = range
  }
}
