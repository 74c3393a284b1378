internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// An entry of `chaos:` with `link:`.
  mutating func planLink(
    _ pattern: LinkPattern, of entry: ChaosEntry, among names: ChaosNames
  ) -> PlannedChaos? {
    guard let ends = pattern.ends else {
      return planLink(to: pattern.place, of: entry, among: names)
    }
    guard let link = resolve(ends, at: pattern.place.range) else { return nil }
    switch link {
    case .betweenHosts(let ends):
      return planLink(ends, at: pattern.place.range, of: entry, among: names)
    case .ofClients(let clients, let place, let stream):
      let planned = planLink(
        to: Located(place, at: pattern.place.range), of: entry, among: names,
        (names: clients, text: ends.text))
      return planned.map { chaos in
        var chaos = chaos
        chaos.provider = chaos.provider.along(stream)
        return chaos
      }
    }
  }

  /// An entry of `chaos:` with a link to a host beyond the scenario's.
  ///
  /// - Parameter clients: the targets whose connections alone are meant, and the link as it is written; `nil` for all.
  private mutating func planLink(
    to place: Located<String>, of entry: ChaosEntry, among names: ChaosNames,
    _ clients: (names: [String], text: String)? = nil
  ) -> PlannedChaos? {
    let parts = data.diagnostics.catching(as: .badAddress, at: place.range) {
      () throws(PatternError) in
      try URLParts.hostAndPort(place.value, in: place.value)
    }
    // The brackets of an IPv6 address belong to the text, not to the address.
    let host = parts?.host.filter { $0 != "[" && $0 != "]" }
    var link = PlannedLink(host: host ?? "*", port: parts?.port)
    link.clients = clients?.names
    link.clientText = clients?.text
    checkPlace(place, host: host)
    var scope = ChaosScope(word: place.value, target: .link(link))
    let conditions = planConditions(entry.conditions, of: scope)
    scope.outerConditions = [conditions]
    let schedule = planSchedule(entry.schedule, of: entry.range, among: names)
    guard let provider = planProvider(entry.provider, of: scope), parts != nil else { return nil }
    let phases = Set(provider.linkFaults.map(\.phase))
    if phases.count > 1 {
      report(
        "\"dns\" cannot be combined with faults of connections",
        code: .contradictory, at: entry.provider.range,
        help: "write an entry for each: they are counted separately")
      return nil
    }
    if let odd = provider.linkFaults.first(where: \.isAboutDatagrams) {
      report(
        "\"\(odd.word)\" applies only to datagrams between hosts", code: .impossibleProvider,
        at: entry.provider.range,
        help: "write \"link: n1 <-> n2\", with targets that are hosts, or remove it")
    }
    link.isAboutNames = phases == [.resolving]
    if link.isAboutNames, clients != nil {
      report(
        "\"dns\" cannot be limited to one host", code: .impossibleProvider,
        at: entry.provider.range, help: "write \"link: \(place.value)\"")
    }
    checkNames(link, entry)
    checkSight(of: link, at: place.range)
    usesTime =
      usesTime || link.isAboutNames
      || provider.linkFaults.contains { if case .toxic = $0 { true } else { false } }
    return PlannedChaos(
      name: entry.name.value, target: .link(link), conditions: conditions, schedule: schedule,
      provider: provider, isApplied: entry.isApplied, range: entry.range)
  }

  /// Reports conditions on connections in a rule about names.
  private mutating func checkNames(_ link: PlannedLink, _ entry: ChaosEntry) {
    guard link.isAboutNames, case .link(let pattern) = entry.victim else { return }
    if link.port != nil {
      report(
        "a DNS name has no port", code: .badAddress, at: pattern.place.range,
        help: "write only the host, as in \"link: \(link.host)\"")
    }
    if IPv6Literal(link.host) != nil || AddressText.isIPv4(link.host) {
      report(
        "\"\(link.host)\" is an address, which is not resolved", code: .badAddress,
        at: pattern.place.range,
        help: "write the name of the host")
    }
    if let range = entry.conditions.range(of: .port) {
      report(
        "a DNS query has no port", code: .impossibleCondition, at: range,
        help: "remove it, or break the connections: provide: down")
    }
  }

  /// Reports a link rule about connections in which the mock server has no part.
  private mutating func checkSight(of link: PlannedLink, at range: SourceRange) {
    let mode = options.networkMode ?? body.network?.mode?.value ?? .offline
    let hosts = plannedHosts
    if mode == .live, !hosts.contains(where: { $0.mode != .live }) {
      guard options.networkMode == nil else { return }
      report(
        "the link \"\(link.text)\" cannot be changed: the network is live", code: .noEffect,
        at: range,
        help: "remove \"mode: live\"; write \"mode: spy\" to forward requests to real hosts")
    }
    guard LocalHost.isNamed(by: link.host), AddressText.mistake(in: link.host) == nil,
      body.network?.loopback?.value != .answered || link.isAboutNames
    else { return }
    report(
      "connections within this machine, such as to \"\(link.text)\", do not pass the mock server",
      code: .noEffect, at: range,
      help: link.isAboutNames
        ? "local names are not resolved by DNS; break the connections with \"call: connect\""
        : "write \"network: { loopback: answered }\", or break them with \"call: connect\"")
  }

  // MARK: - Providers

  /// Refuses what only links, or no link, can be given; true if all is well.
  mutating func checkLinkProvider(_ provider: FaultAction, of scope: ChaosScope) -> Bool {
    guard scope.kind == .link else {
      guard case .link(let faults) = provider.content else { return true }
      report(
        "\"\(faults.first?.word ?? "")\" is a fault of a link, not of \"\(scope.word)\"",
        code: .impossibleProvider, at: provider.range,
        help: "write \"link: HOST\" instead, or { error: ECONNRESET }")
      return false
    }
    let help: String
    switch provider.content {
    case .original, .link, .sequence, .match: return true
    case .delay(let shortest, let longest, _):
      let half = Nanoseconds((longest - shortest).count / 2)
      help =
        "write { latency: \(shortest + half) }"
        + (half > .zero ? ", or { latency: { latency: \(shortest + half), jitter: \(half) } }" : "")
    case .hang: help = "write { timeout: 0 }: the connection stays open, but transfers nothing"
    case .error(let name) where name.value == "ECONNREFUSED": help = "write \"provide: down\""
    case .error(let name) where name.value == "ECONNRESET":
      help = "write \"provide: reset_peer\""
    default: help = "write one of: \(Self.linkWords)"
    }
    report(
      "this provider is only for calls, not for a link", code: .impossibleProvider,
      at: provider.range,
      help: help)
    return false
  }

  private static let linkWords =
    "bandwidth, dns, down, latency, limit_data, loss, reset_peer, slicer, slow_close, timeout, tls"

  /// Faults that one connection has together.
  mutating func planLinkFaults(_ faults: [LinkFault], at range: SourceRange) -> PlannedProvider? {
    let lone = faults.first { $0 == .down || $0.phase == .resolving }
    if let lone, faults.count > 1 {
      report(
        "\"\(lone.word)\" cannot be combined with other faults", code: .contradictory, at: range,
        help: "write only this one, or { sequence: [ … ] } for several in turn")
      return nil
    }
    if faults.count(where: { if case .tls = $0 { true } else { false } }) > 1 {
      report(
        "a handshake can have only one fault", code: .contradictory, at: range,
        help: "keep one \"tls\"")
      return nil
    }
    return .link(faults)
  }
}
