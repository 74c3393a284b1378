internal import Foundations

extension TracerLoop {
  /// Steps the clocks as a step of the scenario says; false, and nothing happens, if the wall clock
  /// would show what clocks cannot.
  func apply(_ change: ClockChange) -> Bool {
    var isPossible = true
    scheduler.change { clock, real in
      var changed = clock
      changed.apply(change, blocks: &blockStack, real: real)
      isPossible = changed.wall(real: real).isOnClocks
      if isPossible { clock = changed }
    }
    return isPossible
  }

  /// Files a deadline of somebody outside the target.
  @discardableResult
  func schedule(
    after delay: Nanoseconds, _ body: @escaping @Sendable () -> Void
  ) -> ScheduledTask.Filed { externalDeadlines.schedule(after: delay, body) }

  func callOff(_ scheduledTask: ScheduledTask.Filed) { externalDeadlines.cancel(scheduledTask) }
}

extension VirtualClock {
  /// Does what a step says.
  ///
  /// - Parameters:
  ///   - change: the step.
  ///   - blocks: what the blocks that have begun must put back; a way back to the present empties them,
  ///     so that their ends are harmless.
  ///   - real: the kernel's CLOCK_MONOTONIC now.
  mutating func apply(
    _ change: ClockChange, blocks: inout [VirtualClock.Displacement], real: Nanoseconds
  ) {
    switch change {
    case .travel(let instant): travel(to: instant.instant(at: wall(real: real)), real: real)
    case .jump(let length): jump(by: length, real: real)
    case .freeze(let instant):
      freeze(at: instant?.instant(at: wall(real: real)), real: real)
    case .suspend(let length): suspend(for: length, real: real)
    case .rate(let rate): flow(at: rate, real: real)
    case .returnToPresent:
      returnToPresent(real: real)
      for index in blocks.indices { blocks[index] = .present }
    case .beginBlock: blocks.append(displacement(real: real))
    case .endBlock:
      if let displacement = blocks.popLast() { restore(displacement, real: real) }
    }
  }
}
