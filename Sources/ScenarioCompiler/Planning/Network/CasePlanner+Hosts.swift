internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// How many hosts there may be at most.
  private static let hostLimit = 200

  /// The targets, by the names by which expressions call them.
  static func targets(
    of body: ScenarioBody
  ) -> [(name: String, settings: TargetSettings)] {
    (body.target.map { [("target", $0)] } ?? [])
      + body.targets.map { ($0.name.value, $0.settings) }
  }

  /// The names of the targets that are hosts, as expressions call them.
  static func targetsOnHosts(of body: ScenarioBody) -> [String] {
    let routed = Set((body.network?.routes ?? []).map(\.target.value))
    return targets(of: body).filter { $0.settings.host != nil || routed.contains($0.name) }
      .map(\.name)
  }

  /// The name of the target that is the host of a name; `nil` if none is.
  func targetName(ofHost name: String) -> String? {
    if let route = (body.network?.routes ?? []).first(where: { $0.host.value == name }) {
      return route.target.value
    }
    if body.target?.host?.value == name { return "target" }
    return body.targets.first { $0.settings.host?.value == name }?.name.value
  }

  /// True if any target is a host.
  var hasHosts: Bool { !Self.targetsOnHosts(of: body).isEmpty }

  /// Gives the targets that are hosts their names and addresses.
  mutating func planHosts(of targets: inout [PlannedTarget]) {
    guard hasHosts || !(body.network?.routes ?? []).isEmpty else { return }
    let names = hostNames()
    checkHostNames(names)
    checkNetworkOfHosts(names.flatMap { $0 })
    var number = 0
    for index in targets.indices where !names[index].isEmpty {
      number += 1
      targets[index].host = PlannedHost(
        names: names[index].map(\.value), address: PlannedHost.address(ofNumber: number))
    }
    if number > Self.hostLimit, let one = names.flatMap({ $0 }).last {
      report(
        "a scenario can have at most \(Self.hostLimit) hosts, not \(number)", code: .outOfRange,
        at: one.range, help: "remove \"host\" from targets that receive no connections")
    }
  }

  /// The names of the host that each target is, by the targets' numbers; none where it is no host.
  private mutating func hostNames() -> [[Located<String>]] {
    var names: [[Located<String>]] = (0..<targetCount).map { index in
      settings(ofTarget: index)?.host.map { [$0] } ?? []
    }
    for route in body.network?.routes ?? [] {
      guard let index = targetNumbers[route.target.value] else {
        let known = Set(NetworkSettings.Mode.allCases.map(\.rawValue)).union(targetNumbers.keys)
        report(
          "unknown value \"\(route.target.value)\" for \"\(route.host.value)\"",
          code: .unknownValue, at: route.target.range,
          help: Suggestion.help(for: route.target.value, in: known, label: "modes and targets"))
        continue
      }
      if !names[index].contains(where: { $0.value == route.host.value }) {
        names[index].append(route.host)
      }
    }
    return names
  }

  private mutating func checkHostNames(_ names: [[Located<String>]]) {
    var places: [String: SourceRange] = [:]
    for name in names.flatMap({ $0 }) {
      guard let place = places.updateValue(name.range, forKey: name.value) else { continue }
      data.diagnostics.report(
        Diagnostic(
          "two targets have the host name \"\(name.value)\"", code: .duplicateName, at: name.range,
          help: "give each of them its own name",
          notes: [Diagnostic.Note("the other one is here", at: place)]))
    }
  }

  /// What is said of the network must leave the hosts be.
  private mutating func checkNetworkOfHosts(_ names: [Located<String>]) {
    guard let network = body.network else {
      if options.networkMode == .live { reportLiveHosts(names) }
      return
    }
    if (options.networkMode ?? network.mode?.value) == .live { reportLiveHosts(names) }
    if let loopback = network.loopback, !loopback.value.isOpen {
      report(
        "\"loopback: \(loopback.value.rawValue)\" applies to this machine, but every host has its own loopback",
        code: .contradictory, at: loopback.range, help: "remove it")
    }
    for mode in network.hosts {
      if let name = names.first(where: { $0.value == mode.pattern.value }) {
        report(
          "\"\(name.value)\" is a target and cannot have the mode \"\(mode.mode.value.rawValue)\"",
          code: .contradictory, at: mode.pattern.range, help: "remove the mode")
      }
      if targetNumbers[mode.mode.value.rawValue] != nil {
        report(
          "\"\(mode.mode.value.rawValue)\" is both a mode and a target", code: .contradictory,
          at: mode.mode.range, help: "give the target another name")
      }
    }
  }

  private mutating func reportLiveHosts(_ names: [Located<String>]) {
    guard let name = names.first else { return }
    report(
      "\"\(name.value)\" is a host of the scenario, but the network is live",
      code: .contradictory, at: name.range,
      help: "remove \"mode: live\"; write \"mode: spy\" to forward requests to real hosts")
  }
}
