internal import ScenarioModel

extension SupervisorLoop {
  /// Steps the clocks as a step of the scenario says.
  func apply(_ change: ClockChange) {
    let real = RealClock.monotonic()
    changeClock { clock in
      switch change {
      case .travel(let instant): clock.travel(to: resolve(instant, real), real: real)
      case .jump(let length): clock.jump(by: length, real: real)
      case .freeze(let instant): clock.freeze(at: instant.map { resolve($0, real) }, real: real)
      case .returnToPresent: clock.returnToPresent(real: real)
      case .beginBlock: blockStack.append(clock.displacement(real: real))
      case .endBlock:
        if let displacement = blockStack.popLast() { clock.restore(displacement, real: real) }
      }
    }
  }

  /// Changes the clocks, and tells everybody whom it concerns.
  func changeClock(_ body: (inout VirtualClock) -> Void) {
    var changed = clock
    body(&changed)
    let isStepped = !changed.agreesOnWall(with: clock)
    clock = changed
    stillSince = nil
    publishClock()
    if isStepped { cancelTimers() }
    if clock.flows { releaseTimers() } else { catchUpTimers() }
  }

  private func resolve(_ instant: InstantExpression, _ real: Nanoseconds) -> WallInstant {
    switch instant {
    case .absolute(let instant): instant
    case .shift(let length): clock.wall(real: real) + length
    }
  }

  /// Files a deadline of somebody outside the target.
  func schedule(after delay: Nanoseconds, _ body: @escaping @Sendable () -> Void) {
    nextCompanion += 1
    companions[nextCompanion] = body
    let instant = clock.monotonic(real: RealClock.monotonic()) + delay
    _ = timeline.file(.monotonic(instant), for: .companion(nextCompanion))
  }
}
