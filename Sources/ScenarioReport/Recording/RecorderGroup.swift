package import Foundations
package import ScenarioEvents

/// A group of recorders that get the same events.
package struct RecorderGroup {
  private let recorders: [any EventRecorder]
  private let redactor: EventRedactor

  /// Joins `recorders`; each hears every event, in this order.
  ///
  /// - Parameter redactor: Removes secrets from every event before a recorder receives it.
  package init(_ recorders: [any EventRecorder], redactor: SecretRedactor = SecretRedactor()) {
    self.recorders = recorders
    self.redactor = EventRedactor(redactor)
  }

  /// Hands one event to each recorder.
  package func record(_ event: Event) {
    let event = redactor.redacted(event)
    for recorder in recorders {
      recorder.record(event)
    }
  }

  /// Completes every report, also behind one that could not be completed.
  ///
  /// - Returns: What went wrong, one error per report; empty if every report stands.
  package func finish() -> [ReportError] {
    var errors: [ReportError] = []
    for recorder in recorders {
      do {
        try recorder.finish()
      } catch {
        errors.append(error)
      }
    }
    return errors
  }
}
