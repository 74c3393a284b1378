internal import Foundations

extension Tracee {
  /// Returns the description of the caller of a wait.
  func owner(of wait: TimedWait) -> WaitDescription {
    owner(ofCall: wait.entry.systemCall)
  }

  /// Returns the thread as the owner of a timed call.
  func owner(ofCall number: Int) -> WaitDescription {
    WaitDescription(
      program: process.programName, thread: identifier.number, systemCallNumber: number,
      process: process.identifier.number)
  }
}
