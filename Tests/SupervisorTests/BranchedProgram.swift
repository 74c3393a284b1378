import Foundations
import Glibc
import ScenarioPlan
import Synchronization
import Testing

@testable import Supervisor

/// A surveyed program with branches, in a folder of its own.
final class BranchedProgram {
  private final class Recorded: Sendable {
    let outcomes = Mutex<[BranchOutcome]>([])
    let orders = Atomic<Int>(0)
  }

  private let recorded = Recorded()
  /// The folder that is watched.
  let folder: String
  private let holding: String
  private(set) var program: SupervisedProgram?

  /// What came of the orders, in order.
  var outcomes: [BranchOutcome] { recorded.outcomes.withLock { $0 } }

  /// The branches that have run.
  var results: [BranchResult] {
    outcomes.compactMap { outcome in
      if case .ran(let result) = outcome.result { return result }
      return nil
    }
  }

  /// Why others have not.
  var refusals: [String] {
    outcomes.compactMap { outcome in
      if case .refused(let reason) = outcome.result { return reason }
      return nil
    }
  }

  /// What stands in the folder now.
  func files() -> [BranchFile] {
    let folders = WatchedFolders(roots: [folder])
    let state = WatchedFolders.State(entries: [:], contents: [:])
    return folders.compare(with: state, limit: 0)?.files ?? []
  }

  /// The processes that run in the folder now.
  func processes() -> [Int32] {
    FolderList.names(in: "/proc").compactMap { Int32($0) }.filter {
      SmallFile.link("/proc/\($0)/cwd") == folder
    }
  }

  init(_ name: String = #function) throws {
    var text = Array("/tmp/branches-XXXXXX".utf8CString)
    let base = try #require(mkdtemp(&text).map { String(cString: $0) })
    folder = base + "/work"
    holding = base + "/held"
    mkdir(folder, 0o755)
    mkdir(holding, 0o755)
  }

  deinit {
    program?.stop()
    for path in [folder, holding] { Self.remove(path) }
    rmdir(String(folder.dropLast("/work".count)))
  }

  private static func remove(_ path: String) {
    for name in FolderList.names(in: path) where unlink("\(path)/\(name)") != 0 {
      remove("\(path)/\(name)")
    }
    rmdir(path)
  }

  /// Runs a program with one survey entry to its end.
  ///
  /// - Parameters:
  ///   - list: the chaos entries.
  ///   - orders: what is tried at each point.
  @discardableResult
  func run(
    _ words: [String], _ list: String, clock: PlannedClock? = nil,
    input: LaunchRequest.Input = .empty, realLimit: Nanoseconds = .seconds(10),
    virtualLimit: Nanoseconds = .seconds(3_600), branches: Bool = true,
    orders: @escaping @Sendable (FaultPoint) -> [BranchOrder] = { _ in [] }
  ) throws -> SupervisedProgram {
    let program = try start(
      words, list, clock: clock, input: input, realLimit: realLimit, virtualLimit: virtualLimit,
      branches: branches, orders: orders)
    let end = RunnerClock.now() + .seconds(120)
    #expect(program.supervisor.awaitExit(deadline: end).hasHappened)
    return program
  }

  /// Waits until a branch has begun; half a minute at most.
  func hasBegun() -> Bool {
    let end = RunnerClock.now() + .seconds(30)
    while RunnerClock.now() < end {
      if recorded.orders.load(ordering: .acquiring) > 0 { return true }
      sched_yield()
    }
    return false
  }

  /// The same without waiting for its end.
  func start(
    _ words: [String], _ list: String, clock: PlannedClock? = nil,
    input: LaunchRequest.Input = .empty, realLimit: Nanoseconds = .seconds(10),
    virtualLimit: Nanoseconds = .seconds(3_600), branches: Bool = true,
    orders: @escaping @Sendable (FaultPoint) -> [BranchOrder] = { _ in [] }
  ) throws -> SupervisedProgram {
    let recorded = recorded
    let plan = BranchPlan(
      directories: [folder], holdingDirectory: holding, realLimit: realLimit,
      virtualLimit: virtualLimit,
      orders: { point in
        recorded.orders.add(1, ordering: .releasing)
        return orders(point)
      },
      ended: { outcome in recorded.outcomes.withLock { $0.append(outcome) } })
    let program = try SupervisedProgram(
      clock: clock, chaos: list.isEmpty ? [] : try chaosEntries(list),
      branches: branches ? plan : nil)
    self.program = program
    try program.start(words, input: input, directory: folder)
    return program
  }
}

/// Names in a folder.
enum FolderList {
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = String(decoding: entry.name, as: UTF8.self)
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
