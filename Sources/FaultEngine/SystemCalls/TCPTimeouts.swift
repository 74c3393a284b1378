package import Foundations

/// The options of a TCP socket that decide when the kernel gives up a connection without an answer (tcp(7), socket(7)).
package struct TCPTimeouts: Sendable, Hashable {
  /// Probes of an idle connection (SO_KEEPALIVE).
  package struct KeepAlive: Sendable, Hashable {
    /// How long nothing must come before the first probe (TCP_KEEPIDLE).
    package var idle: Nanoseconds
    /// The time between probes (TCP_KEEPINTVL).
    package var interval: Nanoseconds
    /// The number of probes without an answer (TCP_KEEPCNT).
    package var count: Int

    /// Creates probes.
    package init(idle: Nanoseconds, interval: Nanoseconds, count: Int) {
      self.idle = idle
      self.interval = interval
      self.count = count
    }
  }

  /// How often a SYN is sent again (TCP_SYNCNT); `nil` for as often as the system says.
  package var handshakeRetries: Int?
  /// How long data may stay without an acknowledgement (TCP_USER_TIMEOUT); `nil` for as long as the system says.
  package var user: Nanoseconds?
  /// The probes of an idle connection; `nil` without any.
  package var keepAlive: KeepAlive?

  /// Creates options.
  package init(
    handshakeRetries: Int? = nil, user: Nanoseconds? = nil, keepAlive: KeepAlive? = nil
  ) {
    self.handshakeRetries = handshakeRetries
    self.user = user
    self.keepAlive = keepAlive
  }
}
