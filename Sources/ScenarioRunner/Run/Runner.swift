internal import Foundations
internal import Glibc
package import ScenarioEvents
package import ScenarioPlan

/// Runs a plan: one environment per case, several cases at once, everything reported as events.
///
/// Lives on one thread, which calls `emit`; `Supervisor.prepareProcess` comes before it. The events
/// of one case are reported in order; those of others may come between.
package struct Runner {
  private let plan: ExecutionPlan
  private let options: RunOptions
  private let cancellation: RunCancellation
  private let emit: (Event) -> Void

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - plan: the cases.
  ///   - options: the settings of the run.
  ///   - cancellation: stops it from another thread.
  ///   - emit: receives all events, in order, on this thread.
  package init(
    plan: ExecutionPlan, options: RunOptions, cancellation: RunCancellation,
    emit: @escaping (Event) -> Void
  ) {
    self.plan = plan
    self.options = options
    self.cancellation = cancellation
    self.emit = emit
  }

  /// Runs everything, and removes the files that the run wrote.
  package func run() {
    let waiting = WaitingEndings(options.snapshots)
    var orders = OrderComparison(
      originals: Set(plan.cases.lazy.filter { $0.repetition == nil }.map(\.identifier)))
    let report = emit
    var dates = DateSearch(plan.cases)
    let emit: (Event) -> Void = {
      report($0)
      dates.record($0)
      if let warning = orders.review($0) { report(warning) }
    }
    let cases = Runner(plan: plan, options: options, cancellation: cancellation) {
      if !waiting.keep($0) { emit($0) }
    }
    RunFrame(plan: plan, options: options, cancellation: cancellation, emit: emit).run {
      cases.runCases(in: $0, start: $1)
      waiting.conclude(runStart: $1, emit)
      searchDates(dates, in: $0, start: $1)
    }
  }

  /// Finds the first date at which cases fail, between one at which they pass and one at which they do not.
  private func searchDates(_ search: DateSearch, in folder: RunFolder, start: Nanoseconds) {
    guard let atDate = options.atDate else { return }
    var options = options
    options.kept = .none
    options.snapshots = SnapshotStore()
    for gap in search.gaps {
      let bisected = gap.bisected { date in
        guard !cancellation.isCancelled, let planned = atDate(gap.failing, date) else { return nil }
        let work = CaseWork(
          cases: [planned], offset: plan.cases.count, folder: folder, options: options,
          cancellation: cancellation, runStart: start)
        let hasPassed = work.run(0) { _ in }
        return cancellation.isCancelled ? nil : hasPassed
      }
      emit(
        Event(
          realTime: RealTime.monotonic() - start, kind: .warning(bisected.text, range: nil)))
    }
  }

  private func runCases(in folder: RunFolder, start: Nanoseconds) {
    var round = 1
    while true {
      let cases = plan.repetition(round)
      let work = CaseWork(
        cases: cases, offset: (round - 1) * cases.count, folder: folder, options: options,
        cancellation: cancellation, runStart: start)
      let havePassed = run(work, isFirst: round == 1)
      guard options.repeatsUntilFailure, havePassed, !cases.isEmpty, !cancellation.isCancelled
      else { return }
      round += 1
    }
  }

  /// Runs all cases once; whether each of them was run and has passed.
  private func run(_ work: CaseWork, isFirst: Bool) -> Bool {
    let places = options.order.places(
      of: work.cases.map(\.identifier), earlier: options.earlierDuration)
    let entries = places.map { CaseSchedule.Entry(work.cases[$0], index: $0) }
    let queue = CaseQueue(
      CaseSchedule(entries), failureLimit: options.repeatsUntilFailure ? 1 : options.failureLimit,
      cancellation)
    let jobs = min(options.jobs, entries.count)
    queue.open {
      guard jobs > 1 else {
        while let index = queue.take() { queue.finish(index, hasPassed: work.run(index, emit)) }
        return
      }
      let pool = WorkerPool<Event> { _, pool in
        while let index = queue.take() {
          queue.finish(index, hasPassed: work.run(index) { pool.report($0) })
        }
      }
      pool.run(workers: jobs) { for event in $0 { emit(event) } }
    }
    // Cases of a later round that the first has run are not missing.
    if isFirst {
      for index in work.cases.indices where !queue.hasTaken(index) {
        reportUnreached(index, of: work)
      }
    }
    return queue.havePassed
  }

  /// Reports a case that was not reached, so that each case appears in the reports.
  private func reportUnreached(_ index: Int, of work: CaseWork) {
    let planned = work.cases[index]
    let reason =
      switch cancellation.reason {
      case .timeout(let limit)?: "the run stopped at its limit of \(limit)"
      case nil: "the run stopped after a failure"
      default: "the run was interrupted"
      }
    let log = CaseLog(scenario: planned.identifier, runStart: work.runStart, emit: emit)
    log.reportSkipped(
      planned, index: options.number(ofCaseAt: index) - 1, because: "not run: \(reason)",
      isUnreached: true)
    log.flush()
  }
}
