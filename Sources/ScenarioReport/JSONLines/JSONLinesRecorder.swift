internal import FoundationEssentials
package import ScenarioEvents

/// Writes every event as one line of JSON, at the moment at which it happens.
///
/// `schemas/event.schema.json` describes a line. Keys are sorted, so that the same events give the same
/// bytes.
package final class JSONLinesRecorder: EventRecorder {
  private let sink: any ReportSink
  private let encoder: JSONEncoder
  private var failure: ReportError?

  /// Creates a recorder that writes to `sink`.
  package init(sink: any ReportSink) {
    self.sink = sink
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Writes one event.
  package func record(_ event: Event) {
    guard failure == nil else { return }
    do {
      let line = try encoder.encode(event)
      try sink.write(String(decoding: line, as: UTF8.self) + "\n")
    } catch let error as ReportError {
      failure = error
    } catch {
      failure = ReportError("an event could not be written as JSON: \(error)")
    }
  }

  /// Completes the file.
  ///
  /// - Throws: The first error since the run began.
  package func finish() throws(ReportError) {
    if let failure { throw failure }
    try sink.finish()
  }
}
