internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioRunner
internal import Synchronization

/// The progress of an exploration, on standard error: one line that is written over on a terminal,
/// and else a line from time to time.
final class ProgressLine: Sendable {
  private struct State {
    var isShown = false
    var last: Nanoseconds?
  }

  private let state = Mutex(State())
  private let isTerminal: Bool

  init() {
    isTerminal = isatty(STDERR_FILENO) == 1 && !Self.isDumb
  }

  private static var isDumb: Bool {
    guard let terminal = getenv("TERM") else { return true }
    return ["", "dumb"].contains(String(cString: terminal))
  }

  /// The number of times that the line is written: as eyes can follow, or as fits into a log.
  private var pause: Nanoseconds { isTerminal ? .milliseconds(100) : .seconds(10) }

  /// Shows the progress, if that was not done a moment ago.
  func show(_ progress: ExplorationProgress) {
    state.withLock { state in
      let now = RealTime.monotonic()
      // What is over at once needs no line.
      guard let last = state.last else {
        state.last = now
        return
      }
      guard now - last >= pause else { return }
      state.last = now
      let text = TerminalText.line(Self.text(of: progress))
      Console.report(isTerminal ? "\r\(text)\u{1b}[K" : "\(text)\n")
      state.isShown = isTerminal
    }
  }

  static func text(of progress: ExplorationProgress) -> String {
    let findings = progress.findings == 0 ? "" : ", \(progress.findings) with a finding"
    return "\(progress.name): \(progress.tried) of \(progress.trials) faults tried\(findings)"
  }

  /// Clears the line before what else is written; events that write nothing leave it.
  func clear(for event: Event) {
    if case .faultTried = event.kind { return }
    clear()
  }

  /// Clears the line.
  func clear() {
    state.withLock { state in
      guard state.isShown else { return }
      state.isShown = false
      Console.report("\r\u{1b}[K")
    }
  }
}
