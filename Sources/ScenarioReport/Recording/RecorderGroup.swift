public import ScenarioEvents

/// Several recorders that hear the same events.
public struct RecorderGroup {
  private let recorders: [any EventRecorder]

  /// Joins `recorders`; each hears every event, in this order.
  public init(_ recorders: [any EventRecorder]) {
    self.recorders = recorders
  }

  /// Hands one event to each recorder.
  public func record(_ event: Event) {
    for recorder in recorders {
      recorder.record(event)
    }
  }

  /// Completes every report, also behind one that could not be completed.
  ///
  /// - Returns: What went wrong, one error per report; empty if every report stands.
  public func finish() -> [ReportError] {
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
