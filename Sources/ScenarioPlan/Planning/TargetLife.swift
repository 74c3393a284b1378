internal import ScenarioModel

/// Follows the target through the steps, to find steps that cannot work.
struct TargetLife {
  enum State {
    case new
    case running
    /// It got a signal that may have ended it.
    case signaled
    case ended
  }

  private(set) var state = State.new

  /// Takes one step; what is wrong with it, if anything is.
  mutating func mistake(in action: Step.Action) -> (message: String, help: String)? {
    switch action {
    case .run, .start:
      let isRunning = state == .running
      if case .run = action { state = .ended } else { state = .running }
      guard isRunning else { return nil }
      return (
        "the target is still running",
        "end it first with \"- stop:\" or \"- wait: exit\""
      )
    case .stop, .signal, .send, .closeStandardInput, .wait:
      let mistake = absence(for: action)
      advance(action)
      return mistake
    case .travel, .jump, .freeze, .tick, .returnToPresent, .block, .expect: return nil
    }
  }

  private func absence(for action: Step.Action) -> (message: String, help: String)? {
    switch state {
    case .new: return ("nothing has been started yet", "put \"- start:\" before this step")
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

  private mutating func advance(_ action: Step.Action) {
    switch action {
    case .stop, .wait(.exit): if state != .new { state = .ended }
    case .signal: if state == .running { state = .signaled }
    default: break
    }
  }
}
