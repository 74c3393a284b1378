internal import CSupervisor
internal import Glibc

/// Sees calls of commands outside the world that concern it.
///
/// What such a command makes durable or writes is durable for the world as well: a sync of whoever it may be writes all
/// that is dirty of a file, whoever has changed it; and what is written outside of the simulated machine does not go down
/// with it. And a command reaches the ports of its case, where these are not this machine's.
package struct CommandWitness: Sendable {
  /// What commands tell of.
  struct Subjects: OptionSet {
    let rawValue: Int32

    /// Changes and syncs of files.
    static let files = Subjects(rawValue: Int32(SCENARIO_TELLS_OF_FILES.rawValue))
    /// Connections, and datagrams to an address.
    static let connections = Subjects(rawValue: Int32(SCENARIO_TELLS_OF_CONNECTIONS.rawValue))
  }

  /// What commands tell of.
  let subjects: Subjects
  private let mailbox: Mailbox

  init(_ mailbox: Mailbox, of subjects: Subjects) {
    self.mailbox = mailbox
    self.subjects = subjects
  }

  /// Records that a command's calls cannot be observed.
  ///
  /// - Parameter command: the number of its keeper's process.
  func recordBlindness(to command: Int32) {
    mailbox.post { [subjects] loop in
      if subjects.contains(.connections),
        loop.interceptors.find(LoopbackSockets.self)?.hasOwnPorts ?? false
      {
        loop.record.notice(
          "this machine does not allow commands of `exec:` to be led to the ports of the case: they"
            + " reach those of other cases and programs", ofProcess: command)
      }
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

  /// Attends to each call that a command is about to make, until nobody is left who could make one, and lets go of the
  /// descriptor then.
  ///
  /// - Parameter command: the number of its keeper's process.
  func attend(to listener: Int32, of command: Int32) throws(LaunchError) {
    let witness = self
    do {
      _ = try SupervisorThread(isJoined: false) {
        var call = scenario_told_call()
        while true {
          let answer = scenario_next_told_call(listener, &call)
          if answer == 0 { break }
          guard answer > 0 else { continue }
          let told = ToldCall(
            registers: Registers(
              systemCall: Int(call.number),
              arguments: [
                call.arguments.0, call.arguments.1, call.arguments.2, call.arguments.3,
                call.arguments.4, call.arguments.5,
              ]), thread: ThreadIdentifier(call.thread), command: command)
          if let result = witness.result(of: told) {
            scenario_answer_told_call(listener, call.identifier, Int64(result))
          } else {
            scenario_let_told_call_go(listener, call.identifier)
          }
        }
        close(listener)
        witness.recordEnd(of: command, isComplete: true)
      }
    } catch {
      close(listener)
      throw error
    }
  }

  /// The result of a call that is made in the command's place; `nil` lets it make the call itself.
  private func result(of call: ToldCall) -> Int? {
    let number = call.registers.systemCall
    guard number == SystemCallNumber.connect || number == SystemCallNumber.sendto else {
      _ = ask { loop in loop.faults.disks?.recordOutsideCall(call) }
      return nil
    }
    guard let led = OutsideConnection(call) else { return nil }
    defer { led.end() }
    let place = ask { loop in
      loop.interceptors.find(LoopbackSockets.self)?.entrance(of: led.address, like: led.socket)
    }
    return (place ?? nil).map(led.make)
  }

  /// Asks what holds the targets; `nil` if the world ends, which hears nothing any more.
  private func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (any TargetControl) -> Answer
  ) -> Answer? {
    let answer = OneShot<Answer>()
    mailbox.post { loop in answer.leave(question(loop)) }
    while !mailbox.isEnding {
      if answer.awaitValue(milliseconds: 20) { return answer.value() }
    }
    return nil
  }
}
