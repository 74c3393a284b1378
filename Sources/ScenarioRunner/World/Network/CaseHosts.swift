internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

extension PlannedCase {
  /// The machines of the case's world, in the order of the targets on them.
  var hosts: [PlannedHost] { targets.compactMap(\.host) }

  /// True if what they send to each other is relayed, so that links between them can be cut.
  var relaysHosts: Bool {
    chaos.contains { entry in
      if case .link(let link) = entry.target { link.ends != nil } else { false }
    }
      || (steps + (always ?? [])).flatMap(\.flattened).contains { step in
        if case .partition = step.action { true } else { false }
      }
  }

  /// The names of the targets on the hosts, by the hosts' numbers.
  var hostNames: [String] { targets.filter { $0.host != nil }.map { $0.name ?? "target" } }

  /// The hosts' network in the supervisor; `nil` if there are none.
  func hostNetwork() throws(Failure) -> HostNetwork? {
    guard !hosts.isEmpty else { return nil }
    try MockServerNeeds.require()
    let block = try takeBlock()
    var number = -1
    let places = targets.map { target -> Int? in
      guard target.host != nil else { return nil }
      number += 1
      return number
    }
    return HostNetwork(
      block: block, addresses: hosts.map { Self.bytes($0.address) },
      outside: Self.bytes(PlannedHost.address(ofNumber: hosts.count + 1)), hostsOfTargets: places)
  }

  /// The loopback that the targets on no host bind.
  ///
  /// - Parameter ports: the ports that the cases of the run have.
  func loopback(_ ports: FixedPorts) throws(Failure) -> LoopbackUse {
    switch network?.loopback ?? .open {
    case .shared: .shared
    // Others take one only when they bind something: most do not.
    case .own: .own(asksAddresses == true ? try takeBlock() : nil)
    case .open: .onDemand(ports.enter(), .all)
    case .answered: .onDemand(ports.enter(), .own)
    case .closed: .onDemand(ports.enter(), .none)
    }
  }

  /// Where commands of steps reach the targets, by what expressions call these.
  func entrances(_ hosts: HostNetwork?, _ loopback: LoopbackUse) -> [String: String] {
    var entrances: [String: String] = [:]
    var number = 0
    for target in targets {
      let name = target.name ?? "target"
      if target.host != nil {
        entrances[name] = hosts?.entrance(ofHost: number)
        number += 1
      } else if asksAddresses == true {
        entrances[name] = loopback.entrance
      }
    }
    return entrances
  }

  private func takeBlock() throws(Failure) -> LoopbackBlock {
    let taken: LoopbackBlock?
    do throws(LaunchError) {
      taken = try LoopbackBlock.take()
    } catch {
      throw Failure(error, program: target.name ?? "target", range: target.commandRange)
    }
    guard let block = taken else {
      throw Failure(
        category: .error, type: "Hosts",
        message: "other cases use all parts of 127.64.0.0/10", range: target.commandRange,
        help: "run fewer cases at once with --jobs")
    }
    return block
  }

  private static func bytes(_ address: String) -> [UInt8] {
    address.split(separator: ".").compactMap { UInt8($0) }
  }
}
