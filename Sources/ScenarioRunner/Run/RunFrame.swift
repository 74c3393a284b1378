internal import Foundations
internal import ScenarioEvents
internal import ScenarioPlan

/// The frame of a run, whatever is done with its cases: its first and its last event, and the
/// folder that they share.
struct RunFrame {
  let plan: ExecutionPlan
  let options: RunOptions
  let cancellation: RunCancellation
  let emit: (Event) -> Void
  /// The prefix of the folder's name.
  var folderPrefix = AbandonedFolders.prefixes[0]

  /// Runs the cases, and removes the files that were made on disk.
  ///
  /// - Parameter cases: gets the folder and the beginning of the run, on the runner's
  ///   clock.
  func run(_ cases: (_ folder: RunFolder, _ start: Nanoseconds) -> Void) {
    let start = RealTime.monotonic()
    var description = RunDescription(
      version: options.version, planDigest: options.planDigest, caseCount: plan.cases.count,
      startedAt: RealTime.wall(), hostname: RealTime.hostname())
    description.shard = options.shard
    description.order = options.order.text
    description.labels = options.labels.isEmpty ? nil : options.labels
    description.sources = options.sources.isEmpty ? nil : options.sources
    report(.runStarted(description), at: .zero)
    do {
      let place = try TemporaryFolder(
        folderPrefix, in: options.temporaryFolder, isKept: options.kept != .none)
      let folder = RunFolder(path: place.path)
      let ticket = cancellation.whenAbandoned { _ = folder.remove() }
      defer { cancellation.forget(ticket) }
      cases(folder, start)
      for problem in folder.remove() {
        report(.warning(problem, range: nil), at: RealTime.monotonic() - start)
      }
      withExtendedLifetime(place) {}
    } catch {
      report(.failed(error), at: RealTime.monotonic() - start)
    }
    let duration = RealTime.monotonic() - start
    var result = RunResult(duration: duration, interrupted: cancellation.isCancelled)
    if case .timeout(let limit)? = cancellation.reason { result.timeout = limit }
    report(.runFinished(result), at: duration)
  }

  private func report(_ kind: Event.Kind, at time: Nanoseconds) {
    emit(Event(realTime: time, kind: kind))
  }
}
