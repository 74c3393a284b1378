package import Foundations

/// One file of the language, as its author wrote it: defaults at the top, then scenarios.
package struct ScenarioFile: Sendable {
  /// The path as it was named on the command line.
  package var path: String
  /// `name:` at the top; the file's name is the default.
  package var name: Located<String>?
  /// The values at the file's top: every scenario's defaults.
  ///
  /// A file whose top has `steps`, or no `scenarios`, has one scenario.
  package var defaults: ScenarioBody
  /// `folder:` from where paths in the file count, seen from its own folder; `nil` is that.
  package var folder: Located<String>?
  /// `include:` paths of files whose responses, chaos, factories, sequences and target are a fallback.
  package var uses: [Located<String>] = []
  /// The parts of those files; empty until they have been read.
  package var shared = SharedParts()
  /// The lines of each key of the file's top with what belongs to it; a misspelled one under the
  /// name that was most likely meant.
  package var sections: [(key: String, lines: ClosedRange<Int>)] = []
  /// `secrets:` what no report shows.
  package var secrets: SecretSettings?
  /// The file's top, where expressions decide about more than data.
  package var late: LateReading?
  /// The values given for `vars:`.
  package var inputs = VariableInputs()
  /// The names that its expressions read.
  package var namesRead = NamesRead()
  /// The entries of `scenarios:`; empty for a file with one scenario at the top.
  package var scenarios: [ScenarioEntry]

  /// `blocks:` as they are written, for files that include this one.
  package var blocks: [YAMLMember] = []
  /// Warnings of its blocks that nothing uses, where it says neither steps nor expectations: they hold if it is run all
  /// the same, as a target alone is, and no other file includes it.
  package var unusedBlocks: [Diagnostic] = []
  /// True if it uses a block that one of the files may bring which it includes, and has been read without them.
  package var awaitsBlocks = false

  /// Creates a file.
  package init(
    path: String, name: Located<String>?, defaults: ScenarioBody, scenarios: [ScenarioEntry]
  ) {
    self.path = path
    self.name = name
    self.defaults = defaults
    self.scenarios = scenarios
  }
}

/// One entry of `scenarios:`.
package struct ScenarioEntry: Sendable {
  /// `name:`.
  package var name: Located<String>
  /// The settings of the scenario.
  package var body: ScenarioBody
  /// The first line of the entry.
  package var range: SourceRange
  /// The last line that belongs to the entry, for `PATH:LINE`.
  package var lastLine: Int
  /// The entry, where expressions decide about more than data.
  package var late: LateReading?

  /// Creates an entry.
  package init(name: Located<String>, body: ScenarioBody, range: SourceRange, lastLine: Int) {
    self.name = name
    self.body = body
    self.range = range
    self.lastLine = lastLine
  }
}

/// The settings of a scenario, at the file's top or in its own entry; `nil` and empty mean "not
/// said".
package struct ScenarioBody: Sendable {
  /// `target:`.
  @Indirect package var target: TargetSettings?
  /// `targets:` those that steps call by name, in file order.
  package var targets: [NamedTarget] = []
  /// `clock:`.
  @Indirect package var clock: ClockSettings?
  /// `files:`.
  package var files: FileSettings?
  /// `seed:`.
  package var seed: Located<Int64>?
  /// `entropy:`, where the target's random numbers come from.
  package var entropy: Located<EntropyMode>?
  /// `order:`, in which the threads of the targets run.
  package var order: Located<ThreadOrder>?
  /// `timeout:`, in real time.
  package var timeout: Located<Nanoseconds>?
  /// `description:` what the scenario is for.
  package var description: Located<String>?
  /// `vars:`, in file order.
  package var variables: [VariableDefinition] = []
  /// `tags:`.
  package var tags: [Located<String>] = []
  /// `factories:`, in file order.
  package var factories: [FactoryDefinition] = []
  /// `sequences:` that `$seq` draws from, in file order.
  package var sequences: [SequenceDefinition] = []
  /// `allow_readonly:` whether `with` may set readonly fields; `nil` is no.
  package var allowsReadonly: Bool?
  /// `build:` named objects, in file order.
  package var builds: [DataField] = []
  /// `network:`.
  @Indirect package var network: NetworkSettings?
  /// `state:` the values before the first request, in file order.
  package var state: [DataField] = []
  /// `responses:`, in file order.
  package var responses: [ResponseEntry] = []
  /// `chaos:`, in file order.
  package var chaos: [ChaosEntry] = []
  /// `steps:`.
  package var steps: [Step]?
  /// `cleanup:` steps that run whatever happened.
  package var cleanup: [Step] = []
  /// `expect:` at the end.
  package var expect: ExpectationBlock?
  /// `explore:` which faults are tried by `scenario explore`.
  @Indirect package var explore: ExploreSettings?
  /// `matrix:` one case for each row.
  @Indirect package var matrix: Matrix?
  /// `skip:` why it is not run.
  @Indirect package var skip: SkipRule?
  /// `only: true` whether nothing else is run.
  package var only: Located<Bool>?
  /// `override:` keys of which nothing is inherited.
  package var override: [Located<String>] = []
  /// True if what is inherited of `expect` must hold beside its own, as in version 1 of the language.
  package var addsExpectations = false
  /// `exclusive:`, `grace:`, `leaks:`, `retries:` how it is run.
  package var execution = ExecutionSettings()

  /// Creates a body that says nothing.
  package init() {}
}

