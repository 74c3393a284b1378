internal import FaultEngine
internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Conditions that cannot hold together.
extension CasePlanner {
  /// Reports a branch of `match:` that no call of its entry can meet.
  mutating func checkContradictions(
    of branch: WrittenConditions, _ planned: ChaosConditions, in scope: ChaosScope
  ) {
    for outer in scope.outerConditions {
      for condition in planned.contradictions(with: outer, hasOnePath: scope.hasOnePath) {
        report(
          "this branch never matches: \"\(condition.rawValue)\" contradicts that of the entry's"
            + " \"where\"", code: .impossibleCondition,
          at: branch.range(of: condition) ?? entry.range,
          help: "remove it, or widen the conditions of the entry")
      }
    }
  }

  /// Reports conditions on a link that say something else than its place.
  mutating func checkContradictions(_ conditions: WrittenConditions, of scope: ChaosScope) {
    guard case .link(let link) = scope.target else { return }
    if let own = link.port, let port = conditions.number(.port), !port.value.holds(for: Int64(own))
    {
      report(
        "no connection to \"\(link.text)\" has the port \(port.value.summary)",
        code: .impossibleCondition, at: port.range,
        help: "remove \"port\", or write \"link: \(link.withoutPort)\"")
    }
    // A connection has a name and an address, and may be named by the one here and by the other there.
    guard let host = conditions.value.pattern(.host), !host.isEmpty, !link.host.contains("*"),
      !isAddress(link.host), !isAddress(host),
      GlobPattern(host.lowercased()).isDisjoint(from: GlobPattern(link.host))
    else { return }
    report(
      "no connection to \"\(link.text)\" has the host \"\(host)\"",
      code: .impossibleCondition, at: conditions.range(of: .host),
      help: "remove \"host\": the link already selects it")
  }

  /// Reports what contradicts the group of calls, and flags that no call has together.
  mutating func checkGroup(_ conditions: WrittenConditions, of scope: ChaosScope) {
    let ports = Set(scope.calls.map(\.port))
    if let condition = conditions.number(.port), ports.count == 1,
      let port = ports.first.flatMap(\.self),
      !condition.value.holds(for: port), condition.value.mayHold(within: 0...65_535)
    {
      report(
        "\"\(scope.word)\" uses port \(port), which is not \(condition.value.summary)",
        code: .impossibleCondition,
        at: condition.range, help: "remove \"port\", or name calls such as connect and send")
    }
    let flags = conditions.flags
    let names = flags.map(\.value)
    guard names.contains("O_WRONLY"), names.contains("O_RDWR"),
      let flag = flags.last(where: { ["O_WRONLY", "O_RDWR"].contains($0.value) })
    else { return }
    report(
      "no file is opened with both O_WRONLY and O_RDWR", code: .impossibleCondition, at: flag.range,
      help: "keep one of them, or write an entry for each")
  }

  private func isAddress(_ text: String) -> Bool {
    AddressText.isIPv4(text) || IPv6Literal(text) != nil
  }

  /// Reports a place that is none: a port that is missing behind its colon, numbers that are no address.
  mutating func checkPlace(_ place: Located<String>, host: String?) {
    if place.value.hasSuffix(":"), host != nil {
      report(
        "the port is missing after the colon of \"\(place.value)\"", code: .badAddress,
        at: place.range,
        help: "write \"\(place.value)80\", or \"\(place.value.dropLast())\" for any port")
    }
    guard let mistake = host.flatMap({ AddressText.mistake(in: $0) }) else { return }
    report(mistake.message, code: .impossibleCondition, at: place.range, help: mistake.help)
  }
}

extension PlannedLink {
  /// The place without its port, as an author writes it.
  fileprivate var withoutPort: String {
    PlannedLink(host: host).text
  }
}
