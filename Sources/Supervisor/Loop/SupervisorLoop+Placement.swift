internal import CSupervisor
internal import ScenarioModel

/// Where threads of the target run while they only go from one wait to the next.
///
/// To wake a processor that idles takes many times as long as to change from one thread to another. A thread
/// that is woken alone is therefore put on the supervisor's own processor, and let go as soon as it runs on,
/// and before it can ask where it may run or bear a child.
extension SupervisorLoop {
  /// For how long a thread may run before it is let go.
  private static let placementLimit = Nanoseconds.microseconds(200)

  /// Puts a thread that sleeps, and is about to be woken, on this thread's processor.
  func place(_ tracee: Tracee) {
    guard !clock.flows, mayShareProcessor() else { return }
    if var placement = placements[tracee.identifier] {
      scenario_place_again(tracee.identifier.number, &placement)
      placements[tracee.identifier] = placement
      return
    }
    var placement = scenario_placement()
    guard scenario_place(tracee.identifier.number, &placement) != 0 else { return }
    placements[tracee.identifier] = placement
  }

  /// The same for the only thread of the tree.
  func placeLoneThread() {
    if tracees.count == 1, let tracee = tracees.values.first { place(tracee) }
  }

  /// Lets all threads run again wherever they may.
  func releasePlacements() {
    guard !placements.isEmpty else { return }
    for (thread, placement) in placements {
      withUnsafePointer(to: placement) { scenario_release_place(thread.number, $0) }
    }
    placements.removeAll(keepingCapacity: true)
  }

  /// Nothing has stopped: threads that have run for a while are let go.
  func releasePlacementsInTime() {
    guard !placements.isEmpty else { return }
    if RealClock.monotonic() - lastProgress > Self.placementLimit { releasePlacements() }
  }
}
