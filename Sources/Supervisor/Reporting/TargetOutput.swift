/// The output of the targets, and whether those who wait for it have read it.
final class TargetOutput {
  private unowned let kernel: any ReporterKernel
  /// The pseudo-terminals of the target.
  let terminals: Terminals
  /// Reports what is written, and when.
  let reporter: TraceReporter
  /// True if output was taken that has not been examined.
  private(set) var isUnseen = false

  /// - Parameters:
  ///   - kernel: whose targets write.
  ///   - terminals: their pseudo-terminals.
  ///   - reporter: reports what is written.
  init(kernel: any ReporterKernel, terminals: Terminals, reporter: TraceReporter) {
    self.kernel = kernel
    self.terminals = terminals
    self.reporter = reporter
  }

  /// Transfers the targets' output and input; true if there was any output.
  func take() -> Bool {
    guard kernel.targets.transfer() else {
      reporter.recordSilence()
      return false
    }
    isUnseen = true
    terminals.answerAtRest()
    reporter.reportOutput()
    return true
  }

  /// Records that those who wait have read it.
  func recordLook() { isUnseen = false }
}
