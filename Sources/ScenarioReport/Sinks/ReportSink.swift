/// A destination of a report's text.
package protocol ReportSink: AnyObject {
  /// Appends text.
  ///
  /// - Throws: If the text could not be taken.
  func write(_ text: String) throws(ReportError)

  /// Makes what was written visible under its name; nothing is written after it.
  ///
  /// - Throws: If the text could not be made durable.
  func finish() throws(ReportError)
}
