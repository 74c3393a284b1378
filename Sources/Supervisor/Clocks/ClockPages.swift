internal import CSupervisor
internal import Foundations
internal import ScenarioModel

/// The pages by which the target's processes read their clocks without a call.
final class ClockPages {
  private unowned let kernel: any TraceKernel
  private unowned let time: any VirtualTime
  private let isVirtual: Bool
  /// The number of times that the clocks have been published or were about to change.
  private(set) var generation: UInt64
  private var latest: (generation: UInt64, slot: scenario_clock_slot)?

  /// - Parameters:
  ///   - kernel: whose processes they are.
  ///   - time: the clocks.
  ///   - isVirtual: whether clocks are other than the machine's.
  init(
    kernel: any TraceKernel, time: any VirtualTime, isVirtual: Bool, generation: UInt64 = 0
  ) {
    self.kernel = kernel
    self.time = time
    self.isVirtual = isVirtual
    self.generation = generation
  }

  /// Publishes the clocks' values to every process.
  func publish() {
    generation += 1
    publishToAll { $0.currentSlot }
  }

  /// Publishes the clocks' values to one process.
  func publish(to process: TargetProcess) {
    publish(clockSlot(of: process, in: time.clock, currentSlot), to: process)
  }

  /// Makes one process read its clock by system calls until the clock is published.
  func letAsk(_ process: TargetProcess) {
    var slot = currentSlot
    slot.mode = UInt64(SCENARIO_CLOCK_CHANGING)
    publish(slot, to: process)
  }

  /// Makes every process read its clock by system calls until the clocks are published: they are
  /// about to change.
  func announceChange() {
    generation += 1
    var slot = scenario_clock_slot()
    slot.mode = UInt64(SCENARIO_CLOCK_CHANGING)
    publishToAll { _ in slot }
  }

  /// Writes a slot to all processes; one none of whose threads can run before it stops gets it
  /// then, so that a thousand sleeping ones cost nothing.
  private func publishToAll(_ slot: (ClockPages) -> scenario_clock_slot) {
    for process in kernel.processes.values {
      guard !process.isHeld else {
        process.hasStaleClock = true
        continue
      }
      publish(clockSlot(of: process, in: time.clock, slot(self)), to: process)
    }
  }

  /// The slot with the clocks' values, computed once for each change.
  private var currentSlot: scenario_clock_slot {
    if let latest, latest.generation == generation { return latest.slot }
    let slot = clockSlot()
    latest = (generation, slot)
    return slot
  }

  /// Returns the clock slot of a process, where its target has a wall clock of its own.
  private func clockSlot(
    of process: TargetProcess, in clock: VirtualClock, _ common: scenario_clock_slot
  ) -> scenario_clock_slot {
    guard let deviation = clock.deviation(of: process.wall(on: clock)) else { return common }
    let reading = deviation.reading(at: clock.monotonicAtAnchor)
    let wall = clock.atomic(of: .scenario, real: clock.anchor) + reading.ahead
    var slot = common
    slot.realtime = scenario_time(seconds: wall.seconds, nanoseconds: Int64(wall.nanoseconds))
    slot.wall_rate = reading.rate
    slot.wall_fraction = reading.fraction
    slot.slew_rate = reading.slewRate
    slot.slew_length = reading.slewLength.count
    if slot.mode == SCENARIO_CLOCK_FLOWING, reading.rate != 0 || reading.slewRate != 0 {
      slot.mode = UInt64(SCENARIO_CLOCK_RATED)
      slot.rate = ClockRate.one.fixed
      slot.fraction = UInt64(clock.fractionAtAnchor)
    }
    return slot
  }

  /// Returns the slot with the clocks' values at their last change, so that all readers compute
  /// from the same values.
  private func clockSlot() -> scenario_clock_slot {
    let clock = time.clock
    let real = clock.anchor
    let monotonic = TimeValue(clock.monotonicAtAnchor)
    let wall = clock.atomic(of: .scenario, real: real)
    var slot = scenario_clock_slot()
    slot.next_day = clock.leapSecond?.nextDay ?? .max
    switch clock.rate {
    case nil: slot.mode = UInt64(SCENARIO_CLOCK_HELD)
    case ClockRate.one?: slot.mode = UInt64(SCENARIO_CLOCK_FLOWING)
    case let rate?:
      slot.mode = UInt64(SCENARIO_CLOCK_RATED)
      slot.rate = rate.fixed
      slot.fraction = UInt64(clock.fractionAtAnchor)
    }
    slot.realtime = scenario_time(
      seconds: wall.seconds, nanoseconds: Int64(wall.nanoseconds))
    slot.monotonic = scenario_time(
      seconds: monotonic.seconds, nanoseconds: monotonic.fraction)
    let boot = TimeValue(clock.boot(real: real))
    slot.boottime = scenario_time(seconds: boot.seconds, nanoseconds: boot.fraction)
    let base = TimeValue(real)
    slot.base = scenario_time(seconds: base.seconds, nanoseconds: base.fraction)
    return slot
  }

  private func publish(_ slot: scenario_clock_slot, to process: TargetProcess) {
    // Since then none of its threads has run; another process may share its memory.
    let hasNoReader = process.hasStaleClock && kernel.processes.count == 1
    process.hasStaleClock = false
    guard isVirtual, let base = process.image?.base, let memory = process.memory
    else { return }
    if hasNoReader {
      memory.write(Whole(active: generation, slots: (slot, slot)), at: base + Self.activeOffset)
      return
    }
    let stride = MemoryLayout<scenario_clock_slot>.stride
    memory.write(slot, at: base + Self.slotsOffset + (generation & 1) * UInt64(stride))
    memory.write(generation, at: base + Self.activeOffset)
  }

  /// The part of the page that changes.
  private struct Whole: BitwiseCopyable {
    let active: UInt64
    let slots: (scenario_clock_slot, scenario_clock_slot)
  }

  private static let activeOffset = UInt64(
    MemoryLayout<scenario_clock_page>.offset(of: \.active) ?? 0)
  private static let slotsOffset = UInt64(
    MemoryLayout<scenario_clock_page>.offset(of: \.slots) ?? 0)
}
