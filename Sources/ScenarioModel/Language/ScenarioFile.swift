/// One file of the language, as its author wrote it: defaults at the top, then scenarios.
public struct ScenarioFile: Sendable {
  /// The path as it was named on the command line.
  public var path: String
  /// `name:` at the top; the file's name stands in for it where it is missing.
  public var name: Located<String>?
  /// What stands at the file's top: every scenario's default.
  ///
  /// A file whose top has `steps`, or no `scenarios`, holds one scenario.
  public var defaults: ScenarioBody
  /// `folder:` from where paths in the file count, seen from its own folder; `nil` is that.
  public var folder: Located<String>?
  /// `use:` paths of files whose responses, chaos, factories, sequences and target are a fallback.
  public var uses: [Located<String>] = []
  /// What those files bring; empty until they have been read.
  public var shared = SharedParts()
  /// Where each key of the file's top stands with what belongs to it; a misspelled one under the name that
  /// was most likely meant.
  public var sections: [(key: String, lines: ClosedRange<Int>)] = []
  /// `secrets:` what no report shows.
  public var secrets: SecretSettings?
  /// The entries of `scenarios:`; empty for a file with one scenario at the top.
  public var scenarios: [ScenarioEntry]

  /// Creates a file.
  public init(
    path: String, name: Located<String>?, defaults: ScenarioBody, scenarios: [ScenarioEntry]
  ) {
    self.path = path
    self.name = name
    self.defaults = defaults
    self.scenarios = scenarios
  }
}

/// One entry of `scenarios:`.
public struct ScenarioEntry: Sendable {
  /// `name:`.
  public var name: Located<String>
  /// Everything else.
  public var body: ScenarioBody
  /// The first line of the entry.
  public var range: SourceRange
  /// The last line that belongs to the entry, for `PATH:LINE`.
  public var lastLine: Int

  /// Creates an entry.
  public init(name: Located<String>, body: ScenarioBody, range: SourceRange, lastLine: Int) {
    self.name = name
    self.body = body
    self.range = range
    self.lastLine = lastLine
  }
}

/// What a scenario may say, at the file's top or in its own entry; `nil` and empty mean "not said".
public struct ScenarioBody: Sendable {
  /// `target:`.
  public var target: TargetSettings?
  /// `targets:` those that steps call by name, in file order.
  public var targets: [NamedTarget] = []
  /// `clock:`.
  public var clock: ClockSettings?
  /// `files:`.
  public var files: FileSettings?
  /// `seed:`.
  public var seed: Located<Int64>?
  /// `entropy:`, where the target's random numbers come from.
  public var entropy: Located<EntropyMode>?
  /// `timeout:`, in real time.
  public var timeout: Located<Nanoseconds>?
  /// `tags:`.
  public var tags: [Located<String>] = []
  /// `factories:`, in file order.
  public var factories: [FactoryDefinition] = []
  /// `sequences:` that `$next` draws from, in file order.
  public var sequences: [SequenceDefinition] = []
  /// `allow_readonly:` whether `with` may set readonly fields; `nil` is no.
  public var allowsReadonly: Bool?
  /// `build:` named objects, in file order.
  public var builds: [DataField] = []
  /// `network:`.
  public var network: NetworkSettings?
  /// `responses:`, in file order.
  public var responses: [ResponseEntry] = []
  /// `chaos:`, in file order.
  public var chaos: [ChaosEntry] = []
  /// `steps:`.
  public var steps: [Step]?
  /// `always:` steps that run whatever happened.
  public var always: [Step] = []
  /// `expect:` at the end.
  public var expect: ExpectationBlock?
  /// `explore:` which faults are tried by `scenario explore`.
  public var explore: ExploreSettings?
  /// `matrix:` one case for each row.
  public var matrix: Matrix?
  /// `skip:` why it is not run.
  public var skip: SkipRule?
  /// `only: true` whether nothing else is run.
  public var only: Located<Bool>?
  /// `exclusive:`, `grace:`, `leak:`, `retries:` how it is run.
  public var execution = ExecutionSettings()

  /// Creates a body that says nothing.
  public init() {}
}

