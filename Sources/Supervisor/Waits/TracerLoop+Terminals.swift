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
extension TracerLoop {
  /// A thread makes a request of a descriptor.
  func handleRequest(of tracee: Tracee, _ registers: Registers) {
    if reportPacketTime(to: tracee, registers) { return }
    if UInt32(truncatingIfNeeded: registers[argument: 1]) == TerminalRequest.unlock {
      recordTerminal()
    }
    resume(tracee)
  }

  /// A target's own streams are a terminal.
  func recordTerminal() {
    hasTerminals = true
    quiescence.sleepWatch.lookAtAll()
    forgetQuiescence()
  }

  /// Lets a target's terminal answer what it has been asked until now, before anything else is typed.
  func takeQuestions(of number: TargetNumber) {
    guard targets[number]?.isTerminal ?? false else { return }
    _ = takeOutput()
    targets[number]?.typeAnswers()
  }

  func typeAnswers() {
    awaitsRestForAnswers = false
    for target in targets.all { target.typeAnswers() }
  }

  /// Sees to it that what terminals answer is typed once the tree is at rest.
  func answerTerminalsAtRest() {
    guard hasTerminals, !awaitsRestForAnswers, targets.all.contains(where: { !$0.answers.isEmpty })
    else { return }
    awaitsRestForAnswers = true
    awaitRest { [mailbox] in
      mailbox.post { loop in
        loop.typeAnswers()
      }
    }
  }

  /// Copies of all ends of pseudo-terminals that the tree has, to be closed by the caller.
  ///
  /// Where a thread must be woken for a copy, it sleeps again afterwards.
  func copyTerminals() -> TerminalEnds {
    var ends = TerminalEnds()
    for holder in processes.values.flatMap(\.descriptorHolders) {
      guard let tracee = tracees[holder] else { continue }
      let folder = "/proc/\(holder.number)/fd"
      for name in SmallFile.names(in: folder) {
        guard let number = Int32(name), let link = SmallFile.link("\(folder)/\(name)") else {
          continue
        }
        if link.hasSuffix("/ptmx") {
          ends.masters.append(copyDescriptor(number, of: tracee))
        } else if link.hasPrefix("/dev/pts/") {
          ends.slaves.append(
            DescriptorTransfer.isNeeded
              ? open("\(folder)/\(name)", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
              : copyDescriptor(number, of: tracee))
        }
      }
    }
    return ends
  }
}

/// Ends of pseudo-terminals.
struct TerminalEnds {
  /// Those that programs read and write.
  fileprivate(set) var slaves: [Int32] = []
  /// Those that terminals hold.
  fileprivate(set) var masters: [Int32] = []

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
