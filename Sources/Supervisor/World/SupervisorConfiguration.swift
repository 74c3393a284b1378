internal import Foundations
package import ScenarioModel
package import ScenarioPlan

/// The properties of a scenario's environment that the supervisor provides.
package struct SupervisorConfiguration: Sendable {
  /// The settings of the clocks; `nil` leaves the target's time alone.
  package var clock: PlannedClock?
  /// The clocks, as other threads see them; they begin to run with it.
  package var view: ClockView
  /// Chaos entries in order.
  package var chaos: [PlannedChaos]
  /// The seed of random values.
  package var seed: Int64 = 0
  /// The source of the target's random numbers.
  package var entropy = EntropySource.real
  /// True if one thread of the targets runs at a time, in an order that follows from the seed.
  package var takesTurns = false
  /// The limits of the target's resources; `nil` for those of the machine.
  package var limits: TargetLimits?
  /// The folders in which the target may change files; `nil` for everywhere.
  package var fileBounds: FileBounds?
  /// The replies that have gone out, which chaos entries may wait for.
  package var replies = ReplyCounter()
  /// The functions of which some calls are answered otherwise; `nil` for none.
  package var functions: FunctionFaults?
  /// The survey of the calls at which faults could fire; `nil` for none.
  package var survey: FaultSurvey?
  /// The case's directory, from which relative patterns of paths count.
  package var directory: String?
  /// The router of connections; `nil` leaves the network alone.
  package var router: (any ConnectionRouter)?
  /// The hosts on which targets are; `nil` where all are on this machine.
  package var hosts: HostNetwork?
  /// The loopback addresses that targets on no host bind.
  package var loopback = LoopbackUse.shared
  /// The links between hosts, where what they send to each other is relayed.
  package var hostLinks: (any HostLinks)?
  /// Files that are opened in place of others; where several replace one, the first does.
  package var fileReplacements: [FileReplacement]
  /// What files of a name contain when targets create them; `nil` for none.
  package var fileTemplate: FileTemplate?
  /// The names of variables by which programs learn which certificate authorities to trust.
  package var trustVariables: Set<String>
  /// The variables that point programs to the certificate authorities to trust, by kind; `nil` sets
  /// none.
  package var trustByKind: TrustByKind?
  /// The kernel identifiers of threads of this process that are part of the environment: virtual
  /// time does not move while one of them runs.
  package var externalThreads: [Int32]
  /// Returns whether an answer from outside to the target is pending: virtual time does not move
  /// meanwhile.
  ///
  /// Called on the supervisor's thread.
  package var awaitsAnswer: @Sendable () -> Bool
  /// True if these threads pass on what others say, who may speak at any time; false if they only answer
  /// the target, so that they say nothing more where it waits for them.
  package var relaysOthers = true
  /// True if somebody outside may act on the target at any time, and not only by what it has open: a
  /// command that a step has left behind, or a person, may send it signals.
  package var mayOthersAct = true
  /// The number of the target's threads.
  package var census = ThreadCensus()
  /// The largest number of deadlines that may come due one after the other while nothing but time
  /// makes progress.
  package var deadlineLimit = 1_000_000
  /// The processor time that a thread which yields and finds nothing to do may take from one yield
  /// to the next, even where stops cost next to nothing.
  var idleTurn = SpinRecord.idleTurn
  /// Receives, on the supervisor's thread, observations for timelines only; `nil` without a listener.
  package var sight: (@Sendable (TraceRecord) -> Void)?
  /// True if output of a target that has forked is observed with the process that wrote it, where that can be known.
  package var namesWriters = false
  /// True if a wait is observed as well whose end the clock has moved to, which that move tells already.
  package var seesDueWaits = true
  /// The receiver of the target's operations on files; `nil` for none.
  package var fileWatch: FileWatch?
  /// True if files are made with the mask of the runner's user (umask(2)), and not with the usual one: the target works
  /// in a folder of the user's.
  package var keepsFileModeMask = false
  /// The log to which each stop of the target is written, and the target's name in it, without
  /// spaces; `nil` for none.
  package var stopLog: (log: StopLog, name: String)?
  /// Receives each event, on the supervisor's thread.
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

  /// The price of computing in virtual time.
  ///
  /// Where threads take turns each call takes longer, and what is charged does not repeat: it
  /// begins later.
  var computingCost: ComputingCost {
    clock?.computing
      ?? (takesTurns ? .charged(after: .seconds(3), rate: .one) : .standard)
  }

  /// The time by which waits may be served late of threads that poll without effect.
  var slack: Nanoseconds { clock?.slack ?? .zero }

  /// True if files that the target changes get the scenario's time.
  var stampsFiles: Bool { clock?.files == .virtual }

  /// True if anything in the target's environment differs from the real one.
  var changesWorld: Bool {
    clock != nil || !chaos.isEmpty || functions != nil || router != nil || hosts != nil
      || !fileReplacements.isEmpty || fileTemplate != nil || entropy.isSeeded || limits != nil
  }
}