/// `target:` the executable under test.
public struct TargetSettings: Sendable {
  /// How the executable is started.
  public enum Command: Sendable {
    /// A list: program and arguments, no shell.
    case arguments([DataNode])
    /// A string: run by `sh -c`.
    case shell(DataNode)
  }

  /// `command:`.
  public var command: Command
  /// Where `command:` stands.
  public var commandRange: SourceRange
  /// `env:` names and values, in order, without `pass`.
  public var environment: [DataField]
  /// `env: { pass: [NAME, …] }`: names let through from the runner's own environment.
  public var passedEnvironment: [Located<String>]
  /// `files:` laid into the case's fresh directory.
  public var files: [FileFixture]
  /// `stdin:` what the target reads; `nil` is an empty input.
  public var standardInput: DataNode?
  /// `limits:` what it may have at most.
  public var limits: TargetLimits?
  /// `ready:` when it counts as ready once it was started.
  public var ready: ReadinessSettings?
  /// `stop:` how it is ended.
  public var stop: StopSettings?
  /// `terminal: 80x24`: a pseudo-terminal instead of pipes.
  public var terminal: Located<TerminalSize>?

  /// Creates settings.
  public init(
    command: Command, commandRange: SourceRange, environment: [DataField] = [],
    passedEnvironment: [Located<String>] = [], files: [FileFixture] = [],
    standardInput: DataNode? = nil
  ) {
    self.command = command
    self.commandRange = commandRange
    self.environment = environment
    self.passedEnvironment = passedEnvironment
    self.files = files
    self.standardInput = standardInput
  }
}

/// One entry of `files:`.
public struct FileFixture: Sendable {
  /// What the file holds.
  public enum Content: Sendable {
    /// `name: "text"`
    case text(DataNode)
    /// `name: { json: … }`
    case json(DataNode)
    /// `name: ../path`: a value that names an existing file is written `{ file: ../path }`.
    case copy(Located<String>)
    /// `name: { link: path }`: a symbolic link.
    case link(DataNode)
    /// `name: { kind: folder }`: a folder, with what else is laid into it.
    case folder
  }

  /// The path below the case's directory.
  public var path: Located<String>
  /// What the file holds.
  public var content: Content
  /// `mode: 0755`: permission bits; `nil` is 0644, and 0755 for a folder.
  public var mode: Located<UInt32>?

  /// Creates a fixture.
  public init(path: Located<String>, content: Content, mode: Located<UInt32>? = nil) {
    self.path = path
    self.content = content
    self.mode = mode
  }
}

/// `clock:` what time it is, and how it passes.
public struct ClockSettings: Sendable {
  /// `at:` the wall clock at the start; `nil` is the present.
  public var at: Located<WallInstant>?
  /// `flow:`; `nil` is as fast as real time.
  public var flow: Located<ClockFlow>?
  /// `settable:` whether the target may set the wall clock; `nil` is no.
  public var isSettable: Bool?
  /// `files:`; `nil` is the machine's own time.
  public var files: FileTimes?
  /// `escapes:`; `nil` is a failure.
  public var escapes: ClockEscapes?

  /// Creates settings.
  public init(
    at: Located<WallInstant>? = nil, flow: Located<ClockFlow>? = nil, isSettable: Bool? = nil,
    files: FileTimes? = nil, escapes: ClockEscapes? = nil
  ) {
    self.at = at
    self.flow = flow
    self.isSettable = isSettable
    self.files = files
    self.escapes = escapes
  }

  /// The settings with what they do not say taken from others.
  public func over(_ defaults: ClockSettings?) -> ClockSettings {
    ClockSettings(
      at: at ?? defaults?.at, flow: flow ?? defaults?.flow,
      isSettable: isSettable ?? defaults?.isSettable, files: files ?? defaults?.files,
      escapes: escapes ?? defaults?.escapes)
  }
}

/// What the times of files that the target writes show.
public enum FileTimes: String, Sendable, Hashable, Codable, CaseIterable {
  /// The machine's own time.
  case real
  /// The scenario's time, stamped once, at the write.
  case virtual
}

/// What becomes of a case in which something escaped the control of its clock.
public enum ClockEscapes: String, Sendable, Hashable, Codable, CaseIterable {
  /// It fails.
  case fail
  /// It is told and goes on.
  case allow
}
