internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// An entry of `chaos:` with a link between two hosts.
  mutating func planLink(
    _ ends: LinkEnds, at range: SourceRange, of entry: ChaosEntry, among names: ChaosNames
  ) -> PlannedChaos? {
    usesTime = true
    let hosts = Self.targetsOnHosts(of: body)
    for name in [ends.from, ends.to] { _ = isHost(Located(name, at: range), among: hosts) }
    if ends.from == ends.to {
      report(
        "\"\(ends.from)\" has no link to itself", code: .contradictory, at: range,
        help: "name another host; the traffic of a host to itself does not use a link")
    }
    var link = PlannedLink(host: ends.to)
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
