package import Foundations
package import ScenarioEvents
internal import Synchronization

/// A terminal with final lines and, where it can be drawn on, a block below them that shows what runs.
///
/// Final lines wait for the next drawing, so that block and lines are written at once and nothing flickers.
/// May be used from any thread.
package final class LiveTerminal: ReportSink, Sendable {
  /// The size of a terminal, in characters.
  package struct Size: Sendable, Hashable {
    /// Columns.
    package var width: Int
    /// Rows.
    package var height: Int

    /// Creates a size.
    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// The surroundings of a terminal: where lines go, and what can be asked.
  package struct Surroundings: Sendable {
    /// Writes text.
    package var write: @Sendable (String) throws(ReportError) -> Void
    /// The size of the terminal, asked at each drawing; `nil` while it must not be drawn on.
    package var size: @Sendable () -> Size? = { nil }
    /// Real time, from whatever beginning.
    package var clock: @Sendable () -> Nanoseconds
    /// The virtual time that a running case has seen so far, by its identifier.
    package var virtual: @Sendable (String) -> Nanoseconds? = { _ in nil }

    /// Creates surroundings without a terminal.
    package init(
      write: @escaping @Sendable (String) throws(ReportError) -> Void,
      clock: @escaping @Sendable () -> Nanoseconds
    ) {
      self.write = write
      self.clock = clock
    }
  }

  private struct State {
    var board = ProgressModel()
    /// The beginning of the run, on the clock of the surroundings.
    var start: Nanoseconds?
    /// Final text that is not written yet.
    var pending = ""
    /// The width of each line of the block on the terminal, in columns.
    var drawn: [Int] = []
    var isSuspended = false
    var isOver = false
    var failure: ReportError?
  }

  /// True if a block is drawn; without it, text is written as it comes.
  package let isLive: Bool
  private let state = Mutex(State())
  private let context: Surroundings
  private let palette: TerminalPalette
  private let slowLimit: Nanoseconds?

  /// Creates a terminal.
  ///
  /// - Parameters:
  ///   - slowLimit: The real time after which a case is reported as slow; `nil` for never.
  package init(
    _ context: Surroundings, isLive: Bool, usesColour: Bool, slowLimit: Nanoseconds?
  ) {
    self.context = context
    self.isLive = isLive
    self.slowLimit = slowLimit
    palette = TerminalPalette(isColoured: usesColour)
  }

  /// Records one event.
  package func record(_ event: Event) {
    state.withLock { state in
      if case .runStarted = event.kind { state.start = context.clock() - event.realTime }
      state.board.record(event)
    }
  }

  /// Writes final text, which ends with a line break.
  ///
  /// - Throws: The first error of the terminal.
  package func write(_ text: String) throws(ReportError) {
    let failure = state.withLock { state in
      state.pending += text
      if !isLive || state.isOver { flush(&state) }
      return state.failure
    }
    if let failure { throw failure }
  }

  /// Draws anew, and reports cases that are slow.
  package func tick() {
    state.withLock { state in
      guard !state.isSuspended, !state.isOver else { return }
      if let start = state.start, let slowLimit {
        let slow = state.board.takeSlow(at: context.clock() - start, limit: slowLimit)
        for running in slow { state.pending += slowLine(running, limit: slowLimit) }
      }
      if isLive { draw(&state) } else { flush(&state) }
    }
  }

  /// Removes the block, for good.
  ///
  /// - Throws: The first error of the terminal.
  package func finish() throws(ReportError) {
    let failure = state.withLock { state in
      state.isOver = true
      flush(&state)
      return state.failure
    }
    if let failure { throw failure }
  }

  // MARK: - Signals

  /// Removes the block until `resume`, because another program will use the terminal.
  package func suspend() {
    state.withLock { state in
      flush(&state)
      state.isSuspended = true
    }
  }

  /// Draws again, below the present text of the terminal.
  package func resume() {
    state.withLock { state in
      state.isSuspended = false
      state.drawn = []
    }
    tick()
  }

  /// Removes the block because the program ends at once; does nothing where another thread writes.
  package func abandon() {
    _ = state.withLockIfAvailable { state in
      state.isOver = true
      flush(&state)
    }
  }

  /// Writes a text that is no event's, in lines.
  package func tell(_ text: String) {
    state.withLock { state in
      state.pending += text
      if isLive, !state.isOver, !state.isSuspended { draw(&state) } else { flush(&state) }
    }
  }

  /// Writes what runs, with what is known of each case.
  ///
  /// - Parameter details: More lines about a case, by its identifier.
  package func dump(_ details: @Sendable (String) -> [String]) {
    // Asking takes a while, and threads that report events must not wait for it.
    let running = state.withLock { $0.board.running }
    let more = Dictionary(running.map { ($0.identifier, details($0.identifier)) }) { first, _ in
      first
    }
    state.withLock { state in
      let count = running.count == 1 ? "1 scenario is" : "\(running.count) scenarios are"
      var lines = ["\(count) running"]
      let now = state.start.map { context.clock() - $0 } ?? .zero
      for running in running {
        let times = CaseTimes.text(
          real: now - running.startedAt, virtual: context.virtual(running.identifier),
          isAligned: false)
        lines.append("RUN   [\(times)] \(running.title)")
        if let step = running.step { lines.append("      \(step)") }
        for line in more[running.identifier] ?? [] {
          lines.append("      \(TerminalText.line(line))")
        }
      }
      state.pending += lines.joined(separator: "\n") + "\n"
      if isLive, !state.isOver, !state.isSuspended { draw(&state) } else { flush(&state) }
    }
  }

  // MARK: - Drawing

  private func slowLine(_ running: ProgressModel.RunningCase, limit: Nanoseconds) -> String {
    let step = running.step.map { " · \($0)" } ?? ""
    let time = "> " + DurationText.seconds(limit)
    let blanks = String(repeating: " ", count: max(0, 8 - time.utf8.count))
    return "\(palette.slow) [\(blanks)\(time)s] \(running.title)\(step)\n"
  }

  private func draw(_ state: inout State) {
    guard state.start != nil, let size = context.size() else { return flush(&state) }
    guard size.width >= ProgressModel.minimumWidth, size.height > 2, let start = state.start else {
      return flush(&state)
    }
    // A line that ends in the last column would make some terminals begin another one.
    let lines = state.board.lines(
      at: context.clock() - start, width: size.width - 1, height: size.height - 1,
      virtual: context.virtual)
    let text = erasure(of: state.drawn, size) + state.pending
    state.pending = ""
    // The cursor waits where the echo of ^C harms nothing but what is drawn anew anyway.
    put(text + lines.map(palette.running).joined(separator: "\n") + "\r", &state)
    state.drawn = lines.map(TerminalText.width)
  }

  private func flush(_ state: inout State) {
    let text = erasure(of: state.drawn, context.size()) + state.pending
    state.drawn = []
    state.pending = ""
    if !text.isEmpty { put(text, &state) }
  }

  /// The control sequence that removes a block whose last line the cursor stands at.
  ///
  /// Lines that were drawn on a wider terminal take several rows by now.
  private func erasure(of drawn: [Int], _ size: Size?) -> String {
    guard !drawn.isEmpty else { return "" }
    let width = max(1, size?.width ?? 1)
    let rows = drawn.dropLast().reduce(0) { rows, columns in
      rows + (size == nil ? 1 : max(1, (columns + width - 1) / width))
    }
    return "\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\u{1B}[J"
  }

  private func put(_ text: String, _ state: inout State) {
    guard state.failure == nil else { return }
    do throws(ReportError) {
      try context.write(text)
    } catch {
      state.failure = error
    }
  }
}

/// Hands a run's events to a terminal, before the recorder whose lines go there.
package final class LiveRecorder: EventRecorder {
  private let terminal: LiveTerminal

  /// Creates a recorder.
  package init(_ terminal: LiveTerminal) {
    self.terminal = terminal
  }

  /// Records one event.
  package func record(_ event: Event) { terminal.record(event) }

  /// Does nothing: the terminal's owner ends it.
  package func finish() throws(ReportError) {}
}
