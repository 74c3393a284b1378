internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// `partition:` groups of targets that are hosts.
  mutating func planPartition(
    _ groups: [[Located<String>]], of step: Step
  ) -> PlannedStep.Action? {
    usesTime = true
    let hosts = Self.targetsOnHosts(of: body)
    var places: [String: SourceRange] = [:]
    var planned: [[String]] = []
    for group in groups {
      var names: [String] = []
      for name in group where isHost(name, among: hosts) {
        if let place = places.updateValue(name.range, forKey: name.value) {
          data.diagnostics.report(
            Diagnostic(
              "\"\(name.value)\" is in the partition twice", code: .contradictory, at: name.range,
              help: "name each host once; a host in no group reaches all hosts",
              notes: [Diagnostic.Note("the other place is here", at: place)]))
          continue
        }
        names.append(name.value)
      }
      planned.append(names)
    }
    partitions.append(step.name?.value)
    return .partition(PlannedPartition(name: step.name?.value, groups: planned))
  }

  /// Returns whether a name is that of a target which is a host; reports it if not.
  mutating func isHost(_ name: Located<String>, among hosts: [String]) -> Bool {
    if hosts.contains(name.value) { return true }
    if targetNumbers[name.value] != nil {
      report(
        "\"\(name.value)\" has no \"host\", so it has no links to cut", code: .impossibleStep,
        at: name.range, help: "write \"host: \(name.value).test\" in the target")
    } else {
      report(
        "unknown target \"\(name.value)\"", code: .unknownEntry, at: name.range,
        help: Suggestion.help(for: name.value, in: Set(hosts), label: "hosts"))
    }
    return false
  }

  /// `heal:` what an earlier step has cut.
  mutating func planHealing(_ selection: Located<PartitionSelection>) -> PlannedStep.Action? {
    switch selection.value {
    case .all where partitions.isEmpty:
      report(
        "no step before creates a partition to heal", code: .impossibleStep, at: selection.range,
        help: "write \"partition: [[n1], [n2, n3]]\" in an earlier step")
    case .named(let name) where !partitions.contains(name):
      report(
        "unknown partition \"\(name)\"", code: .unknownEntry, at: selection.range,
        help: partitions.isEmpty
          ? "write \"partition: [[n1], [n2, n3]]\" in an earlier step"
          : Suggestion.help(
            for: name, in: Set(partitions.compactMap(\.self)).union(["all"]), label: "partitions"))
    case .all: partitions = []
    case .named(let name): partitions.removeAll { $0 == name }
    }
    return .heal(selection.value)
  }
}
