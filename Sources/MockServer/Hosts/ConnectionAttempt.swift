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
  private var timer: HandshakeTimer
  private var random: SplitMix64

  init(_ request: HostConnection, _ faults: HostConnectionFaults, begin: Nanoseconds) {
    self.request = request
    self.faults = faults
    self.begin = begin
    timer = HandshakeTimer(request.timeouts[0])
    var random = (faults.decision(of: .client) ?? faults.decision(of: .server))?.random
    self.random = SplitMix64(seed: random?.next() ?? 0)
  }

  /// When it asks once more, or gives up.
  var due: Nanoseconds { begin + timer.due }

  /// Asks once more, or gives up, for its timer has run out.
  func expire() -> HandshakeTimer.Outcome { timer.expire() }

  /// Returns whether it gives up at an instant, when it would ask once more.
  func ends(at instant: Nanoseconds) -> Bool {
    guard connection == nil, due == instant else { return false }
    var timer = timer
    if case .ends = timer.expire() { return true }
    return false
  }

  /// Replaces the options by which the kernel gives it up.
  func setTimeouts(_ timeouts: TCPTimeouts) {
    request.timeouts[0] = timeouts
    timer.timeouts = timeouts
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
