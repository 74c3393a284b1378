internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// An entry of `chaos:` with a link between two hosts.
  mutating func planLink(
    _ ends: LinkEnds, at range: SourceRange, of entry: ChaosEntry, among names: ChaosNames
  ) -> PlannedChaos? {
    usesTime = true
    var link = PlannedLink(host: ends.to.joined(separator: ","))
    link.ends = ends
    var scope = ChaosScope(word: ends.text, target: .link(link))
    let conditions = planConditions(entry.conditions, of: scope)
    scope.outerConditions = [conditions]
    let schedule = planSchedule(entry.schedule, of: entry.range, among: names)
    guard let provider = planProvider(entry.provider, of: scope) else { return nil }
    checkFaults(provider.linkFaults, at: entry.provider.range)
    return PlannedChaos(
      name: entry.name.value, target: .link(link), conditions: conditions, schedule: schedule,
      provider: provider, isApplied: entry.isApplied, range: entry.range)
  }

  /// What the ends of a link are.
  enum ResolvedLink {
    /// Targets that are hosts, on either side.
    case betweenHosts(LinkEnds)
    /// Targets, and a host beyond the scenario's, with the direction of the bytes.
    case ofClients([String], place: String, Toxic.Stream)
  }

  /// Finds the targets that the ends of a link name; `nil`, with a report, where an end is none.
  mutating func resolve(_ ends: LinkEnds, at range: SourceRange) -> ResolvedLink? {
    // No target's name has a dot or a colon.
    let isPlace = { (name: String) in name.contains(".") || name.contains(":") }
    for name in ends.from + ends.to where isPlace(name) {
      if let port = portOfTarget(name) {
        report(
          "links between hosts have no port: \"\(name.dropLast(port.count))\" is a target",
          code: .badAddress, at: range, help: "remove \"\(port)\"")
        return nil
      }
      guard let target = targetName(ofHost: name) else { continue }
      report(
        "\"\(name)\" is the name of a host, not of a target", code: .badAddress, at: range,
        help: "write the target's name: \(target)")
      return nil
    }
    let places = (ends.from.filter(isPlace), ends.to.filter(isPlace))
    guard places.0.isEmpty && places.1.isEmpty else {
      return resolveClients(ends, places, at: range)
    }
    let hosts = Self.targetsOnHosts(of: body)
    guard let from = resolve(ends.from, among: hosts, at: range),
      let to = resolve(ends.to, among: hosts, at: range)
    else { return nil }
    if from.count == 1, from == to {
      report(
        "\"\(from[0])\" has no link to itself", code: .contradictory, at: range,
        help: "name another host; the traffic of a host to itself does not use a link")
      return nil
    }
    return .betweenHosts(LinkEnds(from: from, to: to, isTwoWay: ends.isTwoWay))
  }

  /// Returns the port, with its colon, that stands behind a target's name, or a pattern for some;
  /// `nil` for another text.
  private func portOfTarget(_ text: String) -> Substring? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = String(text[..<colon])
    let isTarget =
      targetNumbers[name] != nil
      || name.contains("*") && targetNumbers.keys.contains { GlobPattern(name).matches($0) }
    return isTarget ? text[colon...] : nil
  }

  private mutating func resolveClients(
    _ ends: LinkEnds, _ places: (from: [String], to: [String]), at range: SourceRange
  ) -> ResolvedLink? {
    let sends = places.from.isEmpty
    let names = sends ? ends.from : ends.to
    guard let place = (sends ? ends.to : ends.from).first,
      places.from.count + places.to.count == 1, ends.from.count == 1 || sends,
      ends.to.count == 1 || !sends
    else {
      report(
        "a link leads from targets to one host beyond the scenario's", code: .badAddress,
        at: range, help: "write an entry for each, as in \"link: n1 <-> api.example.com\"")
      return nil
    }
    guard let clients = resolve(names, among: targetNumbers.keys.sorted(), at: range, isAny: true)
    else { return nil }
    return .ofClients(clients, place: place, ends.isTwoWay ? .both : sends ? .up : .down)
  }

  /// Finds the targets of names and patterns; `nil`, with a report, where one is none.
  ///
  /// - Parameter isAny: whether targets without a host will do.
  private mutating func resolve(
    _ names: [String], among candidates: [String], at range: SourceRange, isAny: Bool = false
  ) -> [String]? {
    var found: [String] = []
    for name in names {
      guard name.contains("*") else {
        if isAny {
          guard candidates.contains(name) else {
            report(
              "unknown target \"\(name)\"", code: .unknownEntry, at: range,
              help: Suggestion.help(for: name, in: Set(candidates), label: "targets"))
            return nil
          }
        } else if !candidates.contains(name), targetNumbers[name] == nil {
          // It may be meant as a host of the mock server, which is known by its dot or its port.
          report(
            "unknown target \"\(name)\"", code: .unknownEntry, at: range,
            help: Suggestion.help(for: name, in: Set(candidates), label: "hosts")
              + "; for a host beyond the scenario's, write its port: \(name):80")
          return nil
        } else if !isHost(Located(name, at: range), among: candidates) {
          return nil
        }
        found.append(name)
        continue
      }
      let glob = GlobPattern(name)
      let matching = candidates.filter { glob.matches($0) }
      guard !matching.isEmpty else {
        report(
          "no \(isAny ? "target" : "target with a \"host\"") is called \"\(name)\"",
          code: .unknownEntry, at: range,
          help: Suggestion.help(
            for: name, in: Set(candidates), label: isAny ? "targets" : "hosts"))
        return nil
      }
      found += matching
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }

  private mutating func checkFaults(_ faults: [LinkFault], at range: SourceRange) {
    for fault in faults {
      switch fault {
      case .dns, .tls:
        report(
          "\"\(fault.word)\" is a fault of the mock server, not of a link between hosts",
          code: .impossibleProvider, at: range, help: "remove it, or write \"link: HOST\"")
      case .toxic(let toxic):
        guard case .reorder = toxic.kind,
          !faults.contains(where: { if case .toxic(let one) = $0 { one.isDelay } else { false } })
        else { continue }
        report(
          "\"reorder\" has no effect without a delay", code: .noEffect, at: range,
          help: "write { latency: 100ms, reorder: 0.1 }")
      case .down: continue
      }
    }
  }
}

extension LinkFault {
  /// True if it concerns datagrams alone.
  var isAboutDatagrams: Bool {
    guard case .toxic(let toxic) = self else { return false }
    switch toxic.kind {
    case .duplicate, .reorder: return true
    default: return false
    }
  }
}

extension Toxic {
  fileprivate var isDelay: Bool { if case .latency = kind { true } else { false } }
}
