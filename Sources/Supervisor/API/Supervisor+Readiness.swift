package import Foundations
internal import Glibc

extension Supervisor {
  /// The TCP ports that processes of a target listen on, in ascending order.
  package func listeningPorts(of target: TargetNumber) -> [UInt16] {
    Set(listeningAddresses(of: target).map(\.seen.port)).sorted()
  }

  /// Where on this machine a target's TCP port is reached by whoever is no target: where it may be, if the target shares
  /// this machine's loopback, and where it is otherwise.
  package func entrances(toPort port: UInt16, of target: TargetNumber) -> [InternetAddress] {
    let own = listeningAddresses(of: target).filter { $0.seen.port == port && $0.real != $0.seen }
    return own.isEmpty
      ? [.loopback(port: port), .wideLoopback(port: port)] : own.map(\.real)
  }

  /// Finds where on this machine a port at which one of some targets listens is reached by whoever is no target, and calls
  /// back on the supervisor's thread; `nil` if none of them listens there.
  package func findEntrance(
    toPort port: UInt16, of targets: [TargetNumber],
    completion: @escaping @Sendable (InternetAddress?) -> Void
  ) {
    post { loop in
      let network = loop.interceptors.find(HostSockets.self)?.network
      let loopback = loop.interceptors.find(LoopbackSockets.self)
      let processes = loop.processes.values.filter { targets.contains($0.target) }
      let found = ListeningPorts(of: processes).addresses.first { address in
        guard let seen = network?.seen(address, from: nil) else {
          return (loopback?.seen(address) ?? address).port == port
        }
        // A host's own loopback is nobody else's.
        return seen.port == port && !seen.isLoopback
      }
      completion(found?.reachable)
    }
  }

  /// Finds where on this machine the runner reaches what targets call an address of loopback, and calls back on the
  /// supervisor's thread; `nil` if there.
  package func findEntrance(
    toLoopback address: InternetAddress,
    completion: @escaping @Sendable (InternetAddress?) -> Void
  ) {
    post { loop in
      completion(loop.interceptors.find(LoopbackSockets.self)?.entrance(of: address))
    }
  }

  private func listeningAddresses(
    of target: TargetNumber
  ) -> [(real: InternetAddress, seen: InternetAddress)] {
    ask { loop in
      let network = loop.interceptors.find(HostSockets.self)?.network
      let loopback = loop.interceptors.find(LoopbackSockets.self)
      return ListeningPorts(of: loop.processes.values.filter { $0.target == target }).addresses.map
      {
        ($0, network?.seen($0, from: nil) ?? loopback?.seen($0) ?? $0)
      }
    }
  }

  /// Returns whether time moves to the next deadline when everything sleeps.
  package func timeMovesByItself() -> Bool { ask { $0.clock.movesByItself } }

  /// Returns whether some thread waits for virtual time, asleep or reading the clock again and again.
  package func awaitsTime() -> Bool {
    ask { loop in
      loop.nextDeadline != nil
        || loop.spinnerGoal(after: loop.virtualNow) != nil
    }
  }

  /// Returns the situation of every thread of the targets.
  package func situations() -> [ThreadSituation] { ask { $0.situations() } }

  /// Waits until a target has ended, or a moment of real time has come; false if the run is being stopped.
  package func pause(until moment: Nanoseconds, orEndOf target: TargetNumber) -> Bool {
    let result = OneShot<Bool>()
    post { $0.begin(Pause(until: moment, orEndOf: target, result: result)) }
    return result.value()
  }
}

/// Waits for a moment of real time, or for the end of a target.
final class Pause: PendingWait {
  let deadline: Nanoseconds
  private let target: TargetNumber
  private let result: OneShot<Bool>

  init(until moment: Nanoseconds, orEndOf target: TargetNumber, result: OneShot<Bool>) {
    deadline = moment
    self.target = target
    self.result = result
  }

  func wantsQuiescence(_ loop: any TargetView) -> Bool { false }

  func letsTimePass(_ loop: any TargetView) -> Bool { false }

  func poll(_ loop: any TargetView) -> Bool {
    let hasEnded = loop.targets[target].map { $0.status != nil } ?? true
    guard hasEnded || RunnerClock.now() >= deadline else { return false }
    result.leave(true)
    return true
  }

  func demand(_ loop: any TargetView) -> TimeDemand { .stand }

  func isStuck(_ loop: any TargetView) -> Bool { false }

  func isEndless(_ report: WaiterReport) {
    result.leave(true)
  }

  func cancel() {
    result.leave(false)
  }
}

extension ConnectionTable {
  /// Where those of some sockets listen that do.
  func listeningAddresses(of sockets: Set<UInt64>) -> [InternetAddress] {
    listeners.filter { sockets.contains($0.inode) }.compactMap { Self.address($0.local) }
  }

  /// `0100007F:1F90`: words of 32 bits of the address as the machine's own numbers.
  private static func address(_ text: Substring) -> InternetAddress? {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let port = UInt16(parts[1], radix: 16) else { return nil }
    var bytes: [UInt8] = []
    var rest = parts[0]
    while !rest.isEmpty {
      guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
      bytes += withUnsafeBytes(of: word) { Array($0) }
      rest = rest.dropFirst(8)
    }
    return InternetAddress(bytes: bytes, port: port)
  }
}
