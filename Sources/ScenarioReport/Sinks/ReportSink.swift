/// Where the text of a report goes.
public protocol ReportSink: AnyObject {
  /// Appends text.
  ///
  /// - Throws: If the text could not be taken.
  func write(_ text: String) throws(ReportError)

  /// Makes what was written visible under its name; nothing is written after it.
  ///
  /// - Throws: If the text could not be made durable.
  func finish() throws(ReportError)
}

/// A sink that hands each text to a function.
public final class FunctionSink: ReportSink {
  private let function: (String) -> Void

  /// Creates a sink that calls `function` with each text.
  public init(_ function: @escaping (String) -> Void) {
    self.function = function
  }

  /// Hands the text over.
  public func write(_ text: String) throws(ReportError) {
    function(text)
  }

  /// Does nothing: every text was handed over already.
  public func finish() throws(ReportError) {}
}