/// `target:` the executable under test.
package struct TargetSettings: Sendable {
  /// The command that starts the executable.
  package enum Command: Sendable {
    /// A list: program and arguments, no shell.
    case arguments([DataNode])
    /// A string: run by `sh -c`.
    case shell(DataNode)
  }

  /// `command:`.
  package var command: Command
  /// The place of `command:`.
  package var commandRange: SourceRange
  /// `env:` names and values, in order, without `pass`.
  package var environment: [DataField]
  /// `env: { pass: [NAME, …] }`: names let through from the runner's own environment.
  package var passedEnvironment: [Located<String>]
  /// `files:` the files that are written to the case's fresh directory.
  package var files: [FileFixture]
  /// `stdin:` what the target reads; `nil` is an empty input.
  package var standardInput: DataNode?
  /// `limits:` what it may have at most.
  package var limits: TargetLimits?
  /// `clock:` by how much its wall clock is off the scenario's.
  package var clock: Located<ClockDeviation>?
  /// `host:` the name of the machine of the scenario's world on which it runs; `nil` is none.
  package var host: Located<String>?
  /// `ready:` when it counts as ready once it was started.
  package var ready: ReadinessSettings?
  /// `stop:` how it is ended.
  package var stop: StopSettings?
  /// `working_directory:` below the scenario's directory; `nil` is that.
  package var workingDirectory: DataNode?
  /// `terminal: 80x24`: a pseudo-terminal instead of pipes.
  package var terminal: Located<TerminalSize>?

  /// Creates settings.
  package init(
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
package struct FileFixture: Sendable {
  /// The content of a file.
  package enum Content: Sendable {
    /// `name: "text"`
    case text(DataNode)
    /// `name: { json: … }`
    case json(DataNode)
    /// `name: ../path`: a value that names an existing file is written `{ file: ../path }`.
    case copy(Located<String>)
    /// `name: { link: path }`: a symbolic link.
    case link(DataNode)
    /// `name: { kind: folder }`: a folder, and the files below it.
    case folder
  }

  /// The path below the case's directory.
  package var path: Located<String>
  /// The content.
  package var content: Content
  /// `mode: 0755`: permission bits; `nil` is 0644, and 0755 for a folder.
  package var mode: Located<UInt32>?

  /// Creates a fixture.
  package init(path: Located<String>, content: Content, mode: Located<UInt32>? = nil) {
    self.path = path
    self.content = content
    self.mode = mode
  }
}

/// `clock:` what time it is, and how it passes.
package struct ClockSettings: Sendable {
  /// `at:` the wall clock at the start; `nil` is the present.
  package var at: Located<WallInstant>?
  /// `flow:`; `nil` is as fast as real time.
  package var flow: Located<ClockFlow>?
  /// `settable:` whether the target may set the wall clock; `nil` is no.
  package var isSettable: Bool?
  /// `files:`; `nil` is the machine's own time.
  package var files: FileTimes?
  /// `escapes:`; `nil` is a failure.
  package var escapes: ClockEscapes?
  /// `computing:`; `nil` is ``ComputingCost/standard``.
  package var computing: Located<ComputingCost>?
  /// `slack:` by how much the waits of threads may be late that poll without effect; `nil` is not at all.
  package var slack: Located<Nanoseconds>?
  /// `leap_second:` the second that UTC shows twice; `nil` is none.
  package var leapSecond: Located<LeapSecond>?

  /// Creates settings.
  package init(
    at: Located<WallInstant>? = nil, flow: Located<ClockFlow>? = nil, isSettable: Bool? = nil,
    files: FileTimes? = nil, escapes: ClockEscapes? = nil,
    computing: Located<ComputingCost>? = nil, slack: Located<Nanoseconds>? = nil,
    leapSecond: Located<LeapSecond>? = nil
  ) {
    self.at = at
    self.flow = flow
    self.isSettable = isSettable
    self.files = files
    self.escapes = escapes
    self.computing = computing
    self.slack = slack
    self.leapSecond = leapSecond
  }

  /// The settings with what they do not say taken from others.
  package func over(_ defaults: ClockSettings?) -> ClockSettings {
    ClockSettings(
      at: at ?? defaults?.at, flow: flow ?? defaults?.flow,
      isSettable: isSettable ?? defaults?.isSettable, files: files ?? defaults?.files,
      escapes: escapes ?? defaults?.escapes, computing: computing ?? defaults?.computing,
      slack: slack ?? defaults?.slack, leapSecond: leapSecond ?? defaults?.leapSecond)
  }
}

/// The clock that the times of files show which the target writes.
package enum FileTimes: String, Sendable, Hashable, Codable, CaseIterable {
  /// The machine's own time.
  case real
  /// The scenario's time, stamped once, at the write.
  case virtual
}

/// The fate of a case in which something escaped the control of its clock.
package enum ClockEscapes: String, Sendable, Hashable, Codable, CaseIterable {
  /// The case fails.
  case fail
  /// The escape is reported, and the case goes on.
  case allow
}
