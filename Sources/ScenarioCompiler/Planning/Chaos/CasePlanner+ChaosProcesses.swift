internal import FaultEngine
internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// `process:` of an entry of `chaos:`.
  mutating func planProcesses(
    _ names: [Located<ProcessName>]
  ) -> PlannedProcesses? {
    var planned = PlannedProcesses()
    for name in names {
      switch name.value {
      case .ordinal(let number): planned.ordinals.append(number)
      case .program(let text):
        guard let pattern = glob(Located(text, at: name.range)) else { return nil }
        checkProgram(text, at: name.range)
        planned.programs.append(pattern)
      }
    }
    return planned
  }

  /// Checks an entry on processes: a process is known by its name alone, and restarts must stop at
  /// some time.
  mutating func checkProcessEntry(_ entry: ChaosEntry, _ planned: PlannedChaos) {
    guard planned.target.kind == .processes else { return }
    if planned.conditions.asked.contains(where: { !$0.condition.isKnown(of: .processes) }) {
      report(
        "\"where\" is not supported for \"process\"", code: .impossibleCondition, at: entry.range,
        help: "remove it: \"process\" selects the processes")
    }
    let schedule = planned.schedule
    if planned.provider.restartsWithoutEnd, !schedule.isMoment, schedule.times == nil,
      schedule.places.isEmpty
    {
      report(
        "the target would be restarted endlessly", code: .impossibleProvider,
        at: entry.provider.range,
        help: "add when: { from: +30s } for an instant, or { times: 3 } for the number of restarts")
    }
  }

  /// Refuses what no process can be given; true if all is well.
  mutating func checkProcessProvider(_ provider: FaultAction, of scope: ChaosScope) -> Bool {
    switch provider.content {
    case .kill, .stop, .restart, .sequence, .original, .crash:
      return true
    case .signal(_, let isAfter, _):
      guard scope.kind == .processes, isAfter else { return true }
      report(
        "\"after\" is not supported for a signal to a process", code: .impossibleProvider,
        at: provider.range,
        help: "write { signal: TERM }")
      return false
    default:
      guard scope.kind == .processes else { return true }
      report(
        "this provider is not supported for a process", code: .impossibleProvider,
        at: provider.range,
        help:
          "write { kill: process }, { signal: TERM }, { stop: 5s } or { restart: { after: 2s } }")
      return false
    }
  }
}
