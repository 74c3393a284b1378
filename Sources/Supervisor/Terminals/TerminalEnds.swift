internal import CSupervisor
internal import Glibc

/// Ends of pseudo-terminals.
struct TerminalEnds {
  /// Those that programs read and write.
  var slaves: [Int32] = []
  /// Those that terminals hold.
  var masters: [Int32] = []

  /// Lets what was written arrive; whom it wakes is awake then.
  ///
  /// A poll(2) of a terminal without input makes the kernel do at once what is left to its thread. What is
  /// echoed goes from the slave to the master, so slaves come first. Of a thread of the kernel's that was
  /// stopped between laying input down and waking its reader the poll sees the input, and does not wait: time
  /// may move then, though the reader finds its input all the same.
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
