internal import CSupervisor
internal import FaultEngine
internal import Foundations
internal import Glibc
internal import ScenarioPlan

/// The hooks of functions in all processes of a target.
final class FunctionHooks {
  /// The points.
  let faults: FunctionFaults
  /// The page of counters, which the target's processes have as well.
  let descriptor: Int32
  private let counters: UnsafeMutablePointer<scenario_counter>
  private let wanted: FunctionNames
  /// The names of each point.
  let names: [FunctionNames]
  private var tables: [LoadedObject.Identity: SymbolTable?] = [:]
  private var goResults: [LoadedObject.Identity: [String: GoResults]] = [:]
  private var places: [Set<String>]
  /// The functions of each point that are not watched, as they cannot return what is given, each with the reason.
  private var leftOut: [Int: [String: String]] = [:]
  /// The points of which functions were left out since that was last asked for.
  private var freshlyLeftOut: Set<Int> = []
  /// The files that were looked through, for the nearest names.
  private var files: Set<String> = []
  /// The closest names for each point, among so many files.
  private var nearestKnown: [Int: (files: Int, names: [String])] = [:]

  /// Functions that the supervisor itself makes a thread call.
  static let errorLocation = "__errno_location"
  static let throwing = "_ZSt17__throw_bad_allocv"

  /// The largest number of files that are remembered.
  private static let tableLimit = 4096

  /// Creates a watch; `nil` if there is nothing to watch, or no page can be shared.
  init?(_ faults: FunctionFaults?) {
    guard let faults, !faults.points.isEmpty else { return nil }
    var descriptor: Int32 = -1
    guard let counters = scenario_open_counters(&descriptor) else { return nil }
    self.faults = faults
    self.counters = counters
    self.descriptor = descriptor
    places = [Set<String>](repeating: [], count: faults.points.count)
    wanted = FunctionNames(
      faults.points.flatMap(\.names) + [Self.errorLocation, Self.throwing]
        + Self.alignedAllocators)
    names = faults.points.map { FunctionNames($0.names, except: $0.exceptions) }
    for (index, due) in faults.firstDue.enumerated() where index < faults.points.count {
      setDue(due, of: index)
    }
  }

  deinit {
    scenario_close_counters(counters, descriptor)
  }

  /// The part of glibc's allocator that all functions with an alignment share, by the names that the
  /// compiler gives it.
  private static let alignedAllocators = [
    "_mid_memalign", "_mid_memalign.constprop.0", "_mid_memalign.isra.0",
  ]

  // MARK: - Counting

  /// Returns the number of calls of a point's functions.
  func count(of point: Int) -> UInt64 { scenario_counter_count(counters + point) }

  /// Counts a call for a process that cannot count itself; the call's number, from 1.
  func add(to point: Int) -> UInt64 { scenario_counter_add(counters + point) &+ 1 }

  /// Returns whether a call with this number, from 1, is one to ask about.
  func isDue(_ occurrence: UInt64, of point: Int) -> Bool {
    occurrence > scenario_counter_due(counters + point)
  }

  /// Sets at which call a point is asked next, counted from 1.
  func setDue(_ occurrence: UInt64?, of point: Int) {
    guard faults.points.indices.contains(point) else { return }
    scenario_counter_set_due(
      counters + point, occurrence.map { $0 == 0 ? 0 : $0 - 1 } ?? UInt64.max)
  }

  /// Counts, dues and notes as they are at one moment.
  struct Reading {
    fileprivate var counters: [(count: UInt64, due: UInt64)]
    fileprivate var places: [Set<String>]
    fileprivate var files: Set<String>
  }

  /// Returns a snapshot of all counters, places and files.
  func reading() -> Reading {
    Reading(
      counters: faults.points.indices.map {
        (scenario_counter_count(counters + $0), scenario_counter_due(counters + $0))
      }, places: places, files: files)
  }

  /// Restores everything; no process may count meanwhile.
  func restore(_ reading: Reading) {
    for (index, counter) in reading.counters.enumerated() {
      scenario_counter_set_count(counters + index, counter.count)
      scenario_counter_set_due(counters + index, counter.due)
    }
    places = reading.places
    files = reading.files
  }

  // MARK: - Symbols

  /// The symbols of a file that matter; `nil` if it has none, or cannot be read.
  func table(of path: String, in process: Int32) -> SymbolTable? {
    guard let (descriptor, identity) = Self.open(path, in: process) else { return nil }
    defer { close(descriptor) }
    if let table = tables[identity] { return table }
    if tables.count >= Self.tableLimit { tables = [:] }
    files.insert(path)
    var table = SymbolTable(descriptor: descriptor, isWanted: wanted.contains)
    if let found = table { table = withDirectCalls(found) }
    tables[identity] = .some(table)
    return table
  }

