internal import Foundations
package import ScenarioEvents

/// Hands over each case that has passed as a page shows it, to which later runs are compared.
package final class PassedCaseRecorder: EventRecorder {
  private let renderer = FailureRenderer(isColoured: false) { _ in nil }
  private let keep: (_ identifier: String, _ json: String) -> Void
  private var startedAt: String?
  private var open: [String: PageCase] = [:]

  /// Creates a recorder.
  ///
  /// - Parameter keep: Takes the identifier of a case, and the case as JSON on one line.
  package init(keep: @escaping (_ identifier: String, _ json: String) -> Void) {
    self.keep = keep
  }

  /// Records one event.
  package func record(_ event: Event) {
    if case .runStarted(let run) = event.kind { startedAt = run.startedAt.description }
    guard let identifier = event.scenario else { return }
    switch event.kind {
    case .caseStarted(let description):
      open[identifier] = PageCase(
        identifier: identifier, description: description, startedAt: event.realTime)
    case .caseFinished(let result):
      guard var ended = open.removeValue(forKey: identifier), result.outcome == .passed else {
        return
      }
      ended.add(event, renderer: renderer)
      ended.close(at: event.realTime, renderer: renderer, folder: nil)
      keep(identifier, ended.json(reproduces: false, runAt: startedAt))
    default:
      open[identifier]?.add(event, renderer: renderer)
    }
  }

  /// Does nothing: what was recorded was handed over.
  package func finish() throws(ReportError) {}
}
