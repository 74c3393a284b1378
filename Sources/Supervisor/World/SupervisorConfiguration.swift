internal import Foundations
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
  /// True if one thread of the targets runs at a time, in an order that follows from the seed.
  package var takesTurns = false
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
  /// True if an answer from outside is owed to the target: virtual time does not move meanwhile.
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

  /// What computing costs of virtual time.
  ///
  /// Where threads take turns each call takes longer, and what is charged does not repeat: it begins later.
  var computingCost: ComputingCost {
    clock?.computing
      ?? (takesTurns ? .charged(after: .seconds(3), rate: .one) : .standard)
  }

  /// By how much the waits of threads may be late that poll without effect.
  var slack: Nanoseconds { clock?.slack ?? .zero }

  /// True if files that the target changes get the scenario's time.
  var stampsFiles: Bool { clock?.files == .virtual }

  /// True if anything in the target's world differs from the real one.
  var changesWorld: Bool {
    clock != nil || !chaos.isEmpty || functions != nil || router != nil
      || !fileReplacements.isEmpty || entropy.isSeeded || limits != nil
  }
}
