internal import Foundations

extension VirtualClock {
  /// Applies the change of a step.
  ///
  /// - Parameters:
  ///   - change: the step.
  ///   - blocks: the states that the blocks which have begun must restore; a way back to the
  ///     present empties them, so that their ends are harmless.
  ///   - real: the kernel's CLOCK_MONOTONIC now.
  mutating func apply(
    _ change: ClockChange, blocks: inout [VirtualClock.Displacement], real: Nanoseconds
  ) {
    switch change {
    case .travel(let instant): travel(to: instant.instant(at: wall(real: real)), real: real)
    case .jump(let length): jump(by: length, real: real)
    case .adjust(let length, let time, let target):
      let wall = WallNumber(target: target)
      if let time {
        slew(wall, by: length, over: time, real: real)
      } else {
        setWall(to: self.wall(of: wall, real: real) + length, of: wall, real: real)
      }
    case .freeze(let instant):
      freeze(at: instant?.instant(at: wall(real: real)), real: real)
    case .suspend(let length): suspend(for: length, real: real)
    case .rate(let rate): flow(at: rate, real: real)
    case .returnToPresent:
      returnToPresent(real: real)
      for index in blocks.indices { blocks[index] = .present }
    case .pause: pause(real: real)
    case .goOn: goOn(real: real)
    case .beginBlock: blocks.append(displacement(real: real))
    case .endBlock:
      if let displacement = blocks.popLast() { restore(displacement, real: real) }
    }
  }
}
