package import ScenarioEvents

/// A maker of a report from the events of one run.
///
/// A recorder is fed from one thread at a time, in the order of the events. Recording never fails:
/// errors on the way are kept and thrown by `finish()`, so that a full disk does not stop a run
/// half way through.
package protocol EventRecorder: AnyObject {
  /// Records one event.
  func record(_ event: Event)

  /// Completes the report; nothing is recorded after it.
  ///
  /// - Throws: The first thing that went wrong since the run began.
  func finish() throws(ReportError)
}
