internal import Foundations

/// Reports the connections that processes ask other hosts for, where it is known at the call what becomes of them.
final class HostConnectionReporter {
  /// A call that requests a connection.
  struct Request {
    fileprivate var report: HostConnectionReport
    fileprivate var begin: Nanoseconds
  }

  private let reporter: TraceReporter?
  /// The number of requested connections.
  var count = 0

  init(_ reporter: TraceReporter?) {
    self.reporter = reporter
  }

  /// Counts a call that requests a connection.
  func request(_ call: InterceptedCall, from: Int, to: Int, port: UInt16) -> Request? {
    count += 1
    guard let reporter, reporter.isHeard else { return nil }
    let process = call.tracee.process
    return Request(
      report: HostConnectionReport(
        number: count, process: process.identifier.number, processOrdinal: process.ordinal,
        from: from, to: to, port: port, length: .zero, answer: .pending), begin: reporter.now)
  }

  /// Reports the answer.
  func report(_ request: Request, _ answer: HostConnectionReport.Answer) {
    guard let reporter else { return }
    var report = request.report
    report.answer = answer
    report.length = reporter.now - request.begin
    reporter.reportConnection(report)
  }
}
