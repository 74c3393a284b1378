package import ScenarioEvents

/// Writes a report that lists the cases of a run, when it is over.
package final class CaseListRecorder: EventRecorder {
  /// The kind of report.
  package enum Format: Sendable, Hashable, CaseIterable {
    /// The Common Test Report Format: <https://ctrf.io>.
    case ctrf
    /// The Test Anything Protocol: <https://testanything.org>.
    case tap
  }

  private let format: Format
  private let sink: any ReportSink
  private var collector: OutcomeCollector

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - format: Which report it is.
  ///   - sink: Where the report goes.
  ///   - reproduces: Whether `scenario run` makes a case fail again; if so, the command is reported.
  ///   - sources: The text of a scenario file by its path, for the excerpts; `nil` if it is not known.
  package init(
    _ format: Format, sink: any ReportSink, reproduces: Bool = true,
    sources: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.format = format
    self.sink = sink
    collector = OutcomeCollector(reproduces: reproduces, sources: sources)
  }

  /// Records one event.
  package func record(_ event: Event) {
    collector.record(event)
  }

  /// Writes the report.
  ///
  /// - Throws: If the sink does not take it.
  package func finish() throws(ReportError) {
    switch format {
    case .ctrf: try CTRFReport(collector: collector, sink: sink).write()
    case .tap: try TAPReport(collector: collector, sink: sink).write()
    }
    try sink.finish()
  }
}
