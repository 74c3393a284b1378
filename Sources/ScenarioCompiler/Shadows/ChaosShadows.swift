internal import FaultEngine
internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// The shadows among entries of `chaos:`.
///
/// An entry is compared with those alone that have something in common with it, without which none can stand in its
/// way: of thousands these are a few.
struct ChaosShadows {
  private let entries: [PlannedChaos]
  /// True if an entry holds all the time.
  private let holds: [Bool]
  /// The entries that may shadow others, by the property that these must have in common with them,
  /// in order.
  private var groups: [Group: [Int]] = [:]
  /// The number of entries that have each part of a condition.
  private let partCounts: [ChaosConditions.Part: Int]
  /// Numbers of conditions and of windows, which are cheaper to compare than they are.
  private var numbers: [Terms: Int] = [:]
  /// The number of times that an entry was compared with another one.
  private(set) var comparisons = 0

  /// The subject of an entry, or a part of it.
  fileprivate enum Subject: Hashable {
    case call(String)
    case function(String)
    case anyFunction
    case host(String)
    case anyHost
    case file(String)
    case program(String)
    case ordinal(Int)
  }

  fileprivate enum Group: Hashable {
    /// The entries that take all that meets some conditions, by the rarest part of these.
    case all(Subject, ChaosConditions.Part?)
    /// The entries that count what meets some conditions at some time, and take this one.
    case place(Subject, terms: Int, Int)
    /// The entries that count in the same way, and take more than places that are named.
    case counted(Subject, terms: Int)
    /// The entries that never let a connection be made to a host, or to any.
    case connect(String?)
    /// The entries that never let a call be made to a file, or to any.
    case refused(call: String, file: GlobPattern?)
    /// The entries that end processes at an instant, or at any.
    case ended(Subject, InstantExpression?)
  }

  fileprivate struct Terms: Hashable {
    var conditions: ChaosConditions
    var window: ChaosSchedule
  }

  /// - Parameters:
  ///   - entries: all of them, in order.
  ///   - isSteered: whether a step applies or reverts an entry of that name, so that it does not hold all the time.
  init(among entries: [PlannedChaos], isSteered: (String) -> Bool) {
    self.entries = entries
    holds = entries.map { $0.isApplied && !isSteered($0.name) }
    partCounts = Dictionary(
      entries.flatMap { $0.conditions.parts }.map { ($0, 1) }, uniquingKeysWith: +)
    for (place, entry) in entries.enumerated() where holds[place] {
      for group in makeGroups(of: entry) { groups[group, default: []].append(place) }
    }
  }

  /// Returns the entry that leaves nothing to this one, given by index; `nil` if none is known.
  mutating func shadow(on index: Int) -> UnreachableRule? {
    guard holds[index] else { return nil }
    let entry = entries[index]
    var found: UnreachableRule?
    for group in groups(against: entry) {
      // Among entries of one kind only those before it stand in the way, unless they are about disks or instants.
      let end = min(found?.other ?? .max, group.asksEarlierAlone ? index : .max)
      for place in groups[group, default: []] {
        guard place < end else { break }
        guard place != index else { continue }
        comparisons += 1
        guard let kind = entries[place].shadow(on: entry, isEarlier: place < index) else {
          continue
        }
        found = UnreachableRule(kind: kind, other: place)
        break
      }
    }
    return found
  }

  // MARK: - Groups

  /// Makes the groups of an entry that may shadow others.
  private mutating func makeGroups(of entry: PlannedChaos) -> Set<Group> {
    let subjects = Self.subjects(of: entry)
    switch entry.target {
    case .processes(let processes): return makeGroups(of: entry, processes)
    case .disk: return entry.schedule.takesAll ? all(subjects, entry.conditions) : []
    case .calls, .functions, .link: break
    }
    var groups: Set<Group> = []
    if entry.schedule.takesEverything { groups.formUnion(all(subjects, entry.conditions)) }
    groups.formUnion(counted(subjects, entry))
    guard entry.schedule.takesAll, entry.provider.replacesCall else { return groups }
    let host = entry.conditions.pattern(.host)
    if entry.calls.contains(PlannedCall(name: "connect")) {
      groups.insert(.connect(host == "*" ? nil : host))
    }
    for call in entry.calls where call == PlannedCall(name: call.name) {
      groups.insert(
        .refused(call: call.name, file: entry.conditions.pattern(.path).map { GlobPattern($0) }))
    }
    return groups
  }

  private mutating func makeGroups(
    of entry: PlannedChaos, _ processes: PlannedProcesses
  ) -> Set<Group> {
    let subjects =
      processes.programs.map { Subject.program($0.text) }
      + processes.ordinals.map { Subject.ordinal($0) }
    guard entry.schedule.isInstant else {
      let everything =
        entry.schedule.takesEverything ? all(subjects, ChaosConditions()) : []
      return everything.union(counted(subjects, entry))
    }
    guard entry.provider.endsProcess, let moment = entry.schedule.loneMoment else { return [] }
    return Set(subjects.flatMap { [Group.ended($0, moment), .ended($0, nil)] })
  }

  private func all(_ subjects: [Subject], _ conditions: ChaosConditions) -> Set<Group> {
    let rarest = conditions.parts.min { partCounts[$0, default: 0] < partCounts[$1, default: 0] }
    return Set(subjects.map { .all($0, rarest) })
  }

