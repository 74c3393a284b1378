extension TracerLoop {
  /// Puts a thread that sleeps, and is about to be woken, on this thread's processor, where time waits for it.
  func place(_ tracee: Tracee) {
    if !clock.flows { placement.place(tracee) }
  }

  /// The same for the only thread of the tree.
  func placeLoneThread() {
    if tracees.count == 1, let tracee = tracees.values.first { place(tracee) }
  }
}
