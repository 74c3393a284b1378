/// A sink that keeps what it was given.
package final class MemorySink: ReportSink {
  /// The text so far.
  package private(set) var text = ""

  /// Creates an empty sink.
  package init() {}

  /// Appends text.
  package func write(_ text: String) throws(ReportError) { self.text += text }

  /// Does nothing: the text is there already.
  package func finish() throws(ReportError) {}
}
