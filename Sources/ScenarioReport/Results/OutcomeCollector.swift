internal import Foundations
internal import ScenarioEvents

/// Collects what reports need that list the cases of a run when it is over: their results, and a
/// bounded part of the output of those that did not hold.
struct OutcomeCollector {
  /// The maximum number of bytes of one stream that are kept.
  private static let limit = 65_536

  private(set) var run = RunRecord()
  private var streams: [String: CapturedStreams] = [:]
  private let renderer: FailureRenderer
  private let reproduces: Bool

  /// Creates an empty collector.
  ///
  /// - Parameters:
  ///   - reproduces: whether `scenario run` makes a case fail again; if so, the command is
  ///     reported.
  ///   - sources: the text of a scenario file by its path, for the excerpts; `nil` if it is not
  ///     known.
  init(reproduces: Bool, sources: @escaping @Sendable (String) -> String?) {
    self.reproduces = reproduces
    renderer = FailureRenderer(isColoured: false, sources: sources)
  }

  /// Records one event.
  mutating func record(_ event: Event) {
    run.record(event)
    guard case .caseFinished(let result) = event.kind else { return }
    run.updateCase(of: event) { record in
      record.result?.standardOutput = ""
      record.result?.standardError = ""
    }
    guard let record = run.caseRecord(of: event) else { return }
    let isBad = record.outcome == .failed || record.outcome == .errored
    streams[record.identifier] = isBad ? CapturedStreams(result, limit: Self.limit) : nil
  }

  /// Returns the output of a case that did not hold, as far as it is kept; `nil` for one that held.
  func streams(of record: CaseRecord) -> CapturedStreams? { streams[record.identifier] }

  /// Returns the complete text on a case that did not hold.
  func failureText(of record: CaseRecord) -> String {
    JUnitFailureBody(record: record, renderer: renderer, reproduces: reproduces).text
  }

  /// Real time that all attempts at a case took.
  func duration(of record: CaseRecord) -> Nanoseconds {
    (record.earlierAttempts + [record]).reduce(.zero) { sum, attempt in
      sum + max(.zero, attempt.result?.duration ?? run.latest - attempt.startedAt)
    }
  }
}