  /// The results of a file's functions of Go, by their names, as far as it has debugging information about them.
  func goResults(of path: String, in process: Int32) -> [String: GoResults] {
    guard let table = table(of: path, in: process),
      let (descriptor, identity) = Self.open(path, in: process)
    else { return [:] }
    defer { close(descriptor) }
    if let known = goResults[identity] { return known }
    if goResults.count >= Self.tableLimit { goResults = [:] }
    let names = Set(table.symbols.map(\.name).filter { FunctionConvention.of($0) == .go })
    let results = ELFReader(descriptor: descriptor).flatMap { DebugInformation($0) }?
      .results(of: names)
    goResults[identity] = results ?? [:]
    return results ?? [:]
  }

  /// Opens a file as a process sees it, for the caller to close; `nil` if it is no regular file.
  private static func open(
    _ path: String, in process: Int32
  ) -> (descriptor: Int32, identity: LoadedObject.Identity)? {
    let descriptor = Glibc.open(
      "/proc/\(process)/root\(path)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var file = stat()
    guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    return (
      descriptor,
      LoadedObject.Identity(
        device: UInt(file.st_dev), number: UInt(file.st_ino), size: Int(file.st_size),
        seconds: file.st_mtim.tv_sec, nanoseconds: file.st_mtim.tv_nsec)
    )
  }

  /// Adds the calls that an allocator makes to itself.
  ///
  /// In a library all others come by way of the dynamic linker, which may give them another
  /// allocator; a program's own code calls it directly, and there only the allocator's functions
  /// are searched.
  private func withDirectCalls(_ table: SymbolTable) -> SymbolTable {
    let names = Set(faults.points.filter(\.isAllocator).flatMap(\.names) + Self.alignedAllocators)
    let functions = table.symbols.filter { names.contains($0.name) && !$0.isIndirect }
    guard functions.contains(where: { $0.name == "malloc" }) else { return table }
    var table = table
    let isLibrary = functions.contains { $0.isExported && $0.name == "malloc" }
    let bodies = functions.filter { $0.value < .max - $0.size }.map {
      $0.value..<$0.value + max($0.size, 1)
    }
    table.findDirectCalls(
      of: Set(functions.map(\.value)), in: isLibrary ? nil : bodies, linked: bodies)
    return table
  }

  // MARK: - The account

  /// Records where a point's function was found.
  func record(_ symbol: String, of point: Int, in object: LoadedObject) {
    places[point].insert("\(symbol) in \(object.name)")
  }

  /// Records a point's function that is not watched, as it cannot return what is given.
  func leaveOut(_ symbol: String, of point: Int, because reason: String) {
    guard leftOut[point, default: [:]].updateValue(reason, forKey: symbol) == nil else { return }
    freshlyLeftOut.insert(point)
  }

  /// The functions of a point that are not watched, and why, in a sentence; `nil` if there are none.
  func leftOutFunctions(of point: Int) -> String? {
    guard let reasons = leftOut[point], let first = reasons.keys.min(), let reason = reasons[first]
    else { return nil }
    let others = reasons.keys.filter { $0 != first }.sorted().map { "\"\($0)\"" }
    return others.isEmpty ? reason : "\(reason); the same applies to \(BoundedList.text(others))"
  }

  /// The same, once for all that were found until now.
  func takeFreshlyLeftOut(of point: Int) -> String? {
    freshlyLeftOut.remove(point) == nil ? nil : leftOutFunctions(of: point)
  }

  /// Returns the counts and places of each point.
  func account() -> [FunctionAccount] { faults.points.indices.map { account(of: $0) } }

  /// Returns the counts and places of a point.
  func account(of index: Int) -> FunctionAccount {
    FunctionAccount(
      calls: count(of: index), places: places[index].sorted(),
      nearest: places[index].isEmpty ? nearest(to: index) : [])
  }

  private func nearest(to index: Int) -> [String] {
    if let known = nearestKnown[index], known.files == files.count { return known.names }
    let names = nearest(to: faults.points[index])
    nearestKnown[index] = (files.count, names)
    return names
  }

  private func nearest(to point: FunctionPoint) -> [String] {
    var found: [String: Set<String>] = [:]
    for path in files.sorted() {
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      for name in point.names {
        let length = name.utf8.count
        let near = SymbolTable(descriptor: descriptor) { candidate in
          abs(candidate.count - length) < Suggestion.distanceLimit
        }
        guard let near, let closest = Self.closest(to: name, in: near.symbols.map(\.name))
        else { continue }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        found[closest, default: []].insert("\(closest) in \(file)")
      }
    }
    // Of all files the nearest name first.
    let first = point.names.compactMap { Self.closest(to: $0, in: found.keys.sorted()) }
    let rest = found.keys.sorted().filter { !first.contains($0) }
    return (first + rest).flatMap { found[$0, default: []].sorted() }
  }

  /// The name itself is the nearest, where another file has it than the one that was meant.
  private static func closest(to name: String, in candidates: [String]) -> String? {
    candidates.contains(name) ? name : Suggestion.closest(to: name, in: candidates)
  }
}
