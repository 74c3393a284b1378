internal import Foundations
package import ScenarioEvents

/// Writes the timelines of all cases as trace events, which chrome://tracing and Perfetto show.
///
/// Each case appears twice: once on its own virtual time, which begins at 0, and once on the run's real
/// time. A process of the target is a row, with rows of their own for its further threads.
package final class TraceRecorder: EventRecorder {
  private let sink: any ReportSink
  private var error: ReportError?
  private var hasEvents = false
  private var hasBegun = false
  private var open: [String: TracedCase] = [:]
  private var latest = Nanoseconds.zero

  /// Creates a recorder.
  package init(sink: any ReportSink) {
    self.sink = sink
  }

  /// Records one event.
  package func record(_ event: Event) {
    latest = max(latest, event.realTime)
    if case .caseStarted(let description) = event.kind {
      let identifier = event.scenario ?? "\(description.file)::\(description.name)"
      var traced = TracedCase(description, startedAt: event.realTime)
      write(traced.beginning())
      open[identifier] = traced
    }
    guard let identifier = event.scenario, open[identifier] != nil else { return }
    write(open[identifier]?.take(event) ?? [])
    if case .caseFinished = event.kind { open[identifier] = nil }
  }

  /// Completes the trace.
  ///
  /// - Throws: The first thing that went wrong since the run began.
  package func finish() throws(ReportError) {
    for identifier in open.keys.sorted() {
      write(open[identifier]?.end(at: latest) ?? [])
    }
    write([])
    put(hasBegun ? "\n]}\n" : "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[]}\n")
    if let error { throw error }
    try sink.finish()
  }

  private func write(_ events: [TraceEvent]) {
    for event in events {
      if !hasBegun {
        hasBegun = true
        put("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")
      }
      put(hasEvents ? ",\n" : "\n")
      hasEvents = true
      put(event.json)
    }
  }

  private func put(_ text: String) {
    guard error == nil else { return }
    do {
      try sink.write(text)
    } catch {
      self.error = error
    }
  }
}
