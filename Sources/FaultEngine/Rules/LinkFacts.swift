package import Foundations
package import ScenarioModel

/// The facts about a connection that is about to be made, or a lookup of a name.
package struct LinkFacts: ChaosFacts, Sendable {
  /// The host's name in lower case, if it was looked up.
  package var name: String?
  /// The address as text, in lower case; empty for a name lookup.
  package var address: String
  /// The port of the connection; `nil` for a name lookup.
  package var place: UInt16?
  /// The process's number in start order, from 1; 0 if it is unknown.
  package var processOrdinal: Int
  /// Between which hosts it is; `nil` where it leads to one beyond the scenario's.
  package var way: HostWay?
  /// The name of the target on whose host the process runs; `nil` if it is unknown.
  package var targetName: String?
  private let names: ProgramNames
  private let time: Nanoseconds
  private let now: WallInstant

  /// Creates facts.
  ///
  /// - Parameters:
  ///   - program: the names of what the process runs.
  ///   - time: virtual time since the scenario's start.
  ///   - now: the wall clock.
  package init(
    name: String?, address: String, port: UInt16?, processOrdinal: Int, program: ProgramNames,
    time: Nanoseconds, now: WallInstant
  ) {
    self.name = name
    self.address = address
    place = port
    self.processOrdinal = processOrdinal
    names = program
    self.time = time
    self.now = now
  }

  /// The same at another moment.
  package func at(_ time: Nanoseconds, _ now: WallInstant) -> LinkFacts {
    var facts = LinkFacts(
      name: name, address: address, port: place, processOrdinal: processOrdinal,
      program: names, time: time, now: now)
    facts.way = way
    facts.targetName = targetName
    return facts
  }

  /// The other end in messages.
  package var subject: String {
    let host = name ?? address
    guard let place else { return host }
    return (host.contains(":") ? "[\(host)]" : host) + ":\(place)"
  }

  // MARK: - Asked by conditions

  /// Returns the kind of a TCP connection.
  package func descriptorKind() -> DescriptorKind? { .tcp }
  /// The name, or the address where there is none.
  package func host() -> String? { name ?? address }
  /// The port.
  package func port() -> Int64? { place.map(Int64.init) }
  /// Returns the program that the process runs.
  package func program() -> ProgramNames { names }
  /// Virtual time since the scenario's start.
  package func elapsed() -> Nanoseconds { time }
  /// The wall clock.
  package func wall() -> WallInstant { now }
}

/// One direction of a connection between two hosts, or of their datagrams.
package struct HostWay: Sendable, Hashable {
  /// The name of the target that sends.
  package var from: String
  /// The name of the one that gets it.
  package var to: String
  /// True if entries for both ways have been asked about it already, with the other direction.
  package var isReturn: Bool

  /// Creates a way.
  package init(from: String, to: String, isReturn: Bool) {
    self.from = from
    self.to = to
    self.isReturn = isReturn
  }
}

/// The decision of an entry about a connection, or a lookup of a name.
package struct LinkDecision: Sendable, Hashable {
  /// The entry's place in the list.
  package var entry: Int
  /// The entry's name.
  package var name: String
  /// The number of the connection among those that match the entry, from 1.
  package var occurrence: Int
  /// The faults, in order; none where the original is provided.
  package var faults: [LinkFault]
  /// The source of chance.
  package var random: SplitMix64
}

/// The entries that a connection has met.
package struct LinkMatchState: Sendable {
  /// Entries that have counted it, and whether they match it.
  var matches: [Int: Bool] = [:]
  /// Entries that were asked about it while they held.
  var offered: Set<Int> = []

  /// Creates a state in which no entry was met.
  package init() {}
}
