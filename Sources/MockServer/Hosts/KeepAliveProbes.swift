internal import FaultEngine
internal import Foundations

/// The probes that an end of an idle connection sends (tcp(7), SO_KEEPALIVE), and when it gives the connection up.
///
/// Pure; instants are virtual time.
struct KeepAliveProbes {
  private let keepAlive: TCPTimeouts.KeepAlive
  private let user: Nanoseconds?
  /// When something came last: bytes, an acknowledgement, or the answer to a probe.
  private var heard: Nanoseconds
  /// The number of probes since then, which got no answer.
  private var lostCount = 0
  /// True while nothing passes.
  private var isCut = false

  /// Creates probes; `nil` if the end sends none.
  ///
  /// - Parameter now: when something came last, or the options were set.
  init?(_ timeouts: TCPTimeouts, at now: Nanoseconds, isCut: Bool) {
    guard let keepAlive = timeouts.keepAlive, keepAlive.idle > .zero, keepAlive.interval > .zero,
      keepAlive.count > 0
    else { return nil }
    self.keepAlive = keepAlive
    user = timeouts.user
    heard = now
    self.isCut = isCut
  }

  /// When it gives the connection up, unless something comes; `nil` while probes get an answer.
  var end: Nanoseconds? {
    guard isCut else { return nil }
    // The first probe that is due when the timeout has passed ends the wait, whatever its number (`tcp_keepalive_timer`).
    var count = keepAlive.count
    if let user {
      let rest = max(.zero, user - keepAlive.idle).count
      count = max(1, Int((rest + keepAlive.interval.count - 1) / keepAlive.interval.count))
    }
    return probe(count)
  }

  /// Something has come.
  mutating func hear(at now: Nanoseconds) {
    heard = now
    lostCount = 0
  }

  /// Cuts the line, or mends it.
  mutating func setCut(_ isCut: Bool, at now: Nanoseconds) {
    advance(to: now)
    self.isCut = isCut
  }

  /// Sends the probes that are due until an instant.
  private mutating func advance(to now: Nanoseconds) {
    while probe(lostCount) <= now {
      if isCut {
        lostCount += 1
      } else {
        heard = probe(lostCount)
        lostCount = 0
        // Each further one is answered as well.
        heard += Nanoseconds((now - heard).count / keepAlive.idle.count * keepAlive.idle.count)
      }
    }
  }

  /// When the probe behind so many lost ones is due.
  private func probe(_ lost: Int) -> Nanoseconds {
    heard + keepAlive.idle + Nanoseconds(keepAlive.interval.count * Int64(lost))
  }
}
