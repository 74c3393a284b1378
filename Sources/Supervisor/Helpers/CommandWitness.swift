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
    do {
      _ = try SupervisorThread(isJoined: false) { [self] in
        var waiting: [WaitingCall] = []
        while let isTold = awaitCall(listener, &waiting) {
          if isTold, !hear(listener, of: command, &waiting) { break }
        }
        for call in waiting { call.connection.end() }
        close(listener)
        recordEnd(of: command, isComplete: true)
      }
    } catch {
      close(listener)
      throw error
    }
  }

  /// A call that is made in a command's place and waits for the other end.
  private struct WaitingCall {
    let identifier: UInt64
    let connection: OutsideConnection
    /// Where it leads.
    let place: InternetAddress
  }

  /// The interval, in milliseconds, at which calls that wait are looked at: whether who made them lives, and has time.
  private static let lookInterval: Int32 = 100

  /// Waits until a command is about to make a call, and goes on meanwhile with those that wait, so that none of them holds
  /// up another one; `nil` if nobody is left who could make one.
  private func awaitCall(_ listener: Int32, _ waiting: inout [WaitingCall]) -> Bool? {
    var places = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
    places += waiting.map {
      pollfd(fd: $0.connection.socket.descriptor, events: Int16(POLLOUT), revents: 0)
    }
    guard poll(&places, nfds_t(places.count), waiting.isEmpty ? -1 : Self.lookInterval) >= 0 else {
      return errno == EINTR ? false : nil
    }
    waiting = zip(waiting, places.dropFirst()).filter { call, place in
      guard scenario_told_call_waits(listener, call.identifier) else {
        call.connection.end()
        return false
      }
      guard place.revents != 0 || call.connection.isOverdue,
        let result = call.connection.make(to: call.place)
      else { return true }
      call.connection.end()
      scenario_answer_told_call(listener, call.identifier, Int64(result))
      return false
    }.map(\.0)
    guard places[0].revents != 0 else { return false }
    return places[0].revents & Int16(POLLIN) != 0 ? true : nil
  }

  /// Attends to the next call; false if no call can be read any more.
  private func hear(_ listener: Int32, of command: Int32, _ waiting: inout [WaitingCall]) -> Bool {
    var call = scenario_told_call()
    let answer = scenario_receive_told_call(listener, &call)
    guard answer > 0 else { return answer < 0 }
    let told = ToldCall(
      registers: Registers(
        systemCall: Int(call.number),
        arguments: [
          call.arguments.0, call.arguments.1, call.arguments.2, call.arguments.3,
          call.arguments.4, call.arguments.5,
        ]), thread: ThreadIdentifier(call.thread), command: command)
    let waits = { scenario_told_call_waits(listener, call.identifier) }
    guard let (connection, place) = lead(told, waits: waits) else {
      scenario_let_told_call_go(listener, call.identifier)
      return true
    }
    // Who was interrupted meanwhile makes the call anew.
    let result = waits() ? connection.make(to: place) : 0
    if let result {
      connection.end()
      scenario_answer_told_call(listener, call.identifier, Int64(result))
    } else {
      waiting.append(
        WaitingCall(identifier: call.identifier, connection: connection, place: place))
    }
    return true
  }

  /// Returns where a call leads that is made in the command's place; `nil` lets it make the call itself.
  private func lead(
    _ call: ToldCall, waits: () -> Bool
  ) -> (OutsideConnection, InternetAddress)? {
    let number = call.registers.systemCall
    guard number == SystemCallNumber.connect || number == SystemCallNumber.sendto else {
      _ = ask { loop in loop.faults.disks?.recordOutsideCall(call) }
      return nil
    }
    guard let connection = OutsideConnection(call, waits: waits) else { return nil }
    let place = ask { loop in
      loop.interceptors.find(LoopbackSockets.self)?
        .entrance(of: connection.address, like: connection.socket)
    }
    guard let place = place ?? nil else {
      connection.end()
      return nil
    }
    return (connection, place)
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
