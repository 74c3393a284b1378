internal import CSupervisor
internal import Glibc

/// Requests of ioctl_tty(2).
enum TerminalRequest {
  /// TIOCSPTLCK: unlocks a pseudo-terminal, without which nobody can open its other end.
  static let unlock: UInt32 = 0x4004_5431
}

/// Pseudo-terminals (pty(7)).
///
/// What is written to one end reaches the other by way of a thread of the kernel's. Until that has run, both
/// the writer and the reader sleep, and what was written is under way.
extension SupervisorLoop {
  /// A thread makes a request of a terminal.
  func noteTerminal(of tracee: Tracee, _ registers: Registers) {
    if UInt32(truncatingIfNeeded: registers[argument: 1]) == TerminalRequest.unlock {
      noteTerminal()
    }
    resume(tracee)
  }

  /// A target's own streams are a terminal.
  func noteTerminal() {
    hasTerminals = true
    sleepWatch.lookAtAll()
    loseStillness()
  }

  /// Lets a target's terminal answer what it has been asked until now, before anything else is typed.
  func takeQuestions(of number: TargetNumber) {
    if targets[number]?.isTerminal ?? false { _ = takeOutput() }
  }

  /// Lets what was written to pseudo-terminals arrive; whom it wakes is awake then.
  ///
  /// A poll(2) of a terminal without input makes the kernel do at once what is left to its thread. What is
  /// echoed goes from the slave to the master, so slaves come first. Of a thread of the kernel's that was
  /// stopped between laying input down and waking its reader the poll sees the input, and does not wait: time
  /// may move then, though the reader finds its input all the same.
  func deliverTerminalInput() {
    var masters: [(Tracee, Int32)] = []
    for holder in processes.values.flatMap(\.descriptorHolders) {
      guard let tracee = tracees[holder] else { continue }
      let folder = "/proc/\(holder.number)/fd"
      for name in SmallFile.names(in: folder) {
        guard let number = Int32(name), let link = SmallFile.link("\(folder)/\(name)") else {
          continue
        }
        if link.hasSuffix("/ptmx") {
          masters.append((tracee, number))
        } else if link.hasPrefix("/dev/pts/") {
          poll(number, of: tracee)
        }
      }
    }
    for (tracee, number) in masters { poll(number, of: tracee) }
  }

  private func poll(_ number: Int32, of tracee: Tracee) {
    let copy = copyDescriptor(number, of: tracee)
    guard copy >= 0 else { return }
    var entry = pollfd(fd: copy, events: Int16(POLLIN), revents: 0)
    _ = Glibc.poll(&entry, 1, 0)
    close(copy)
  }
}