  private mutating func counted(_ subjects: [Subject], _ entry: PlannedChaos) -> Set<Group> {
    let schedule = entry.schedule
    guard schedule.probability == nil || schedule.probability == 1 else { return [] }
    let number = self.number(of: Terms(entry))
    guard !schedule.places.isEmpty else {
      return Set(subjects.map { .counted($0, terms: number) })
    }
    return Set(
      subjects.flatMap { subject in
        schedule.places.map { .place(subject, terms: number, $0 &+ schedule.after) }
      })
  }

  private mutating func number(of terms: Terms) -> Int {
    if let number = numbers[terms] { return number }
    numbers[terms] = numbers.count
    return numbers.count - 1
  }

  /// Returns the groups of all entries that may shadow an entry.
  private func groups(against entry: PlannedChaos) -> [Group] {
    let subjects = Self.wanted(by: entry)
    let groups = all(against: subjects, entry.conditions)
    switch entry.target {
    case .processes(let processes): return self.groups(against: entry, processes)
    case .disk(let disk, let calls):
      let files = [nil] + (disk.files.count == 1 ? [disk.files[0]] : [])
      let names = Set([calls.first?.name, PlannedChaos.writes.first].compactMap(\.self))
      return groups + names.flatMap { call in files.map { .refused(call: call, file: $0) } }
    case .link(let link) where !link.isAboutNames:
      return groups + counted(against: subjects, entry) + [.connect(nil), .connect(link.host)]
    case .calls, .functions, .link: return groups + counted(against: subjects, entry)
    }
  }

  private func groups(against entry: PlannedChaos, _ processes: PlannedProcesses) -> [Group] {
    let own =
      processes.programs.first.map { Subject.program($0.text) }
      ?? processes.ordinals.first.map { .ordinal($0) }
    let subjects = Array(Set([own, .program("*")].compactMap(\.self)))
    var groups = all(against: subjects, ChaosConditions())
    groups += counted(against: subjects, entry)
    guard let from = entry.schedule.from else { return groups }
    // Others of the same name may turn up in between, but never one of the same number.
    return groups + subjects.map { .ended($0, processes.programs.isEmpty ? nil : from) }
  }

  private func all(
    against subjects: [Subject], _ conditions: ChaosConditions
  ) -> [Group] {
    let parts = [nil] + conditions.parts.map(Optional.some)
    return subjects.flatMap { subject in parts.map { .all(subject, $0) } }
  }

  private func counted(against subjects: [Subject], _ entry: PlannedChaos) -> [Group] {
    guard let number = numbers[Terms(entry)] else { return [] }
    let schedule = entry.schedule
    return subjects.flatMap { subject -> [Group] in
      let counted = Group.counted(subject, terms: number)
      guard let place = schedule.places.first else { return [counted] }
      return [counted, .place(subject, terms: number, place &+ schedule.after)]
    }
  }

  // MARK: - Subjects

  /// Under what an entry is found by those that are about part of the same.
  private static func subjects(of entry: PlannedChaos) -> [Subject] {
    switch entry.target {
    case .disk(let disk, _): return disk.files.map { .file($0.text) }
    case .link(let link): return [link.host.contains("*") ? .anyHost : .host(link.host)]
    case .processes: return []
    case .calls, .functions:
      return entry.calls.map { .call($0.name) }
        + (entry.functions?.names ?? []).map { $0.contains("*") ? .anyFunction : .function($0) }
    }
  }

  /// Under what those are found that may be about all that an entry is about.
  private static func wanted(by entry: PlannedChaos) -> [Subject] {
    switch entry.target {
    case .disk(let disk, _): return disk.files.prefix(1).map { .file($0.text) } + [.file(".")]
    case .link(let link): return [.host(link.host), .anyHost]
    case .processes: return []
    case .calls, .functions:
      if let call = entry.calls.first { return [.call(call.name)] }
      return (entry.functions?.names.first).map { [.function($0), .anyFunction] } ?? []
    }
  }
}

extension ChaosShadows.Group {
  /// True if its entries shadow later ones only.
  fileprivate var asksEarlierAlone: Bool {
    switch self {
    case .all(.file, _), .all(.program, _), .all(.ordinal, _): false
    case .all, .place, .counted: true
    case .connect, .refused, .ended: false
    }
  }
}

extension ChaosShadows.Terms {
  /// Creates the terms on which an entry counts.
  fileprivate init(_ entry: PlannedChaos) {
    var window = ChaosSchedule()
    window.from = entry.schedule.from
    window.until = entry.schedule.until
    window.during = entry.schedule.during
    window.event = entry.schedule.event
    self.init(
      conditions: entry.target.kind == .processes
        ? ChaosConditions() : entry.conditions,
      window: window)
  }
}

// MARK: - Conditions

extension ChaosConditions {
  /// One of the conditions, all of which must hold.
  fileprivate struct Part: Hashable {
    var condition: ChaosCondition
    var test: ChaosTest
  }

  /// The parts that conditions must share with others that they include; the kinds of descriptors
  /// may be fewer.
  fileprivate var parts: [Part] {
    asked.flatMap { condition, test -> [Part] in
      switch test {
      case .kinds: []
      case .flags(let names): names.map { Part(condition: condition, test: .flags([$0])) }
      case .arguments(let arguments):
        arguments.map { Part(condition: condition, test: .arguments([$0])) }
      case .pattern, .number, .ordinal: [Part(condition: condition, test: test)]
      }
    }
  }
}

extension ChaosSchedule {
  /// True if all are taken, however that is written.
  fileprivate var takesEverything: Bool {
    !hasWindow && after == 0 && (every ?? 1) == 1 && places.isEmpty && times == nil
      && (probability ?? 1) == 1
  }
}
