internal import CSupervisor
internal import Glibc

/// Sees to it that what a command outside the world makes durable or writes is durable for the world as well.
///
/// A sync of whoever it may be writes all that is dirty of a file, whoever has changed it; and what is written outside
/// of the simulated machine does not go down with it.
package struct FileWitness: Sendable {
  private let mailbox: Mailbox

  init(_ mailbox: Mailbox) {
    self.mailbox = mailbox
  }

  /// Records that a command's writes and syncs cannot be observed.
  func recordBlindness() {
    mailbox.post { loop in
      loop.faults.disks?.unsyncedLog?.recordBlindness(
        "this machine does not allow the syncs and writes of an `exec:` step to be observed")
    }
  }

  /// The runner itself has written a file, of which everything is durable by that.
  ///
  /// - Parameter path: the file's path.
  package func recordWritten(_ path: String) {
    mailbox.post { loop in loop.faults.disks?.unsyncedLog?.recordOutsideWrite(to: path) }
  }

  /// Records the end of a command whose calls are observed.
  ///
  /// - Parameters:
  ///   - command: the number of its keeper's process.
  ///   - isComplete: whether nothing lives that it has started.
  func recordEnd(of command: Int32, isComplete: Bool) {
    mailbox.post { loop in
      loop.faults.disks?.unsyncedLog?.endOutsideWrites(of: command, isComplete: isComplete)
    }
  }

  /// Takes note of each call that a command is about to make, until nobody is left who could make one, and lets go of
  /// the descriptor then.
  ///
  /// - Parameter command: the number of its keeper's process.
  func attend(to listener: Int32, of command: Int32) throws(LaunchError) {
    let witness = self
    do {
      _ = try SupervisorThread(isJoined: false) {
        var call = scenario_file_call()
        while true {
          let answer = scenario_next_file_call(listener, &call)
          if answer == 0 { break }
          guard answer > 0 else { continue }
          witness.record(call, of: command)
          scenario_let_file_call_go(listener, call.identifier)
        }
        close(listener)
        witness.recordEnd(of: command, isComplete: true)
      }
    } catch {
      close(listener)
      throw error
    }
  }

  private func record(_ call: scenario_file_call, of command: Int32) {
    let isNoted = OneShot<Bool>()
    mailbox.post { loop in
      loop.faults.disks?.recordOutsideCall(
        OutsideFileCall(
          registers: Registers(
            systemCall: Int(call.number),
            arguments: [
              call.arguments.0, call.arguments.1, call.arguments.2, call.arguments.3,
              call.arguments.4, call.arguments.5,
            ]), thread: ThreadIdentifier(call.thread), command: command))
      isNoted.leave(true)
    }
    // A world that ends hears nothing any more.
    while !mailbox.isEnding, !isNoted.awaitValue(milliseconds: 20) {}
  }
}
