/// The settings of the relay between hosts.
package struct HostRelaySettings: Sendable {
  /// The names of the targets on the hosts, by the hosts' numbers.
  package var names: [String]
  /// Where an address of this machine is among the hosts; `nil` if it is no host's.
  package var place: @Sendable (LoopbackEnd) -> HostPlace?
  /// Makes the kernel give up a socket of a target's, as after a time without an answer (tcp(7)), and calls back, on any
  /// thread, once it has.
  package var timeOut: @Sendable (HostTimeout, @escaping @Sendable () -> Void) -> Void

  /// Creates settings.
  package init(
    names: [String],
    place: @escaping @Sendable (LoopbackEnd) -> HostPlace?,
    timeOut: @escaping @Sendable (HostTimeout, @escaping @Sendable () -> Void) -> Void
  ) {
    self.names = names
    self.place = place
    self.timeOut = timeOut
  }
}

/// A timed-out connection of a target.
package struct HostTimeout: Sendable, Hashable {
  /// The target's end.
  package var target: LoopbackEnd
  /// The relay's end, which answers no more.
  package var other: LoopbackEnd
}

/// Hosts that do not reach each other.
package struct HostPartition: Sendable, Hashable {
  /// The author's name for it; `nil` where there is none.
  package var name: String?
  /// The number of the group of each host that is in one, by the hosts' numbers.
  package var groups: [Int: Int]

  /// Creates a partition.
  package init(name: String?, groups: [Int: Int]) {
    self.name = name
    self.groups = groups
  }

  /// Returns whether two hosts are in different groups.
  func separates(_ one: Int, _ other: Int) -> Bool {
    guard let first = groups[one], let second = groups[other] else { return false }
    return first != second
  }
}
