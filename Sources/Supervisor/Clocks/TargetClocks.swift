internal import Foundations
internal import ScenarioModel

/// The clocks as processes of the target read them and as steps set them, with the deadlines of timers and of those
/// outside.
final class TargetClocks {
  /// The pages by which processes read their clocks.
  let pages: ClockPages
  /// The deadlines of those outside the target.
  let external: ExternalDeadlines
  /// The timers of the target.
  let timers: TimerService
  /// The states that the blocks of steps which have begun must restore.
  private var blocks: [VirtualClock.Displacement] = []

  /// - Parameters:
  ///   - kernel: whose processes they are.
  ///   - time: the clocks.
  ///   - isVirtual: whether clocks are other than the machine's.
  ///   - openFiles: how many files of /proc may stay open for timers.
  ///   - trunk: the clocks of the target of which this one is a copy.
  init(
    kernel: any TraceKernel, time: any VirtualTime, isVirtual: Bool, openFiles: Int,
    trunk: TargetClocks? = nil
  ) {
    pages = ClockPages(
      kernel: kernel, time: time, isVirtual: isVirtual, generation: trunk?.pages.generation ?? 0)
    external = ExternalDeadlines(time: time)
    let descriptors = TimerDescriptors(kernel: kernel, openFiles: openFiles)
    timers = TimerService(
      kernel: kernel, time: time, descriptors: descriptors,
      cancelledReads: CancelledReads(kernel: kernel, descriptors: descriptors))
    blocks = trunk?.blocks ?? []
  }

  /// Steps a clock as a step of the scenario says; false, and nothing happens, if the wall clock would show what
  /// clocks cannot.
  ///
  /// - Parameter real: the kernel's CLOCK_MONOTONIC now.
  func apply(_ change: ClockChange, to clock: inout VirtualClock, real: Nanoseconds) -> Bool {
    var changed = clock
    changed.apply(change, blocks: &blocks, real: real)
    let isPossible = changed.wall(real: real).isOnClocks
    if isPossible { clock = changed }
    return isPossible
  }
}
