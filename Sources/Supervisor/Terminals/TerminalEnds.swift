internal import CSupervisor
internal import Glibc

/// Ends of pseudo-terminals.
struct TerminalEnds {
  /// The ends that programs read and write.
  var slaves: [Int32] = []
  /// The ends that terminals hold.
  var masters: [Int32] = []

  /// Makes the kernel deliver what was written; the readers that it wakes are awake then.
  ///
  /// A poll(2) of a terminal without input makes the kernel do at once what is left to its thread.
  /// What is echoed goes from the slave to the master, so slaves come first. If a thread of the
  /// kernel's was preempted between storing input and waking its reader, the poll sees the input,
  /// and does not wait: time may move then, though the reader finds its input all the same.
  func deliverInput() {
    for end in slaves + masters where end >= 0 {
      var entry = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      _ = Glibc.poll(&entry, 1, 0)
    }
  }

  /// Closes the copies.
  func closeAll() {
    for end in slaves + masters where end >= 0 { close(end) }
  }
}
