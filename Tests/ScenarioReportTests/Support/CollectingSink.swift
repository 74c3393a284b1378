import ScenarioReport

/// A sink that keeps what it was given.
final class CollectingSink: ReportSink {
  private(set) var writes: [String] = []
  private(set) var isFinished = false

  var text: String { writes.joined() }
  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  func write(_ text: String) throws(ReportError) {
    writes.append(text)
  }

  func finish() throws(ReportError) {
    isFinished = true
  }
}

/// A sink that takes a few texts and then fails, as a full disk does.
final class FailingSink: ReportSink {
  private var remaining: Int
  private(set) var attempts = 0
  let error = ReportError("the report \"r.xml\" could not be written: No space left on device")

  init(after count: Int) {
    remaining = count
  }

  func write(_ text: String) throws(ReportError) {
    attempts += 1
    guard remaining > 0 else { throw error }
    remaining -= 1
  }

  func finish() throws(ReportError) {
    throw ReportError("finish was called behind a failed write")
  }
}
