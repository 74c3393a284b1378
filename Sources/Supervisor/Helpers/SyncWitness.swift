internal import CSupervisor
internal import Glibc

/// Records as durable in the environment what a command outside of it makes durable.
///
/// Any process's sync writes all that is dirty of a file, whichever process has changed it.
package struct SyncWitness: Sendable {
  private let mailbox: Mailbox

  init(_ mailbox: Mailbox) {
    self.mailbox = mailbox
  }

  /// Records that the syncs of a command cannot be seen.
  func recordBlindness() {
    mailbox.post { loop in
      loop.faults.disks?.unsyncedLog?.recordBlindness(
        "this machine does not let the syncs of an `exec:` step be seen")
    }
  }

  /// The runner itself has written a file, of which everything is durable by that.
  ///
  /// - Parameter path: the file's path.
  package func recordWritten(_ path: String) {
    mailbox.post { loop in
      var status = stat()
      guard let log = loop.faults.disks?.unsyncedLog, stat(path, &status) == 0 else { return }
      log.endSync(log.beginSync(of: status))
    }
  }

  /// Records each sync that a command is about to make, until no process is left that could make
  /// one, and closes the descriptor then.
  func attend(to listener: Int32) throws(LaunchError) {
    let mailbox = mailbox
    do {
      _ = try SupervisorThread(isJoined: false) {
        var sync = scenario_sync()
        while true {
          let answer = scenario_next_sync(listener, &sync)
          if answer == 0 { break }
          guard answer > 0 else { continue }
          Self.record(sync, mailbox)
          scenario_let_sync_go(listener, sync.identifier)
        }
        close(listener)
      }
    } catch {
      close(listener)
      throw error
    }
  }

  private static func record(_ sync: scenario_sync, _ mailbox: Mailbox) {
    let isNoted = OneShot<Bool>()
    mailbox.post { loop in
      loop.faults.disks?.recordSync(
        of: DiskCall.calls[Int(sync.number)], by: ThreadIdentifier(sync.thread),
        [sync.arguments.0, sync.arguments.1])
      isNoted.leave(true)
    }
    // A world that ends hears nothing any more.
    while !mailbox.isEnding, !isNoted.awaitValue(milliseconds: 20) {}
  }
}
