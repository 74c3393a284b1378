internal import FaultEngine
internal import Foundations

/// A client that has got no answer yet.
///
/// Lives on the event loop.
final class ConnectionAttempt {
  private(set) var request: HostConnection
  let faults: HostConnectionFaults
  /// The connection that is on its way; `nil` before.
  var connection: RelayedConnection?
  /// Ends the wait.
  var cancel: () -> Void = {}
  private let begin: Nanoseconds
  private var schedule: RetransmissionSchedule
  private var nextIndex = 0
  private var random: SplitMix64

  init(_ request: HostConnection, _ faults: HostConnectionFaults, begin: Nanoseconds) {
    self.request = request
    self.faults = faults
    self.begin = begin
    schedule = RetransmissionSchedule(handshake: request.timeouts[0])
    var random = (faults.decision(of: .client) ?? faults.decision(of: .server))?.random
    self.random = SplitMix64(seed: random?.next() ?? 0)
  }

  /// When it asks once more; `nil` if it does no more.
  func nextInstant() -> Nanoseconds? {
    guard schedule.instants.indices.contains(nextIndex) else { return nil }
    defer { nextIndex += 1 }
    return begin + schedule.instants[nextIndex]
  }

  /// When it gives up.
  var end: Nanoseconds { begin + schedule.end }

  /// Replaces the options by which the kernel gives it up.
  func setTimeouts(_ timeouts: TCPTimeouts) {
    request.timeouts[0] = timeouts
    schedule = RetransmissionSchedule(handshake: timeouts)
  }

  /// Returns whether what it asks with is lost, by chance.
  func isUnlucky(_ probability: Double) -> Bool {
    probability > 0 && random.nextPart() < probability
  }

  /// Abandons the attempt.
  func abandon() {
    cancel()
    if let connection { connection.abandon() } else { faults.end() }
  }
}
