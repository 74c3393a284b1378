internal import Foundations
internal import ScenarioModel

extension PlannedChaos: Codable {
  /// The members of an entry, those of its target among them.
  private enum Member: String, CodingKey {
    case name, calls, functions, link, processes, disk, conditions, schedule, provider, isApplied,
      range
  }

  /// Reads an entry of a plan.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    let calls = try members.decode([PlannedCall].self, forKey: .calls)
    let functions = try members.decodeIfPresent(PlannedFunctions.self, forKey: .functions)
    if let link = try members.decodeIfPresent(PlannedLink.self, forKey: .link) {
      target = .link(link)
    } else if let processes = try members.decodeIfPresent(PlannedProcesses.self, forKey: .processes)
    {
      target = .processes(processes)
    } else if let disk = try members.decodeIfPresent(PlannedDisk.self, forKey: .disk) {
      target = .disk(disk, calls: calls)
    } else if let functions, calls.isEmpty {
      target = .functions(functions)
    } else {
      target = .calls(calls, with: functions)
    }
    name = try members.decode(String.self, forKey: .name)
    conditions = try members.decode(ChaosConditions.self, forKey: .conditions)
    schedule = try members.decode(ChaosSchedule.self, forKey: .schedule)
    provider = try members.decode(PlannedProvider.self, forKey: .provider)
    isApplied = try members.decode(Bool.self, forKey: .isApplied)
    range = try members.decode(SourceRange.self, forKey: .range)
  }

  /// Writes an entry into a plan.
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    try members.encode(calls, forKey: .calls)
    try members.encodeIfPresent(functions, forKey: .functions)
    switch target {
    case .calls, .functions: break
    case .link(let link): try members.encode(link, forKey: .link)
    case .disk(let disk, _): try members.encode(disk, forKey: .disk)
    case .processes(let processes): try members.encode(processes, forKey: .processes)
    }
    try members.encode(name, forKey: .name)
    try members.encode(conditions, forKey: .conditions)
    try members.encode(schedule, forKey: .schedule)
    try members.encode(provider, forKey: .provider)
    try members.encode(isApplied, forKey: .isApplied)
    try members.encode(range, forKey: .range)
  }
}
