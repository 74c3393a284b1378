internal import FaultEngine
internal import ScenarioModel
internal import ScenarioPlan

/// Asks the fault rules about the calls that they name.
final class FaultRules {
  /// A call that some entry wants to see.
  struct Call {
    /// Its place in the table's list.
    var index: Int
    /// Its name.
    var name: String
    /// The subjects that it acts on.
    var subjects: [SystemCallSubject]
    /// The traits of its arguments.
    var traits: SystemCallTraits
  }

  /// The entries, and what they have counted.
  var table: FaultRuleSet
  private var calls: [Int: Call] = [:]
  /// The index in the table's list for each number of a call; negative for those that no entry
  /// names.
  private var places: [Int] = []

  /// Creates an injector.
  ///
  /// - Parameters:
  ///   - entries: the entries in order.
  ///   - directory: the case's directory, from which relative patterns count.
  ///   - seed: what random values derive from.
  init(entries: [PlannedChaos], directory: String?, seed: Int64 = 0) {
    table = FaultRuleSet(
      entries: entries, directory: directory, seed: seed,
      diskDirectory: directory.map { DiskWatch.canonical($0) })
    let processEntries = entries.filter { $0.target.kind == .processes }
    hasProcessEntries = !processEntries.isEmpty
    awaitsRepliesForProcesses = processEntries.contains { $0.schedule.event != nil }
    for (index, name) in table.systemCallNames.enumerated() {
      // A call that this architecture does not have cannot be made either.
      guard let number = SystemCallTable.current.number(of: name) else { continue }
      calls[number] = Call(
        index: index, name: name, subjects: FaultEngine.SystemCall.named(name)?.subjects ?? [],
        traits: SystemCallTraits.of(name))
    }
    places = [Int](repeating: -1, count: (calls.keys.max() ?? -1) + 1)
    for (number, call) in calls { places[number] = call.index }
  }

  /// The rules of a configuration, nothing counted yet.
  convenience init(_ configuration: SupervisorConfiguration) {
    self.init(
      entries: configuration.chaos, directory: configuration.directory, seed: configuration.seed)
    table.reportsOriginals = configuration.survey != nil
    table.notesOriginals = configuration.survey == nil
  }

  /// The rules of a branch, which go on from what those of its trunk have counted.
  init(copying other: FaultRules) {
    table = other.table
    calls = other.calls
    places = other.places
    plainCalls = other.plainCalls
    hasProcessEntries = other.hasProcessEntries
    awaitsRepliesForProcesses = other.awaitsRepliesForProcesses
  }

  /// The same of one that accounts of disks want to see.
  func diskCall(_ number: Int) -> Call {
    let name = SystemCallTable.current.name(of: number)
    return calls[number]
      ?? Call(index: -1, name: name, subjects: [], traits: SystemCallTraits.of(name))
  }

  /// The calls that entries want to see always, and not only where they have to do with a disk.
  var systemCallsOfCalls: [Int] {
    let names = Set(
      table.entries.filter { $0.target.kind != .disk }.flatMap { $0.calls.map(\.name) })
    return calls.filter { names.contains($0.value.name) }.keys.sorted()
  }

  /// Whether a call is plain, by its number: it transfers bytes of files, its number alone decides
  /// whether any entry wants it otherwise, and nothing else in this environment wants to see it.
  private var plainCalls: [Bool] = []

  private static let plainNames: Set<String> = [
    "read", "write", "pread64", "pwrite64", "readv", "writev", "preadv", "pwritev", "lseek",
    "fsync",
    "fdatasync", "ftruncate", "fstat", "close",
  ]

  /// Finds the plain calls.
  ///
  /// - Parameter others: the calls that the supervisor watches without an entry.
  func findPlainCalls(others: Set<Int>) {
    plainCalls = places.indices.map { number in
      guard let call = calls[number], !others.contains(number) else { return false }
      return Self.plainNames.contains(call.name) && table.isPlain(call: call.index)
    }
  }

  /// True if there are plain calls.
  var hasPlainCalls: Bool { plainCalls.contains(true) }

  /// Returns whether a call is plain.
  func isPlain(_ number: Int) -> Bool { plainCalls.indices.contains(number) && plainCalls[number] }

  /// True if there is nothing to inject.
  var isEmpty: Bool { calls.isEmpty }

  /// True if an entry names processes.
  let hasProcessEntries: Bool
  /// True if such an entry waits for a reply.
  let awaitsRepliesForProcesses: Bool

  /// Returns the properties of a call by its number; `nil` if no entry wants to see it.
  func call(_ number: Int) -> Call? { calls[number] }

  /// Counts a call of which it shows at once that it is made as it is; false, and nothing is counted, of
  /// others.
  func passes(_ number: Int, process: Int) -> Bool {
    guard places.indices.contains(number), places[number] >= 0 else { return false }
    return table.passes(call: places[number], process: process)
  }

  /// Returns the numbers of times that each entry was met and fired.
  func account() -> [RuleStatistics] {
    let unfired = Dictionary(uniqueKeysWithValues: table.unfired().map { ($0.entry, $0) })
    return table.entries.indices.map { index in
      RuleStatistics(
        entry: table.entries[index].name, seen: table.counts[index].seen,
        matched: table.counts[index].matched, fired: table.counts[index].fired,
        processes: table.countsByProcess[index].sorted { $0.key < $1.key }.map {
          RuleStatistics.Process(ordinal: $0.key, matched: $0.value.matched, fired: $0.value.fired)
        },
        wasApplied: table.wasApplied(index), nearMisses: unfired[index]?.explanation ?? [],
        withoutEffect: table.countWithoutEffect(index))
    }
  }
}
