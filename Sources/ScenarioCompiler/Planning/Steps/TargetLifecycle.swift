internal import Foundations
internal import ScenarioModel

/// Follows the target through the steps, to find steps that cannot work.
struct TargetLifecycle {
  enum State {
    case new
    case running
    /// The target got a signal that may have ended it.
    case signaled
    case ended
  }

  /// A mistake in a step, and the help.
  typealias Mistake = (message: String, help: String)

  private(set) var state = State.new
  /// True if its standard input was closed.
  private var isInputClosed = false

  /// True if it has a terminal, whose input ends for one reader only.
  private let hasTerminal: Bool

  /// Creates a life that has not begun.
  init(hasTerminal: Bool = false) {
    self.hasTerminal = hasTerminal
  }

  /// Applies one step; returns the mistake in it, if any.
  mutating func mistake(in action: Step.Action) -> (message: String, help: String)? {
    switch action {
    case .run, .start:
      let isRunning = state == .running
      if case .run = action { state = .ended } else { state = .running }
      isInputClosed = false
      guard isRunning else { return nil }
      return (
        "the target is still running",
        """
        end it first with "- stop:" or "- wait: exit"; for another program, define a target in \
        `targets:`, or write "exec: { command: …, in: world }"
        """
      )
    case .stop, .signal, .send, .closeStandardInput, .wait, .closeOutput, .signalProcess,
      .press, .resize:
      let mistake = absence(for: action) ?? closedInput(for: action)
      advance(action)
      return mistake
    case .settle, .capture: return hasBegun ? nil : Self.nothingStarted
    case .tick(let amount):
      // A duration passes whether or not anybody is there; the others ask who is.
      if case .duration = amount.value { return nil }
      return hasBegun ? nil : Self.nothingStarted
    case .respond, .resolve, .set, .travel, .jump, .adjust, .freeze, .suspend, .rate,
      .returnToPresent,
      .block,
      .expect,
      .apply, .revert, .partition, .heal, .exec, .build, .write, .pause:
      return nil
    }
  }

  /// Returns the mistake in a block of these steps, if any: its change lasts for its steps only, so
  /// that without a target it has no effect.
  func mistake(inBlock during: [Step]) -> (message: String, help: String)? {
    guard state == .new || state == .ended, !Self.startsTarget(during) else { return nil }
    return (
      state == .new
        ? "no target runs during this block" : "the target has ended before this block",
      "add \"- start:\" before it, or \"- run:\" in its \"steps\""
    )
  }

  private static func startsTarget(_ steps: [Step]) -> Bool {
    steps.contains { step in
      switch step.action {
      case .run, .start: true
      case .block(_, let during): startsTarget(during)
      default: false
      }
    }
  }

  private var hasBegun: Bool { state != .new }

  private static let nothingStarted = (
    message: "no target has been started yet", help: "add \"- start:\" before this step"
  )

  private func absence(for action: Step.Action) -> (message: String, help: String)? {
    switch state {
    case .new: return Self.nothingStarted
    case .ended:
      // What an ended target has written can still be looked at, and its end is there.
      if case .wait = action { return nil }
      return (
        "the target has ended before this step",
        "start it with \"- start:\", which does not wait for its end"
      )
    case .running, .signaled: return nil
    }
  }

  private func closedInput(for action: Step.Action) -> (message: String, help: String)? {
    guard isInputClosed else { return nil }
    switch action {
    case .send, .closeStandardInput:
      return (
        "standard input was closed before this step",
        "move it before \"- close: stdin\", or remove it"
      )
    default: return nil
    }
  }

  private mutating func advance(_ action: Step.Action) {
    switch action {
    case .stop, .wait(.exit): if state != .new { state = .ended }
    case .signal: if state == .running { state = .signaled }
    case .closeStandardInput: isInputClosed = !hasTerminal
    default: break
    }
  }
}
